import { mean, sum } from './mean'

/** How far a piece of work had come (in its own unit) at a moment (milliseconds on any steady clock). */
interface Sample {
  readonly done: number
  readonly at: number
}

/**
 * Estimates the time left from the recent pace: progress over the last `windowMs` (default 30 s), so that a slow start
 * or a pause does not distort the estimate for long.
 */
export class Pace {
  private samples: Sample[] = []

  constructor(private readonly windowMs = 30_000) {}

  /** Records progress. When `done` goes back (a restart) the pace starts afresh. */
  record(doneCount: number, at: number): void {
    const last = this.samples.at(-1)
    if (last && doneCount < last.done) this.samples = []
    this.samples.push({ done: doneCount, at })
    // One sample older than the window stays, so that the window is always fully covered.
    while (this.samples.length > 2 && (this.samples[1]?.at ?? at) < at - this.windowMs) this.samples.shift()
  }

  /** Milliseconds until `total` at the recent pace as of `at`; null while there is no pace, 0 when finished. */
  etaMs(total: number, at: number): number | null {
    const first = this.samples[0]
    const last = this.samples.at(-1)
    if (!first || !last) return null
    if (last.done >= total) return 0
    const gained = last.done - first.done
    if (gained <= 0) return null
    return Math.max(0, Math.round(((total - last.done) * (last.at - first.at)) / gained - (at - last.at)))
  }
}

/** The part of a finished step that says how long its like take. */
export interface TimedStep {
  /** Wall time in milliseconds, training included. */
  readonly ms: number
  /** Training of a soft prompt before the attempt: it says nothing about how long the next task takes. */
  readonly distilled?: { readonly ms: number } | undefined
  /** Set when no attempt was made, because an earlier pass had solved the task. */
  readonly carried?: boolean | undefined
}

/** Attempts that a run's own pace is measured over: the newest ones, since a growing memory makes later ones slower. */
const PACE_WINDOW = 20

/** Milliseconds per step, trainings left out; null for no steps. */
export const msPerStep = (steps: readonly TimedStep[]): number | null =>
  mean(steps.map(({ ms, distilled }) => ms - (distilled?.ms ?? 0)))

/** Milliseconds per attempt that was really made, with the trainings that came with them; null for none. */
export const msPerAttempt = (steps: readonly TimedStep[]): number | null =>
  mean(steps.filter(({ carried }) => carried !== true).map(({ ms }) => ms))

/** Milliseconds that `left` more steps take at the pace of the newest ones; null before the first step. */
export function timeLeftMs(steps: readonly TimedStep[], remainingCount: number): number | null {
  const pace = msPerStep(steps.slice(-PACE_WINDOW))
  return pace === null ? null : Math.round(pace * remainingCount)
}

/** Milliseconds until several pieces of work are done that share the machine evenly, `width` at a time; null for none. */
export const sharedTimeMs = (pieces: readonly number[], width: number): number | null =>
  pieces.length === 0 ? null : Math.round(sum(pieces) / Math.max(1, Math.min(width, pieces.length)))
