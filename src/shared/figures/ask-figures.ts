import type { AskPoint } from '../domain/ask-curve'
import { mean } from './mean'
import { movingRate, RECENT } from './rates'
import { wilson, type RatePoint } from './wilson'

/** Everyday work in figures. */
export interface AskFigures {
  readonly asks: number
  readonly judged: number
  /** Judged right; partly right is not. */
  readonly right: number
  /** Share right of the judged with its interval; null while none is judged. */
  readonly rate: RatePoint | null
  /** Mean tokens and milliseconds per ask; null for none. */
  readonly tokens: number | null
  readonly ms: number | null
}

/** What a list of points comes to. */
export function askFigures(points: readonly AskPoint[]): AskFigures {
  const judgements = points.filter(({ right }) => right !== null)
  const right = judgements.filter((point) => point.right === 1).length
  return {
    asks: points.length,
    judged: judgements.length,
    right,
    rate: judgements.length === 0 ? null : wilson(right, judgements.length),
    tokens: mean(points.map(({ tokens }) => tokens)),
    ms: mean(points.map(({ ms }) => ms)),
  }
}

/**
 * Per point, the share right over the last `window` judged ones up to it (default `RECENT`), in [0, 1]. An ask that nobody judged neither
 * raises nor lowers it: it repeats the value before, null while none was judged.
 */
export function rightSoFar(points: readonly AskPoint[], window = RECENT): (number | null)[] {
  const rates = movingRate(
    points.flatMap(({ right }) => (right === null ? [] : [right === 1 ? 1 : 0])),
    window,
  )
  let judgedCount = 0
  return points.map(({ right }) => {
    if (right !== null) judgedCount++
    return judgedCount === 0 ? null : (rates[judgedCount - 1] ?? null)
  })
}
