import { describe, expect, it } from 'vitest'
import { forwardTransfer } from '../../../../src/shared/figures/transfer'
import { dataOf, zoomed, nearestLine, valueRange } from '../../../../src/renderer/features/curves/chart-data'
import { chartOptions } from '../../../../src/renderer/features/curves/chart-options'
import { figureCsv } from '../../../../src/renderer/features/curves/csv'
import { drawFigure, niceTicks, pictureSize } from '../../../../src/renderer/features/curves/draw-figure'
import { buildFigure, type FigureOptions } from '../../../../src/renderer/features/curves/figure'
import { lineLooks } from '../../../../src/renderer/features/curves/line-looks'
import { svgPen } from '../../../../src/renderer/features/curves/pen'
import type { Series } from '../../../../src/renderer/features/curves/series'
import { summarize } from '../../../../src/renderer/features/curves/summary'
import { formatDelta, formatRate } from '../../../../src/renderer/features/curves/words'
import { runCurve, seriesOf } from './fixtures'

const PLAIN: FigureOptions = {
  measure: 'success',
  axis: 'task',
  smoothing: 0,
  points: true,
  baseline: 'auto',
  difference: false,
}

const figureOf = (series: readonly Series[], change: Partial<FigureOptions> = {}) =>
  buildFigure(
    series,
    series,
    lineLooks(series, () => '--series-2'),
    { ...PLAIN, ...change },
  )

const two = seriesOf([
  runCurve({ rewards: '0000', name: 'none', exp: null, seed: 1 }),
  runCurve({ rewards: '0101', name: 'none', exp: null, seed: 2 }),
  runCurve({ rewards: '0111', seed: 1 }),
  runCurve({ rewards: '0111', seed: 2 }),
  runCurve({ rewards: '1111', seed: 3 }),
])

describe('figure', () => {
  it('draws the mean over seeds with raw points of the same', () => {
    const { grid, lines, points } = figureOf(two)
    expect(grid).toEqual([1, 2, 3, 4])
    expect(lines.map(({ mean }) => mean)).toEqual([
      [0, 0.5, 0, 0.5],
      [expect.closeTo(1 / 3), 1, 1, 1],
    ])
    expect(lines.map(({ n }) => n[0])).toEqual([2, 3])
    expect(points[0]?.ys).toEqual([0, 0.5, 0, 0.5])
  })

  it.each([
    ['went differently', two],
    [
      'went alike, so that there is no interval',
      seriesOf([1, 2].map((seed) => runCurve({ rewards: '0111', seed }))),
    ],
  ])('gives the chart a column for each of its lines where seeds %s', (_, series) => {
    const figure = figureOf(series)
    const listeners = { moved: () => undefined, zoomed: () => undefined }
    const axis = { stroke: '', font: '', ticks: { show: false } } as const
    const pen = { element: {} as HTMLElement, colour: () => '#000000', axis }
    const { series: lines } = chartOptions(() => ({ figure, zoom: null }), pen, listeners)
    expect(lines).toHaveLength(dataOf(figure).length)
  })

  it('draws differences paired by seed', () => {
    const { lines, points } = figureOf(two, { difference: true })
    expect(lines).toHaveLength(1)
    expect(lines[0]?.baseline?.label).toBe('none')
    expect(lines[0]?.mean).toEqual([0, 0.5, 1, 0.5])
    expect(lines[0]?.n).toEqual([2, 2, 2, 2])
    expect(points).toEqual([])
  })

  it('counts tokens and minutes on a common axis', () => {
    expect(figureOf(two, { axis: 'tokens' }).grid.at(-1)).toBe(400)
    expect(figureOf(two, { axis: 'time' }).grid.at(-1)).toBe(4)
    const { lines } = figureOf(two, { axis: 'tokens', measure: 'cumulative' })
    expect(lines[1]?.mean.at(-1)).toBeCloseTo(10 / 3)
  })

  it('smooths the whole series before anything is left out for drawing', () => {
    const long = seriesOf([runCurve({ rewards: '01'.repeat(1500) })])
    const byTask = figureOf(long, { smoothing: 0.99 })
    const byTokens = figureOf(long, { smoothing: 0.99, axis: 'tokens' })
    expect(byTokens.grid.length).toBeLessThan(byTask.grid.length)
    expect(byTokens.lines[0]?.mean.at(-1)).toBeCloseTo(byTask.lines[0]?.mean.at(-1) ?? -1, 12)
  })

  it('puts markers between the tasks they stand between, once for all seeds', () => {
    const marked = seriesOf(
      [1, 2].map((seed) =>
        runCurve({ rewards: '0101', seed, markers: [{ at: 2, kind: 'iteration', label: 'Iteration 2' }] }),
      ),
    )
    expect(figureOf(marked).markers).toMatchObject([{ x: 2.5, label: 'Iteration 2' }])
  })
})

