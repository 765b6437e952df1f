import type { ItemRecalls, ItemRef } from '../../../shared/domain/item'
import type { Trajectory } from '../../../shared/domain/trajectory'
import type { ItemReported } from './events'

interface Counted {
  recalled: number
  judged: number
  helped: number
  lastAt: string
  tokens: number | null
  /** Uses that programs reported; absent where none did. */
  reports?: Set<string>
  /** The last verdict, 1 or 0, on each attempt of an ask that was shown it; absent where none was. */
  verdicts?: Map<string, number>
}

/** How often each item was shown and how those attempts went, by kind and id. */
export type Recalls = Map<string, Counted>

const keyOf = (kind: string, id: string): string => `${kind} ${id}`

const NEVER: ItemRecalls = { recalled: 0, judged: 0, helped: 0, lastAt: null, tokens: null }

/**
 * Counts an attempt for every item it was shown, `beside` those it says it recalled; one that was shown twice counts once. Where a person judges
 * the same attempt anew, the new verdict takes the place of the old one.
 */
export function countRecalls(
  recalls: Recalls,
  { recalled, reward, ungraded, finishedAt, verdictOn }: Trajectory,
  beside: readonly ItemRef[],
): void {
  if (recalled.length === 0 && beside.length === 0) return
  const judgement = ungraded === undefined ? 1 : 0
  const seenSet = new Set<string>()
  for (const { kind, id, tokens } of [...recalled, ...beside.map((ref) => ({ ...ref, tokens: null }))]) {
    const key = keyOf(kind, id)
    if (seenSet.has(key)) continue
    seenSet.add(key)
    const record: Counted = recalls.get(key) ?? { ...NEVER, lastAt: finishedAt }
    recalls.set(key, record)
    const before = verdictOn === undefined ? undefined : record.verdicts?.get(verdictOn)
    if (before === undefined) {
      record.recalled++
      record.judged += judgement
    }
    record.helped += judgement * reward - (before ?? 0)
    if (verdictOn !== undefined) (record.verdicts ??= new Map()).set(verdictOn, reward)
    record.lastAt = finishedAt
    record.tokens = tokens ?? record.tokens
  }
}

/** Whether a use of an item was reported before. */
export const isReported = (recalls: Recalls, { of, itemId, useId }: ItemReported): boolean =>
  recalls.get(keyOf(of, itemId))?.reports?.has(useId) === true

/** Counts what a program says of an item it was shown; the same use counts once. */
export function countReport(recalls: Recalls, event: ItemReported): void {
  if (isReported(recalls, event)) return
  const key = keyOf(event.of, event.itemId)
  const record: Counted = recalls.get(key) ?? { ...NEVER, lastAt: event.at }
  recalls.set(key, record)
  record.recalled++
  record.judged++
  record.helped += event.helped ? 1 : 0
  record.lastAt = event.at
  record.reports ??= new Set()
  record.reports.add(event.useId)
}

/** How an item did so far, under all the ids that attempts name it by. */
export const recallsOf = (recalls: Recalls, kind: string, ids: readonly string[]): ItemRecalls =>
  ids
    .flatMap((id) => recalls.get(keyOf(kind, id)) ?? [])
    .reduce<ItemRecalls>(
      (sum, one) => ({
        recalled: sum.recalled + one.recalled,
        judged: sum.judged + one.judged,
        helped: sum.helped + one.helped,
        ...(sum.lastAt === null || one.lastAt > sum.lastAt
          ? { lastAt: one.lastAt, tokens: one.tokens ?? sum.tokens }
          : { lastAt: sum.lastAt, tokens: sum.tokens }),
      }),
      NEVER,
    )
