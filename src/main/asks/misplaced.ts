import { LEAST_LIKENESS, likeness } from '../../core/retrieval/likeness'
import { specOf } from '../../shared/domain/ask'
import type { ItemRef } from '../../shared/domain/item'
import type { AskEntry } from './ask-entry'
import type { AskTry } from './play-ask'

/** An item that was recalled where it did not belong. */
interface Misplacement {
  readonly item: ItemRef
  /** What was asked there. */
  readonly text: string
}

/** Those of an ask's tries with a memory. */
const misplacementsOf = ({ state: { ask, attempts } }: AskEntry, memoryId: string): Misplacement[] =>
  attempts.flatMap((attempt) => {
    const spec = specOf(ask, attempt)
    return spec.memoryId === memoryId ? attempt.misplaced.map((item) => ({ item, text: spec.text })) : []
  })

/** A try that is not shown what did not belong to asks about the same, of all that there are. */
export function withoutMisplaced(one: AskTry, all: Iterable<AskEntry>): AskTry {
  const { spec } = one.ask
  // In a world what is recalled is shown as past attempts, which are about its tasks anyway.
  if (spec.world !== null) return one
  const key = ({ kind, id }: ItemRef): string => `${kind} ${id}`
  const excluded = new Set(
    [...all]
      .flatMap((entry) => misplacementsOf(entry, spec.memoryId))
      .filter(({ text }) => likeness(spec.text, text) >= LEAST_LIKENESS)
      .map(({ item }) => key(item)),
  )
  if (excluded.size === 0) return one
  const { shows } = one
  return { ...one, shows: (item) => !excluded.has(key(item)) && (shows?.(item) ?? true) }
}
