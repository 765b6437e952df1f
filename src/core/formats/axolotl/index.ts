import { stringify } from 'yaml'
import type { Format } from '../format'
import { preferencesOf } from '../dialogs'
import { writeDialogs } from '../sft'
import { jsonLine } from '../units'

const SFT = { path: './sft.jsonl', ds_type: 'json', type: 'chat_template', field_messages: 'messages' }
const DPO = {
  path: './dpo.jsonl',
  ds_type: 'json',
  split: 'train',
  type: 'chat_template.default',
  field_messages: 'messages',
  field_chosen: 'chosen',
  field_rejected: 'rejected',
}

/** Both kinds of training files as Axolotl reads them, with the part of a configuration that names them. */
export const axolotl: Format = {
  id: 'axolotl',
  title: 'Axolotl training folder',
  writtenFor: 'Axolotl 0.8 to 0.13: datasets of type chat_template and chat_template.default',
  keeps:
    'Solved attempts as dialogs (sft.jsonl), pairs of attempts at the same task (dpo.jsonl), and a configuration for each.',
  loses: 'What dialogs and pairs leave out; which model to train, and how. It is not read back.',
  written: 'folder',
  fileName: ({ fileName }) => `${fileName}-axolotl`,
  async *write(source, options) {
    yield { text: stringify({ datasets: [SFT] }), holds: null, file: 'sft.yaml' }
    yield { text: stringify({ rl: 'dpo', datasets: [DPO] }), holds: null, file: 'dpo.yaml' }
    yield { text: '', holds: null, file: 'sft.jsonl' }
    yield* writeDialogs(source, options, 'sft.jsonl')
    yield { text: '', holds: null, file: 'dpo.jsonl' }
    for await (const { prompt: messages, chosen, rejected } of preferencesOf(source, options.signal))
      yield jsonLine({ messages, chosen, rejected }, 'pairs', 'dpo.jsonl')
  },
}
