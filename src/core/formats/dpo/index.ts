import type { Format } from '../format'
import { preferencesOf } from '../dialogs'
import { jsonLine } from '../units'

/** What worked beside what did not, as a trainer of preferences reads it. */
export const dpo: Format = {
  id: 'dpo',
  title: 'Preference pairs (DPO, JSON lines)',
  writtenFor: 'TRL DPOTrainer (conversational, explicit prompt: "prompt", "chosen", "rejected")',
  keeps:
    'Pairs of attempts at the same task of which one was solved: the dialog up to where they part, and the two replies.',
  loses:
    'Tasks that were always or never solved, pairs that part at what came back, what follows the parting, and everything that is no attempt. It is not read back.',
  fileName: ({ fileName }) => `${fileName}-dpo.jsonl`,
  async *write(source, { signal }) {
    for await (const { prompt, chosen, rejected } of preferencesOf(source, signal))
      yield jsonLine({ prompt, chosen: [chosen], rejected: [rejected] }, 'pairs')
  },
}
