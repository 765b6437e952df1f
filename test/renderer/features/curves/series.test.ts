import { describe, expect, it } from 'vitest'
import { baselineOf, pairs } from '../../../../src/renderer/features/curves/baseline'
import { lineLooks } from '../../../../src/renderer/features/curves/line-looks'
import { canJoin } from '../../../../src/renderer/features/curves/series'
import { settingsTable } from '../../../../src/renderer/features/curves/settings-view'
import { stepAt } from '../../../../src/renderer/features/curves/track'
import { runCurve, seriesOf } from './fixtures'

describe('series', () => {
  it('puts seeds of one group together, or draws each run', () => {
    const runs = [1, 2, 3].map((seed) => runCurve({ rewards: '0101', seed }))
    const [mean, ...others] = seriesOf(runs)
    expect(others).toEqual([])
    expect(mean?.tracks.map(({ seed }) => seed)).toEqual([1, 2, 3])
    expect(seriesOf(runs, { lines: 'runs' }).map(({ detail }) => detail)).toEqual([
      'seed 1',
      'seed 2',
      'seed 3',
    ])
  })

  it('puts seeds and streams of a method together, each pair of them a sample, and pairs them with the baseline’s', () => {
    const runs = ['house-rules-a', 'house-rules-b'].flatMap((stream) =>
      [1, 2].flatMap((seed) => [
        runCurve({ rewards: seed === 1 ? '01' : '11', seed, stream }),
        runCurve({ rewards: '00', seed, stream, name: 'none', exp: null }),
      ]),
    )
    const [memory, none, ...others] = seriesOf(runs, { lines: 'pooled' })
    expect(others).toEqual([])
    expect(memory?.tracks).toHaveLength(4)
    expect(memory?.left.repeated).toBe(0)
    if (!memory || !none) throw new Error('two series')
    const streams = pairs(memory, none).map(({ track, other }) => [
      track.parts[0]?.run.stream,
      other.parts[0]?.run.stream,
    ])
    expect(streams).toHaveLength(4)
    for (const [one, other] of streams) expect(one).toBe(other)
  })

  it('names only what tells series apart', () => {
    const found = seriesOf([
      runCurve({ rewards: '1', exp: 1 }),
      runCurve({ rewards: '1', exp: 4 }),
      runCurve({ rewards: '1', exp: 4, stream: 'house-rules-b' }),
      runCurve({ rewards: '1', name: 'none', exp: null }),
    ])
    expect(found.map(({ label, detail }) => [label, detail])).toEqual([
      ['case-bank', 'K 1, house-rules-a'],
      ['case-bank', 'K 4, house-rules-a'],
      ['case-bank', 'K 4, house-rules-b'],
      ['none', ''],
    ])
  })

  it('leaves out of the means what the report leaves out, and says so', () => {
    const [series] = seriesOf([
      runCurve({ rewards: '11', seed: 1 }),
      runCurve({ rewards: '11', seed: 2, overflows: 1 }),
      runCurve({ rewards: '1', seed: 3, status: 'cancelled' }),
      runCurve({ rewards: '10', seed: 1, runId: 'again', createdAt: '2026-02-01T00:00:00.000Z' }),
      runCurve({ rewards: '', seed: 4 }),
    ])
    expect(series?.tracks.map(({ id }) => id)).toEqual(['again'])
    expect(series?.left).toEqual({ oom: 1, stopped: 1, repeated: 1 })
  })

  it('shows what is left out when there is nothing else', () => {
    const [series] = seriesOf([runCurve({ rewards: '11', overflows: 1 })])
    expect(series?.tracks).toHaveLength(1)
    expect(series?.left.oom).toBe(1)
  })

  it('keeps its keys when more tasks are done', () => {
    const before = seriesOf([runCurve({ rewards: '01' })])
    const after = seriesOf([runCurve({ rewards: '0111' })])
    expect(after.map(({ key }) => key)).toEqual(before.map(({ key }) => key))
  })

  it('joins runs of one memory, with markers where a run begins or the model changes', () => {
    const runs = [
      runCurve({
        rewards: '01',
        runId: 'late',
        memoryId: 's',
        createdAt: '2026-02-02T00:00:00.000Z',
        group: 'b',
        markers: [{ at: 0, kind: 'model', label: 'Model: a → b' }],
      }),
      runCurve({ rewards: '110', runId: 'early', memoryId: 's', group: 'a' }),
    ]
    expect(canJoin(runs)).toBe(true)
    const [life, ...others] = seriesOf(runs, { join: true })
    expect(others).toEqual([])
    const [track] = life?.tracks ?? []
    expect(track?.rewards).toEqual([1, 1, 0, 0, 1])
    expect(track?.markers.map(({ at, kind }) => [at, kind])).toEqual([
      [3, 'run'],
      [3, 'model'],
    ])
    expect(track && stepAt(track, 4)).toMatchObject({ index: 1, run: { runId: 'late' } })
    expect(track && stepAt(track, 5)).toBeNull()
  })
})

describe('baseline', () => {
  const cell = { experimentId: 'e', experimentName: 'E', rewards: '1100' }
  const series = seriesOf([
    runCurve({ ...cell, name: 'none', exp: null }),
    runCurve({ ...cell, name: 'replay', exp: 1, baseline: 'replay' }),
    runCurve({ ...cell, exp: 1 }),
    runCurve({ ...cell, exp: 1, experimentId: 'other', experimentName: 'Other' }),
  ])
  const [none, replay, own, foreign] = series

  it('is by itself the one the experiment names, within the same experiment', () => {
    expect(own && baselineOf(own, series, 'auto')?.key).toBe(none?.key)
    expect(none && baselineOf(none, series, 'auto')).toBeNull()
    expect(foreign && baselineOf(foreign, series, 'auto')).toBeNull()
  })

  it('can be chosen, or be none', () => {
    expect(own && baselineOf(own, series, replay?.key ?? '')?.key).toBe(replay?.key)
    expect(own && baselineOf(own, series, null)).toBeNull()
    expect(own && baselineOf(own, series, 'gone')).toBeNull()
  })
})

it('one method has one colour, and dashes tell its lines apart', () => {
  const series = seriesOf([1, 4, 16].map((exp) => runCurve({ rewards: '1', exp })))
  const looks = [...lineLooks(series, () => '--series-2').values()]
  expect(new Set(looks.map(({ colour }) => colour)).size).toBe(1)
  expect(new Set(looks.map(({ dash }) => dash.join())).size).toBe(3)
})

it('the settings table knows what differs', () => {
  const rows = settingsTable(
    seriesOf([
      runCurve({ rewards: '1', exp: 1 }),
      runCurve({ rewards: '1', exp: 4 }),
      runCurve({ rewards: '1', exp: 4, seed: 2 }),
    ]),
  )
  expect(rows.filter(({ differs }) => differs).map(({ name, values }) => [name, ...values])).toEqual([
    ['K', '1', '4'],
    ['Seed', '1', '1, 2'],
  ])
})
