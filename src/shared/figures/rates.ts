import { mean, sum } from './mean'

/** The reward of each attempt in the order they were made: 1 solved, 0 not. */
export type Rewards = readonly number[]

/** Share of attempts solved, in [0, 1]; 0 for none. */
export const successRate = (rewards: Rewards): number => mean(rewards) ?? 0

/** Attempts in a third of a stream: n / 3 rounded down, at least 1 (0 for an empty stream). The middle takes what is left over. */
export const thirdOf = (count: number): number => Math.min(count, Math.max(1, Math.floor(count / 3)))

/** Success rate over the first third of the attempts, in [0, 1]; 0 for none. */
export const firstThirdRate = (rewards: Rewards): number =>
  successRate(rewards.slice(0, thirdOf(rewards.length)))

/** Success rate over the last third of the attempts, in [0, 1]; 0 for none. */
export const lastThirdRate = (rewards: Rewards): number =>
  successRate(rewards.slice(rewards.length - thirdOf(rewards.length)))

/** Success rates of the first and the last third; null below three attempts, where the thirds would be the same ones. */
export const thirds = (rewards: Rewards): { readonly first: number; readonly last: number } | null =>
  rewards.length < 3 ? null : { first: firstThirdRate(rewards), last: lastThirdRate(rewards) }

/** Attempts a rate "as of now" looks back over: in the run's own chart, and in the longer curves. */
export const RECENT = 20
export const LONG_RECENT = 100

/** A success rate and the attempts it is really taken over, which may be fewer than were asked for. */
export interface RateOver {
  /** In [0, 1]; null for no attempts. */
  readonly rate: number | null
  /** Attempts in the rate: at most the window. Never the length of the run. */
  readonly n: number
  /** What it is over, in words: `last 20 tasks`, or `all 12 tasks` while there are fewer. */
  readonly label: string
}

/** Success rate of the last `window` attempts (default `RECENT`), with the number it is over and the words for it. */
export function recentRate(rewards: Rewards, window = RECENT): RateOver {
  const recent = rewards.slice(-Math.max(1, Math.floor(window)))
  const n = recent.length
  const tasks = n === 1 ? 'task' : 'tasks'
  const label = n === 0 ? 'no tasks yet' : n < rewards.length ? `last ${n} ${tasks}` : `all ${n} ${tasks}`
  return { rate: mean(recent), n, label }
}

/** Per attempt, the success rate over the last `window` attempts up to it (over fewer at the start), each in [0, 1]. */
export function movingRate(rewards: Rewards, window: number): number[] {
  const width = Math.max(1, Math.floor(window))
  let solved = 0
  return rewards.map((reward, i) => {
    solved += reward - (i >= width ? (rewards[i - width] ?? 0) : 0)
    return solved / Math.min(i + 1, width)
  })
}

/** Per step, the sum of all values up to it. */
export function runningSum(values: readonly number[]): number[] {
  let total = 0
  return values.map((value) => (total += value))
}

/** Attempts solved. */
export const solvedIn = (rewards: Rewards): number => sum(rewards)
