import type { Figure } from './figure'

const HEADER = [
  'series',
  'detail',
  'x',
  'x_unit',
  'measure',
  'baseline',
  'n',
  'mean',
  'ci95_low',
  'ci95_high',
]

/** The lines of the figure as CSV (RFC 4180): one row per line and place, with n, mean and 95 % interval. */
export function figureCsv(figure: Figure): string {
  const rows = figure.lines.flatMap((line) =>
    figure.grid.flatMap((x, at) => {
      const n = line.n[at] ?? 0
      if (n === 0) return []
      return [
        [
          line.series.label,
          line.series.detail,
          number(x),
          figure.axis === 'time' ? 'minutes' : figure.axis,
          figure.measure,
          line.baseline ? [line.baseline.label, line.baseline.detail].filter(Boolean).join(', ') : '',
          String(n),
          number(line.mean[at]),
          number(line.low[at]),
          number(line.high[at]),
        ],
      ]
    }),
  )
  return [HEADER, ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('')
}

/** Up to six digits after the point; empty for what is not known. */
const number = (value: number | undefined) =>
  value === undefined || !Number.isFinite(value) ? '' : String(Number(value.toFixed(6)))

/** Quoted where needed. A text that a spreadsheet would run as a formula is kept from it. */
function field(text: string): string {
  const safe = /^[=+@\t]|^-(?![\d.])/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
