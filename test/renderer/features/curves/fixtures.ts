import type { RunCurve } from '../../../../src/shared/domain/curve'
import { buildSeries, type Series, type SeriesOptions } from '../../../../src/renderer/features/curves/series'

/** The curve of a made-up run; group and settings follow from name, Exp and stream unless they are given. */
export function runCurve(change: Partial<RunCurve> & { rewards: string }): RunCurve {
  const name = change.name ?? 'case-bank'
  const exp = change.exp === undefined ? 4 : change.exp
  const stream = change.stream ?? 'house-rules-a'
  const seed = change.seed ?? 1
  const length = change.rewards.length
  const group = `${change.experimentId ?? 'single'} ${name} ${exp} ${stream}`
  return {
    runId: `${group} ${seed}`,
    experimentId: null,
    experimentName: null,
    name,
    method: name,
    exp,
    seed,
    stream,
    model: 'demo',
    memoryId: `memory of ${group} ${seed}`,
    follows: 0,
    createdAt: '2026-01-01T00:00:00.000Z',
    status: 'done',
    total: length,
    tokens: Array.from({ length }, () => 100),
    ms: Array.from({ length }, () => 60_000),
    rounds: Array.from({ length }, () => 2),
    overflows: 0,
    markers: [],
    settings: [
      { name: 'Experiment', value: change.experimentName ?? 'none' },
      { name: 'Method', value: name },
      { name: 'K', value: String(exp ?? 0) },
      { name: 'Stream', value: stream },
      { name: 'Model', value: 'demo' },
      { name: 'Temperature', value: '0.2' },
      { name: 'Seed', value: String(seed) },
    ],
    group,
    baseline: 'none',
    figures: { forgetting: null, passRates: [], skills: [] },
    ...change,
  }
}

export const OPTIONS: SeriesOptions = {
  lines: 'mean',
  join: false,
  titleOf: (method) => method,
  streamTitleOf: (stream) => stream,
}

/** The series of runs with everything at its default. */
export const seriesOf = (curves: readonly RunCurve[], change: Partial<SeriesOptions> = {}): Series[] =>
  buildSeries(curves, { ...OPTIONS, ...change })
