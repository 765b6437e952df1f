import { MEMORY_KINDS } from '../../core/memory'
import { isForeignAttempt } from '../../core/lab/foreign-attempt'
import { lifetimeOf, type LivedAttempt, type LivedItem } from '../../core/lab/lifetime'
import type { MemoryKindModule } from '../../core/memory/items/kind'
import type { Lifetime } from '../../shared/domain/lifetime'
import type { StoredMemory } from '../memory-store/memory'
import { memorySourceOf } from './memory-items'

const kinds: readonly MemoryKindModule[] = MEMORY_KINDS

/** The life of a memory's memory; the `most` items that carried most tasks are told of one by one. */
export async function lifetimeOfItems(memory: StoredMemory, most: number): Promise<Lifetime> {
  const source = memorySourceOf(memory)
  const attempts: LivedAttempt[] = []
  for await (const attempt of memory.trajectories()) {
    // What another agent did before is where the memory began, and no task of its life.
    if (isForeignAttempt(attempt.id)) continue
    const { recalled, reward, ungraded, measured, finishedAt } = attempt
    const beside = kinds.flatMap((kind) =>
      (kind.alsoShown?.(attempt) ?? []).map((id) => ({ kind: kind.info.id, id })),
    )
    attempts.push({ recalled, reward, ungraded, measured, finishedAt, beside })
  }
  const items: LivedItem[] = []
  for (const kind of kinds)
    for (const { id, createdAt, gone, mark, reward } of await kind.heads(source)) {
      const about = reward === null ? null : ((await source.caseOf(id))?.state ?? null)
      items.push({
        ref: { kind: kind.info.id, id },
        ids: kind.recallIds?.(source, id) ?? [id],
        ...{ createdAt, goneAt: gone?.at ?? null, muted: mark === 'muted' },
        claim: about === null || reward === null ? null : { about, reward },
      })
    }
  const life = lifetimeOf(attempts, items, most)
  const titled = await Promise.all(
    life.items.map(async (item) => {
      const kind = kinds.find(({ info }) => info.id === item.ref.kind)
      return { ...item, title: (await kind?.read(source, item.ref.id))?.title ?? item.ref.id }
    }),
  )
  return { ...life, items: titled }
}