describe('summary', () => {
  it('has the report’s figures, each with its n', () => {
    const [none, cases] = summarize(two, two, 'auto')
    expect(none?.rate).toEqual({ n: 2, distinct: 2, mean: 0.25, ci95: [0, 0.5] })
    expect(none?.delta.n).toBe(0)
    expect(cases?.delta).toEqual({ n: 2, distinct: 2, mean: 0.5, ci95: [0.25, 0.75] })
    const expected = [
      forwardTransfer([0, 1, 1, 1], [0, 0, 0, 0]),
      forwardTransfer([0, 1, 1, 1], [0, 1, 0, 1]),
    ]
    expect(cases?.forwardTransfer.mean).toBeCloseTo(((expected[0] ?? 0) + (expected[1] ?? 0)) / 2, 12)
    expect(cases?.steps).toMatchObject({ n: 3, mean: 2 })
    expect(cases?.forgetting).toEqual({ n: 0, distinct: 0, mean: null, ci95: null })
    expect(formatRate(none?.rate ?? { n: 0, distinct: 0, mean: null, ci95: null })).toBe('25 % [0, 50]')
    expect(formatDelta(cases?.delta ?? { n: 0, distinct: 0, mean: null, ci95: null })).toBe('+50 [+25, +75]')
  })

  it('compares only tasks that both have done', () => {
    const going = seriesOf([
      runCurve({ rewards: '0000', name: 'none', exp: null, total: 4 }),
      runCurve({ rewards: '11', total: 4, status: 'running' }),
    ])
    expect(summarize(going, going, 'auto')[1]?.delta).toEqual({ n: 1, distinct: 1, mean: 1, ci95: null })
  })
})

describe('export', () => {
  it('writes the numbers of the chart as CSV', () => {
    const rows = figureCsv(figureOf(two)).trimEnd().split('\r\n')
    expect(rows).toHaveLength(1 + 8)
    expect(rows[0]).toBe('series,detail,x,x_unit,measure,baseline,n,mean,ci95_low,ci95_high')
    expect(rows[2]).toBe('none,,2,task,success,,2,0.5,0,1')
    expect(rows[5]).toBe('case-bank,,1,task,success,,3,0.333333,0,1')
  })

  it('quotes names, and keeps them from being taken for formulas', () => {
    const odd = seriesOf([runCurve({ rewards: '1', name: '=1+1, "x"' })])
    expect(figureCsv(figureOf(odd)).split('\r\n')[1]).toMatch(/^"'=1\+1, ""x""",/)
  })

  it('draws an SVG with axes, bands, lines and a legend', () => {
    const figure = figureOf(two)
    const pen = svgPen(100, 100, '#fff')
    drawFigure(pen, figure, {
      ...pictureSize(2),
      lead: 'A & B',
      legend: ['first <1>', 'second'],
      range: [0, 4],
      colour: () => '#123456',
    })
    const svg = pen.finish()
    expect(svg).toMatch(/^<\?xml/)
    expect(svg).toContain('A &amp; B')
    expect(svg).toContain('first &lt;1&gt;')
    expect(svg.match(/fill-opacity="0.12"/g)).toHaveLength(2)
    expect(svg).not.toContain('NaN')
  })

  it('chooses round ticks', () => {
    expect(niceTicks(0, 1, 5)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1])
    expect(niceTicks(0, 120, 8)).toEqual([0, 20, 40, 60, 80, 100, 120])
    expect(niceTicks(3, 3, 5)).toEqual([3])
  })
})

describe('chart', () => {
  it('zooms around a place and stays within the axis', () => {
    expect(zoomed([0, 100], [0, 100], 0.5, 50)).toEqual([25, 75])
    expect(zoomed([0, 100], [0, 100], 0.5, 0)).toEqual([0, 50])
    expect(zoomed([50, 100], [0, 100], 1.5, 50)).toEqual([25, 100])
    expect(zoomed([25, 75], [0, 100], 2, 50)).toBeNull()
  })

  it('finds the nearest line that has a value', () => {
    expect(nearestLine([Number.NaN, 10, 50], 35)).toBe(2)
    expect(nearestLine([Number.NaN], 35)).toBe(-1)
  })

  it('shows rates from 0 to 1 and differences around 0', () => {
    expect(valueRange({ measure: 'success', difference: false }, 0.2, 0.4)).toEqual([0, 1])
    const [low, high] = valueRange({ measure: 'success', difference: true }, -0.1, 0.3)
    expect(low).toBe(-high)
  })
})
