import { RECENT, type Rewards } from '../../../shared/figures/rates'
import { rateCurve, type RatePoint } from '../../../shared/figures/wilson'

/** What a learning curve's points are rates over: the last `RECENT` tasks, or all so far. */
export type CurveKind = 'window' | 'all'

/** The success rate after each task, with its interval. */
export const curveOf = (rewards: Rewards, kind: CurveKind): RatePoint[] =>
  rateCurve(rewards, kind === 'window' ? RECENT : null)

/** What the last point of a curve over `finished` tasks is a rate of: `n = 12`, `last 20 of 120`. */
export function overWords(finished: number, kind: CurveKind): string {
  return kind === 'window' && finished > RECENT ? `last ${RECENT} of ${finished}` : `n = ${finished}`
}

/** Tasks before a line starts: a rate over fewer says nothing. */
export const FIRST_DRAWN = 5

/** Moves labels apart so that none is nearer than `gap`; keeps their order and stays within [min, max]. */
export function spread(positions: readonly number[], gap: number, min: number, max: number): number[] {
  const order = positions.map((y, index) => ({ y, index })).sort((a, b) => a.y - b.y)
  let floor = min
  for (const item of order) {
    item.y = Math.max(item.y, floor)
    floor = item.y + gap
  }
  let ceiling = max
  for (const item of order.toReversed()) {
    item.y = Math.min(item.y, ceiling)
    ceiling = item.y - gap
  }
  const placed = new Array<number>(positions.length).fill(0)
  for (const item of order) placed[item.index] = item.y
  return placed
}
