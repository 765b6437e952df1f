import type { MemorySource } from '../../core/memory/items/kind'
import type { ItemRecall, ItemRef } from '../../shared/domain/item'
import type { StoredMemory } from '../memory-store/memory'
import { requireKind } from './apply-step'
import { itemOf } from './item-view'

/** The attempts an item was shown to, newest first; of one that was judged anew only the last verdict counts. @throws LoamError `NOT_FOUND` */
export async function recallsIn(
  memory: Pick<StoredMemory, 'trajectories'>,
  source: MemorySource,
  ref: ItemRef,
  limit: number,
): Promise<ItemRecall[]> {
  const kind = requireKind(ref.kind)
  await itemOf(kind, source, ref.id)
  const ids = new Set(kind.recallIds?.(source, ref.id) ?? [ref.id])
  const recalls: ItemRecall[] = []
  const verdicts = new Map<string, ItemRecall>()
  for await (const attempt of memory.trajectories()) {
    const view = attempt.recalled.find((item) => item.kind === ref.kind && ids.has(item.id))
    if (!view && !(kind.alsoShown?.(attempt) ?? []).some((id) => ids.has(id))) continue
    const recall: ItemRecall = {
      trajectoryId: attempt.id,
      runId: attempt.runId,
      index: attempt.task.index,
      instruction: attempt.task.instruction,
      reward: attempt.reward,
      judged: attempt.ungraded === undefined,
      score: view?.score ?? null,
      at: attempt.finishedAt,
    }
    const before = attempt.verdictOn === undefined ? undefined : verdicts.get(attempt.verdictOn)
    if (before) Object.assign(before, recall)
    else recalls.push(recall)
    if (attempt.verdictOn !== undefined) verdicts.set(attempt.verdictOn, before ?? recall)
  }
  return recalls.reverse().slice(0, limit)
}
