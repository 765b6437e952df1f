import { placeWords } from '../../../shared/domain/files'
import type { Method, MethodContext, RecalledPart } from '../../ground/method'
import { PASSAGE_KIND, passageText } from './passage'

/** The at most `most` passages of own files that fit a task best, the best first. */
export async function passageParts(
  { task, signal }: Parameters<Method['recall']>[0],
  { bank }: Pick<MethodContext, 'bank'>,
  most: number,
): Promise<RecalledPart[]> {
  const passages = await bank.passages.search(task.instruction, most, { signal })
  return passages.map(({ passage, score, ...hit }) => ({
    text: passageText(passage),
    item: {
      kind: PASSAGE_KIND,
      id: passage.id,
      trajectoryId: null,
      title: placeWords(passage),
      score,
      scoreKind: 'hybrid',
      reward: null,
      ...(hit.pinned && { pinned: true as const }),
    },
  }))
}
