import { expect, it } from 'vitest'
import { buildFigure } from '../../../../src/renderer/features/curves/figure'
import { lineLooks } from '../../../../src/renderer/features/curves/line-looks'
import { panelsOf } from '../../../../src/renderer/features/curves/panels'
import { runCurve, seriesOf } from './fixtures'

it('draws many lines as small charts on one axis: per method, stream or model', () => {
  const runs = ['none', 'case-bank', 'evosc'].flatMap((name) =>
    ['house-rules-a', 'house-rules-b'].flatMap((stream) =>
      Array.from({ length: 10 }, (_, seed) => runCurve({ rewards: '0101', name, stream, seed })),
    ),
  )
  const series = seriesOf(runs, { lines: 'runs' })
  expect(series).toHaveLength(60)
  const looks = lineLooks(series, () => '--series-1')
  const figure = buildFigure(series, series, looks, {
    ...{ measure: 'success', axis: 'task', smoothing: 0.5, points: true, baseline: null, difference: false },
  })
  const titles = (by: 'one' | 'method' | 'stream' | 'model') =>
    panelsOf(figure, by, (stream) => `World ${stream.at(-1)}`).map((panel) => [
      panel.title,
      panel.figure.lines.length,
      panel.figure.points.length,
    ])
  expect(titles('one')).toEqual([['', 60, 0]])
  expect(titles('method')).toEqual([
    ['none', 20, 0],
    ['case-bank', 20, 0],
    ['evosc', 20, 0],
  ])
  expect(titles('stream')).toEqual([
    ['World a', 30, 0],
    ['World b', 30, 0],
  ])
  for (const panel of panelsOf(figure, 'method', String)) expect(panel.figure.grid).toBe(figure.grid)
})
