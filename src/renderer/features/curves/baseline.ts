import { AUTO_BASELINE } from '../../../shared/domain/curve'
import type { Series } from './series'
import type { Track } from './track'

/**
 * What a series is compared with; null for nothing, and for the baseline itself. `choice` is a series' key, null, or
 * `AUTO_BASELINE`: the baseline its own experiment names (for single runs the method `none`) on the same stream and model, with the
 * same K where it takes one.
 */
export function baselineOf(item: Series, series: readonly Series[], choice: string | null): Series | null {
  if (choice === null) return null
  if (choice !== AUTO_BASELINE) {
    const chosenSeries = series.find(({ key }) => key === choice) ?? null
    return chosenSeries?.key === item.key ? null : chosenSeries
  }
  const { head } = item
  if (head.baseline === null || head.name === head.baseline) return null
  const uniformFields = series.filter(
    (other) =>
      other.head.name === head.baseline &&
      other.head.experimentId === head.experimentId &&
      other.head.stream === head.stream &&
      other.head.model === head.model &&
      other.head.total === head.total,
  )
  const sameSeed = uniformFields.filter((other) =>
    other.tracks.some(({ seed }) => seed === item.tracks[0]?.seed),
  )
  const candidates = sameSeed.length > 0 ? sameSeed : uniformFields
  return (
    candidates.find((other) => other.head.exp === head.exp) ??
    (candidates.length === 1 ? (candidates[0] ?? null) : null)
  )
}

const streamOf = (track: Track): string | undefined => track.parts[0]?.run.stream

/** The tracks of both with the same seed, side by side; where one is over several streams, with the same stream too. */
export function pairs(item: Series, baseline: Series) {
  const isPooled = [item, baseline].some(({ tracks }) => new Set(tracks.map(streamOf)).size > 1)
  return item.tracks.flatMap((track) => {
    const other = baseline.tracks.find(
      (one) => one.seed === track.seed && (!isPooled || streamOf(one) === streamOf(track)),
    )
    return other ? [{ track, other }] : []
  })
}
