import type { Format, FormatPart, FormatSource, WriteOptions } from '../format'
import { dialogOf, teaches } from '../dialogs'
import { jsonLine } from '../units'

/** Solved attempts as dialogs, a line each; into `file` of a folder where that is named. */
export async function* writeDialogs(
  source: FormatSource,
  { signal }: WriteOptions,
  file?: string,
): AsyncGenerator<FormatPart> {
  for await (const attempt of source.trajectories()) {
    signal?.throwIfAborted()
    const messages = attempt.reward === 1 && teaches(attempt) ? dialogOf(attempt) : []
    if (messages.length > 1) yield jsonLine({ messages }, 'attempts', file)
  }
}

/** What worked, as a trainer of language models reads it. */
export const sft: Format = {
  id: 'sft',
  title: 'Fine-tuning dialogs (SFT, JSON lines)',
  writtenFor:
    'TRL SFTTrainer (conversational, "messages"), and every trainer that reads the messages of OpenAI’s protocol',
  keeps: 'Every solved attempt as a dialog: the task, the agent’s replies, and what came back.',
  loses:
    'Attempts that failed, that nobody could judge or that only tested; the system prompt and what was recalled; everything that is no attempt. ' +
    'Read as conversations, such dialogs become experiences.',
  fileName: ({ fileName }) => `${fileName}-sft.jsonl`,
  write: (source, options) => writeDialogs(source, options),
}
