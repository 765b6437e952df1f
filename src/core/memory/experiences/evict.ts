import { usesOf, type ExperienceEntry } from './fold'

/** What keeps an experience, and how much of it. The weights count against their sum. */
export interface EvictionPolicy {
  /** Weight of the utility u_j that its uses taught. */
  readonly utility: number
  /** Weight of how lately it was used or came. */
  readonly recency: number
  /** Weight of how often it was used. */
  readonly frequency: number
  /** Weight of other frameworks that it helped in. */
  readonly transfer: number
  /** Days after which what recency gives is halved. */
  readonly halfLifeDays: number
}
/** Other frameworks helped in that count as much as can be. */
const MOST_TRANSFERS = 3

type Entry = Omit<ExperienceEntry, 'at'>

/**
 * How much an experience is worth keeping, in [0, 1]: utility u_j, recency of its last use (or its coming), how often it was
 * used against the most used one, and in how many other frameworks it helped.
 */
export function worth(entry: Entry, mostUses: number, now: Date, policy: EvictionPolicy): number {
  const age = Math.max(0, now.getTime() - Date.parse(entry.lastUsedAt ?? entry.createdAt)) / 86_400_000
  const recency = 0.5 ** (age / policy.halfLifeDays)
  const frequency = mostUses === 0 ? 0 : Math.log1p(usesOf(entry)) / Math.log1p(mostUses)
  const transfer = Math.min(1, entry.transfers.size / MOST_TRANSFERS)
  const weights = policy.utility + policy.recency + policy.frequency + policy.transfer
  if (weights === 0) return entry.utility
  const whole =
    policy.utility * entry.utility +
    policy.recency * recency +
    policy.frequency * frequency +
    policy.transfer * transfer
  return whole / weights
}

/** Which of the live experiences have to leave so that at most `room` stay: the least worth first, the older first among equals. */
export function evictions(
  entries: readonly Entry[],
  room: number,
  now: Date,
  policy: EvictionPolicy,
): { readonly id: string; readonly score: number }[] {
  const live = entries.filter(({ gone }) => gone === null)
  const excess = live.length - Math.max(0, room)
  if (excess <= 0) return []
  const mostUses = live.reduce((most, entry) => Math.max(most, usesOf(entry)), 0)
  return live
    .map((entry) => ({
      id: entry.id,
      createdAt: entry.createdAt,
      score: worth(entry, mostUses, now, policy),
    }))
    .sort((a, b) => a.score - b.score || (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0))
    .slice(0, excess)
    .map(({ id, score }) => ({ id, score }))
}
