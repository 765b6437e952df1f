import { useDeferredValue, useMemo } from 'react'
import { useStore } from 'zustand'
import { useServices } from '../../stores/use-services'
import { titleIn } from './choices'
import { buildFigure, MOST_BANDS } from './figure'
import { methodColour } from '../../components/method-colours'
import { lineLooks } from './line-looks'
import { buildSeries, canJoin } from './series'
import { stepsInAverage } from '../../../shared/figures/smoothing'
import { summarize } from './summary'
import { formatDelta, formatRate, isSmoothed, leftOutWords, MEASURES } from './words'

/** What the bands are, where they are drawn. */
function bandWords(lines: 'mean' | 'runs' | 'pooled', count: number): string {
  if (count > MOST_BANDS)
    return `Point at a line to bring it forward; points and bands are drawn for up to ${MOST_BANDS} lines.`
  if (lines === 'runs') return ''
  return `Band: 95 % bootstrap interval over the seeds${lines === 'pooled' ? ' and streams' : ''}.`
}

/** Everything the screen shows, computed from the curves and the controls, each part only when what it needs has changed. */
export function useFigure() {
  const { curves, methods, streams } = useServices()
  const data = useStore(curves, (state) => state.curves)
  const now = useStore(curves, (state) => state.controls)
  // Sliding and switching stay quick while a heavy figure is being computed.
  const controls = useDeferredValue(now)
  const methodList = useStore(methods, (state) => state.data)
  const streamList = useStore(streams, (state) => state.data)
  const { lines, join, baseline, measure, axis, smoothing, points, difference, hidden } = controls

  const series = useMemo(
    () =>
      buildSeries(data, {
        lines,
        join,
        titleOf: (method) => titleIn(methodList, method),
        streamTitleOf: (stream) => titleIn(streamList, stream),
      }),
    [data, lines, join, methodList, streamList],
  )
  const joinable = useMemo(() => canJoin(data), [data])
  const looks = useMemo(
    () => lineLooks(series, (method) => methodColour(methodList, method)),
    [series, methodList],
  )
  const hiddenKeys = useMemo(() => new Set(hidden), [hidden])
  const serieses = useMemo(() => series.filter(({ key }) => !hiddenKeys.has(key)), [series, hiddenKeys])
  const summaries = useMemo(() => summarize(series, series, baseline), [series, baseline])
  const rows = useMemo(
    () => summaries.filter((row) => !hiddenKeys.has(row.series.key)),
    [summaries, hiddenKeys],
  )
  const figure = useMemo(
    () => buildFigure(serieses, series, looks, { measure, axis, smoothing, points, baseline, difference }),
    [serieses, series, looks, measure, axis, smoothing, points, baseline, difference],
  )
  const legend = figure.lines.map(({ series: { key } }) => {
    const row = rows.find((candidate) => candidate.series.key === key)
    if (!row) return ''
    const { label, detail } = row.series
    const against = row.baseline
      ? `, ${formatDelta(row.delta)} points to ${row.baseline.label}, n = ${row.delta.n}`
      : ''
    const restText = leftOutWords(row.series)
    return `${label}${detail ? ` (${detail})` : ''}: solved ${formatRate(row.rate)}, n = ${row.rate.n}${against}${restText ? `; ${restText}` : ''}`
  })
  const average =
    isSmoothed(measure) && smoothing > 0
      ? `Moving average over about ${stepsInAverage(smoothing)} tasks, corrected for its start. `
      : `${MEASURES[measure].detail}. `
  const against = difference ? 'Difference to the baseline, paired by seed. ' : ''
  const lead = `${against}${average}${bandWords(lines, figure.lines.length)}`
  return {
    series,
    shown: serieses,
    rows,
    summaries,
    figure,
    looks,
    hiddenKeys,
    joinable,
    legend,
    lead: lead.trim(),
  }
}
