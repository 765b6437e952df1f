import type { CurveView } from '../../../shared/domain/curve'
import type { Figure } from './figure'
import type { Series } from './series'

/** A small chart: some lines of a figure, on the figure's own axes. */
export interface Panel {
  /** What its lines have in common. */
  readonly title: string
  readonly figure: Figure
}

/** A figure as small charts side by side, in the order in which their lines come; one chart as it is. */
export function panelsOf(
  figure: Figure,
  by: CurveView['panels'],
  streamTitleOf: (stream: string) => string,
): readonly Panel[] {
  if (by === 'one') return [{ title: '', figure }]
  const titleOf = ({ label, head }: Series): string =>
    by === 'method' ? label : by === 'stream' ? streamTitleOf(head.stream) : head.model
  const titles = [...new Set(figure.lines.map(({ series }) => titleOf(series)))]
  return titles.map((title) => {
    const lines = figure.lines.filter(({ series }) => titleOf(series) === title)
    const keys = new Set(lines.map(({ series }) => series.key))
    return { title, figure: { ...figure, lines, points: figure.points.filter(({ key }) => keys.has(key)) } }
  })
}
