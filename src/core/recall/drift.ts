/** A drift detector as it is kept in a checkpoint: the sum, and attempts since it was last 0. */
export type SavedDrift = readonly [sum: number, since: number]

export type DriftWatch = ReturnType<typeof watchDrift>

/** What an attempt may fall short of expectation without counting, and the sum that is an alarm. */
const ALLOWANCE = 0.15
const ALARM = 1.7

/** Page's one-sided CUSUM over expectation minus reward: an alarm when attempts go worse than expected for some time. */
export function watchDrift(saved: SavedDrift = [0, 0]) {
  let [sum, since] = saved
  return {
    /** One more attempt: what was expected of it minus what came. Answers since how many attempts things go worse, else null. */
    step(shortfall: number): number | null {
      sum = Math.max(0, sum + shortfall - ALLOWANCE)
      since = sum === 0 ? 0 : since + 1
      if (sum < ALARM) return null
      const began = since
      sum = 0
      since = 0
      return began
    },
    save: (): SavedDrift => [sum, since],
  }
}
