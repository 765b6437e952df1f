import type { Format } from '../format'
import { teaches } from '../dialogs'
import { jsonLine } from '../units'

/** What was recalled for a task, and whether it was solved with it: what an encoder for this memory learns from. */
export const sentencePairs: Format = {
  id: 'sentence-pairs',
  title: 'Sentence pairs for encoders (JSON lines)',
  writtenFor:
    'Sentence Transformers 3 to 5: columns sentence1, sentence2, label, for ContrastiveLoss and CoSENTLoss',
  keeps:
    'For every attempt each item it was shown: the task, the item’s title, and 1 where the task was then solved.',
  loses:
    'Attempts that were shown nothing, that nobody could judge or that only tested; everything else. It is not read back.',
  fileName: ({ fileName }) => `${fileName}-pairs.jsonl`,
  async *write(source, { signal }) {
    for await (const attempt of source.trajectories()) {
      signal?.throwIfAborted()
      if (!teaches(attempt)) continue
      for (const { title } of attempt.recalled)
        if (title.trim() !== '')
          yield jsonLine(
            { sentence1: attempt.task.instruction, sentence2: title, label: attempt.reward },
            'pairs',
          )
    }
  },
}
