/** 1 or 0 per finished task, in stream order. */
export type Curve = readonly (0 | 1)[]

/** Share of ones in [0, 1]; 0 for no tasks. */
export const successRate = (curve: Curve): number =>
  curve.length === 0 ? 0 : curve.reduce<number>((sum, reward) => sum + reward, 0) / curve.length

/** Tasks in a third of a run: a third rounded down, but at least one. */
const thirdOf = (curve: Curve): number => Math.max(1, Math.floor(curve.length / 3))

/** Success rate over the first third of the tasks. */
export const firstThirdRate = (curve: Curve): number => successRate(curve.slice(0, thirdOf(curve)))

/** Success rate over the last third of the tasks. */
export const lastThirdRate = (curve: Curve): number => successRate(curve.slice(-thirdOf(curve)))

/** Per task, the success rate over the last `window` tasks up to it (over fewer at the start). */
export function movingRate(curve: Curve, window: number): number[] {
  return curve.map((_, i) => successRate(curve.slice(Math.max(0, i + 1 - window), i + 1)))
}

/** Per task, the success rate over all tasks up to it. */
export function cumulativeRate(curve: Curve): number[] {
  let solved = 0
  return curve.map((reward, i) => (solved += reward) / (i + 1))
}
