import type { ItemLife, ItemStanding, Lifetime } from '../../shared/domain/lifetime'
import type { ItemRef } from '../../shared/domain/item'
import type { Trajectory } from '../../shared/domain/trajectory'
import { sum } from '../../shared/figures/mean'

/** An attempt as far as a memory's life tells of it. */
export type LivedAttempt = Pick<
  Trajectory,
  'recalled' | 'reward' | 'ungraded' | 'measured' | 'finishedAt'
> & {
  /** Items shown beside those it says it recalled. */
  readonly beside: readonly ItemRef[]
}

/** An item as far as its memory tells without reading its text. */
export interface LivedItem {
  readonly ref: ItemRef
  /** Every id under which attempts name it. */
  readonly ids: readonly string[]
  readonly createdAt: string
  /** When it went; null while it is there. */
  readonly goneAt: string | null
  readonly muted: boolean
  /** What it is about and how that ended; null where nothing can contradict it. */
  readonly claim: { readonly about: string; readonly reward: number } | null
}

/** Uses after which an item that no task was solved with counts as failing. */
const LATELY = 3

/** What figures count of an attempt; null where nobody could tell. */
const rewardOf = ({ reward, ungraded, measured }: LivedAttempt): 0 | 1 | null =>
  measured ?? (ungraded === undefined ? reward : null)

/** The number of times that are not after `at`; `times` are in order. */
function doneBy(times: readonly string[], at: string): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? '') <= at) low = middle + 1
    else high = middle
  }
  return low
}

type Use = ItemLife['uses'][number]

function standingOf({ goneAt, muted }: LivedItem, uses: readonly Use[], tasks: number): ItemStanding {
  if (goneAt !== null) return 'gone'
  if (muted) return 'muted'
  const last = uses.at(-1)
  if (!last) return 'unused'
  if (last.at < tasks - Math.max(1, Math.floor(tasks / 3))) return 'fading'
  const lately = uses.filter(({ reward }) => reward !== null).slice(-LATELY)
  return lately.length === LATELY && lately.every(({ reward }) => reward === 0) ? 'failing' : 'carrying'
}

/** When a newer claim about the same came that ended otherwise, by the item's key; the first of them. */
function contradictions(items: readonly LivedItem[]): Map<LivedItem, string> {
  const byAbout = new Map<string, LivedItem[]>()
  for (const item of items)
    if (item.claim) byAbout.set(item.claim.about, [...(byAbout.get(item.claim.about) ?? []), item])
  const matchTextMap = new Map<LivedItem, string>()
  for (const group of byAbout.values())
    for (const item of group) {
      const against = group
        .filter((other) => other.createdAt > item.createdAt && other.claim?.reward !== item.claim?.reward)
        .map(({ createdAt }) => createdAt)
        .sort()
      if (against[0] !== undefined) matchTextMap.set(item, against[0])
    }
  return matchTextMap
}

/**
 * The life of a memory from its attempts, in the order they were made, and its items. The `most` items that carried most tasks are told of, without
 * their titles. An item that an attempt was shown twice counts once.
 */
export function lifetimeOf(
  attempts: readonly LivedAttempt[],
  items: readonly LivedItem[],
  most: number,
): Omit<Lifetime, 'items'> & { readonly items: readonly Omit<ItemLife, 'title'>[] } {
  const times = attempts.map(({ finishedAt }) => finishedAt)
  const uses = new Map<string, Use[]>()
  attempts.forEach((attempt, at) => {
    const reward = rewardOf(attempt)
    for (const key of new Set(
      [...attempt.recalled, ...attempt.beside].map(({ kind, id }) => `${kind} ${id}`),
    ))
      uses.set(key, [...(uses.get(key) ?? []), { at, reward }])
  })
  const against = contradictions(items)
  const lives = items.map((item): Omit<ItemLife, 'title'> => {
    const own = item.ids
      .flatMap((id) => uses.get(`${item.ref.kind} ${id}`) ?? [])
      .sort((a, b) => a.at - b.at)
      .filter(({ at }, i, all) => at !== all[i - 1]?.at)
    const contradictedAt = against.get(item)
    return {
      ref: item.ref,
      learned: doneBy(times, item.createdAt),
      left: item.goneAt === null ? null : doneBy(times, item.goneAt),
      uses: own,
      carried: own.filter(({ reward }) => reward === 1).length,
      contradicted: contradictedAt === undefined ? null : doneBy(times, contradictedAt),
      standing: standingOf(item, own, attempts.length),
    }
  })
  const standings: Lifetime['standings'] = {}
  for (const { standing } of lives) standings[standing] = (standings[standing] ?? 0) + 1
  const change = new Array<number>(attempts.length + 2).fill(0)
  for (const { learned, left } of lives) {
    change[learned] = (change[learned] ?? 0) + 1
    if (left !== null) change[left] = (change[left] ?? 0) - 1
  }
  let heldCount = change[0] ?? 0
  const ordered = [...lives].sort(
    (a, b) => b.carried - a.carried || b.uses.length - a.uses.length || a.learned - b.learned,
  )
  return {
    tasks: attempts.length,
    // Once task i is done, i + 1 are.
    size: attempts.map((_, i) => (heldCount += change[i + 1] ?? 0)),
    tokens: attempts.map(({ recalled }) => sum(recalled.map(({ tokens }) => tokens))),
    rewards: attempts.map(rewardOf),
    standings,
    items: ordered.slice(0, most),
    more: Math.max(0, ordered.length - most),
  }
}
