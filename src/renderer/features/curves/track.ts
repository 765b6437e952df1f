import type { CurveAxis, CurveMarker, CurveMeasure, RunCurve } from '../../../shared/domain/curve'
import { distinctSamples, runSignature } from '../../../shared/figures/estimate'
import { LONG_RECENT, movingRate, runningSum } from '../../../shared/figures/rates'
import { debiasedAverage } from '../../../shared/figures/smoothing'

/** What one line is made of: the steps of a run, or of several runs in one memory one after another. */
export interface Track {
  /** The run's id; of joined runs, the first one's. */
  readonly id: string
  readonly seed: number
  readonly rewards: readonly (0 | 1)[]
  readonly tokens: readonly number[]
  readonly ms: readonly number[]
  readonly rounds: readonly (number | null)[]
  readonly markers: readonly CurveMarker[]
  /** Which run each stretch of steps belongs to, in order; `from` is the place of its first step. */
  readonly parts: readonly { readonly run: RunCurve; readonly from: number }[]
}

/** The track of one run. */
function trackOf(run: RunCurve): Track {
  return {
    id: run.runId,
    seed: run.seed,
    rewards: Array.from(run.rewards, (letter) => (letter === '1' ? 1 : 0)),
    tokens: run.tokens,
    ms: run.ms,
    rounds: run.rounds,
    markers: run.markers,
    parts: [{ run, from: 0 }],
  }
}

/** What tells a track from those of other seeds: equal where the seed changed nothing. */
export const signatureOf = ({ rewards, tokens }: Track): string => runSignature({ rewards, tokens })

/** How many of several tracks, or pairs of them, are samples of their own. */
export const distinctTracks = (tracks: readonly (readonly Track[])[]): number =>
  distinctSamples(tracks.map((each) => each.map(signatureOf).join(' - ')))

/** Runs one after another as one track, oldest first, with a marker where each begins. */
export function joinTracks(runs: readonly RunCurve[]): Track | null {
  const [first, ...later] = [...runs].sort((a, b) => a.createdAt.localeCompare(b.createdAt)).map(trackOf)
  if (!first) return null
  return later.reduce<Track>((track, next, place) => {
    const from = track.rewards.length
    const begins: CurveMarker = { at: from, kind: 'run', label: `Run ${place + 2} begins` }
    return {
      id: track.id,
      seed: track.seed,
      rewards: [...track.rewards, ...next.rewards],
      tokens: [...track.tokens, ...next.tokens],
      ms: [...track.ms, ...next.ms],
      rounds: [...track.rounds, ...next.rounds],
      markers: [
        ...track.markers,
        begins,
        ...next.markers.map((marker) => ({ ...marker, at: marker.at + from })),
      ],
      parts: [...track.parts, ...next.parts.map((part) => ({ ...part, from: part.from + from }))],
    }
  }, first)
}

/** The run and the place in it that a step of the track stands for. */
export function stepAt(
  track: Track,
  step: number,
): { readonly run: RunCurve; readonly index: number } | null {
  const part = track.parts.findLast(({ from }) => from <= step)
  if (!part || step < 0 || step >= track.rewards.length) return null
  return { run: part.run, index: step - part.from }
}

/** The value of each step before smoothing; NaN where it is not known. */
export function rawValues(track: Track, measure: CurveMeasure): number[] {
  switch (measure) {
    case 'success':
    case 'window':
    case 'cumulative':
      return [...track.rewards]
    case 'tokens':
      return [...track.tokens]
    case 'rounds':
      return track.rounds.map((rounds) => rounds ?? Number.NaN)
  }
}

/** What the line shows per step: computed over the whole series, before anything is thinned out for drawing. */
export function lineValues(track: Track, measure: CurveMeasure, weight: number): number[] {
  switch (measure) {
    case 'window':
      return movingRate(track.rewards, LONG_RECENT)
    case 'cumulative':
      return runningSum(track.rewards)
    case 'success':
    case 'tokens':
    case 'rounds':
      return debiasedAverage(rawValues(track, measure), weight)
  }
}

/** Where each step lies on the axis: tasks from 1, tokens spent and minutes worked up to its end. */
export function axisValues(track: Track, axis: CurveAxis): number[] {
  switch (axis) {
    case 'task':
      return track.rewards.map((_, index) => index + 1)
    case 'tokens':
      return runningSum(track.tokens)
    case 'time':
      return runningSum(track.ms).map((ms) => ms / 60_000)
  }
}
