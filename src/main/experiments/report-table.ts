import type { ExperimentReport, ExperimentRow } from '../../shared/domain/experiment'
import { alikeNote, countWords, sampleWords } from '../../shared/figures/estimate'

/** A table as rows of cells, the first row being the heading. */
export type TextTable = readonly (readonly string[])[]

const points = (value: number | null): string => (value === null ? 'n/a' : (value * 100).toFixed(1))
const signed = (value: number | null): string =>
  value === null ? '' : `${value > 0 ? '+' : ''}${(value * 100).toFixed(1)}`
const range = (ci: readonly [number, number] | null, show: (value: number) => string): string =>
  ci === null ? '' : ` [${show(ci[0])}, ${show(ci[1])}]`

const meanOf = (row: ExperimentRow): string =>
  row.mean === null ? (row.oom > 0 ? 'OOM' : 'n/a') : `${points(row.mean)}${range(row.ci95, points)}`

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

/** One line per method and K: mean success rate in percent with its 95 % interval, and what it is over. */
export function summaryTable({ summary, baseline }: ExperimentReport): TextTable {
  const compared = summary.some((row) => row.deltaN > 0)
  const someOom = summary.some((row) => row.oom > 0)
  return [
    [
      'method',
      'K',
      'n',
      'success % [95 % CI]',
      'first third',
      'last third',
      ...(compared ? [`vs ${baseline ?? ''} [95 % CI]`] : []),
      'tokens/task',
      ...(someOom ? ['OOM cells'] : []),
    ],
    ...summary.map((row) => [
      row.method,
      String(row.exp),
      countWords(row),
      meanOf(row),
      points(row.firstMean),
      points(row.lastMean),
      ...(compared
        ? [
            row.deltaN === 0
              ? ''
              : `${signed(row.deltaToBaseline)}${range(row.deltaCi95, signed)} (${sampleWords({ n: row.deltaN, distinct: row.deltaDistinct })})`,
          ]
        : []),
      row.tokensPerTask === null ? 'n/a' : String(Math.round(row.tokensPerTask)),
      ...(someOom ? [row.oom === 0 ? '' : String(row.oom)] : []),
    ]),
  ]
}

/** Methods in rows, values of K in columns, with the average over K: the form of EvoSC's tables, which call it Exp. */
export function gridTable({ summary, averages }: ExperimentReport): TextTable {
  const values = [...new Set(summary.map((row) => row.exp))].sort((a, b) => a - b)
  return [
    ['method', ...values.map((value) => `K ${value}`), 'average'],
    ...averages.map(({ method, mean, n }) => [
      method,
      ...values.map((value) => {
        const row = summary.find((each) => each.method === method && each.exp === value)
        if (!row) return ''
        return row.mean === null ? meanOf(row) : `${points(row.mean)} (${sampleWords(row)})`
      }),
      mean === null ? 'n/a' : `${points(mean)} (of ${n})`,
    ]),
  ]
}

/** Sentences that a reader of the tables needs. */
export function footnotes(report: ExperimentReport): string[] {
  const notes = [
    `${plural(report.tasks, 'task')} of ${report.stream} per cell, model ${report.model}. n counts seeds; intervals are percentile bootstraps over seeds${
      report.summary.some((row) => row.n > 1 && row.n < 5) ? ', which are too narrow for so few' : ''
    }.`,
  ]
  const alike = alikeNote(report.summary)
  if (alike !== null) notes.push(alike)
  const oom = report.cells.filter((cell) => cell.status === 'oom')
  if (oom.length > 0) {
    const tasks = oom.reduce((sum, cell) => sum + cell.overflows, 0)
    notes.push(
      `OOM: in ${plural(oom.length, 'cell')} the prompts of ${plural(tasks, 'attempt')} did not fit the model's context. Such cells ran to their end but are left out of the means, as in EvoSC's tables.`,
    )
  }
  for (const cell of report.cells.filter((each) => each.status === 'failed' && each.problem))
    notes.push(`Failed: ${cell.key}: ${cell.problem?.cause ?? ''}`)
  if (report.cells.some((cell) => cell.note !== null))
    notes.push('Methods that take no Exp ran once per seed and stand under K 0.')
  if (report.pending > 0) notes.push(`${plural(report.pending, 'cell')} have not ended yet.`)
  return notes
}

/** Lines of text with aligned columns. */
export function alignTable(table: TextTable): string[] {
  const widths = (table[0] ?? []).map((_, i) => Math.max(...table.map((row) => row[i]?.length ?? 0)))
  return table.map((row) =>
    row
      .map((text, i) => text.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** The same as a Markdown table. */
export function markdownTable(table: TextTable): string[] {
  const line = (row: readonly string[]): string => `| ${row.join(' | ')} |`
  const [head = [], ...rows] = table
  return [line(head), line(head.map(() => '---')), ...rows.map(line)]
}
