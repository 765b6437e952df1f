// @vitest-environment happy-dom
import type uPlot from 'uplot'
import { expect, it } from 'vitest'
import { paintLabels } from '../../../../src/renderer/features/curves/chart-paint'
import { buildFigure } from '../../../../src/renderer/features/curves/figure'
import { lineLooks } from '../../../../src/renderer/features/curves/line-looks'
import { runCurve, seriesOf } from './fixtures'

const series = seriesOf([runCurve({ rewards: '0101', seed: 1 })])
const figure = buildFigure(
  series,
  series,
  lineLooks(series, () => '--series-2'),
  {
    ...{ measure: 'success', axis: 'task', smoothing: 0, points: true, baseline: 'auto' },
    difference: false,
  } as const,
)

/** The fonts in which the names beside the lines are written, with the root's text so many px high. */
function fontsAt(px: number): string[] {
  document.documentElement.style.fontSize = `${px}px`
  const fonts: string[] = []
  const nothing = () => undefined
  const ctx = {
    ...{ save: nothing, restore: nothing, setLineDash: nothing, beginPath: nothing, moveTo: nothing },
    ...{
      lineTo: nothing,
      stroke: nothing,
      canvas: { width: 500 },
      measureText: () => ({ width: 1 }),
      font: '',
    },
    fillText: () => fonts.push(ctx.font),
  }
  const chart = {
    ctx,
    bbox: { left: 0, top: 0, width: 300, height: 200 },
    scales: { x: { max: 9 } },
    valToPos: () => 50,
  }
  paintLabels(chart as unknown as uPlot, figure, () => '#000000')
  return fonts
}

it('writes the names of lines as large as the text size of the window', () => {
  expect(fontsAt(16)).toEqual([expect.stringMatching(/^600 12px/), expect.stringMatching(/^11px/)])
  expect(fontsAt(20)).toEqual([expect.stringMatching(/^600 15px/), expect.stringMatching(/^13\.75px/)])
})
