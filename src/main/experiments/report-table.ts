import { plural } from '../../shared/figures/plural'
import type { ExperimentReport, ExperimentRow } from '../../shared/domain/experiment'
import { addWritings, failureRate } from '../../shared/domain/writing'
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

/** One line per method and K: mean success rate in percent with its 95 % interval, and what it is over. */
export function summaryTable({ summary, baseline }: ExperimentReport): TextTable {
  const compared = summary.some((row) => row.deltaN > 0)
  const someOom = summary.some((row) => row.oom > 0)
  const someBuilt = summary.some((row) => row.buildTokensPerTask !== undefined)
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
      ...(someBuilt ? ['of them building'] : []),
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
      ...(someBuilt ? [String(Math.round(row.buildTokensPerTask ?? 0))] : []),
      ...(someOom ? [row.oom === 0 ? '' : String(row.oom)] : []),
    ]),
  ]
}

const meanIn = (values: readonly (number | null | undefined)[]): number | null => {
  const knownNumbers = values.filter((value): value is number => typeof value === 'number')
  return knownNumbers.length === 0
    ? null
    : knownNumbers.reduce((sum, value) => sum + value, 0) / knownNumbers.length
}
const rounded = (value: number | null): string => (value === null ? 'n/a' : String(Math.round(value)))

/** Cells of one method and K, in the report's order. */
function groupsOf({
  cells,
  summary,
}: ExperimentReport): { row: ExperimentRow; cells: ExperimentReport['cells'] }[] {
  return summary.map((row) => ({
    row,
    cells: cells.filter(({ method, exp }) => method === row.method && exp === row.exp),
  }))
}

/** Passes, iterations and tasks that only test, one line per method and K; null where there are none of them. */
function repetitionTable(report: ExperimentReport): TextTable | null {
  const { summary } = report
  const most = Math.max(0, ...summary.map((row) => row.passMeans.length))
  const tested = summary.some((row) => row.testMean !== undefined)
  if (most < 2 && !tested) return null
  const numbers = Array.from({ length: most }, (_, i) => i)
  const iterated = summary.some((row) => row.iterationMeans.length > 1)
  return [
    [
      'method',
      'K',
      ...(iterated ? numbers.map((i) => `iteration ${i + 1}`) : []),
      ...(most > 1 ? numbers.map((i) => `pass@${i + 1}`) : []),
      ...(tested ? ['test'] : []),
    ],
    ...summary.map((row) => [
      row.method,
      String(row.exp),
      ...(iterated ? numbers.map((i) => points(row.iterationMeans[i] ?? null)) : []),
      ...(most > 1 ? numbers.map((i) => points(row.passMeans[i] ?? null)) : []),
      ...(tested ? [points(row.testMean ?? null)] : []),
    ]),
  ]
}

/** How answers compare with the references, in all and by dataset (Memento, tables 1, 3 and 5); null where the tasks are no questions. */
function questionTable(report: ExperimentReport): TextTable | null {
  if (!report.cells.some(({ questions }) => questions)) return null
  const names = [
    ...new Set(
      report.cells.flatMap(({ questions }) => questions?.datasets.map(({ dataset }) => dataset) ?? []),
    ),
  ]
  return [
    ['method', 'K', 'EM', 'F1', 'macro F1', 'PM', ...names.map((name) => `${name} F1/PM`), 'plans/task'],
    ...groupsOf(report).map(({ row, cells }) => {
      const all = cells.flatMap(({ questions }) => questions ?? [])
      const of = (name: string) =>
        all.flatMap(({ datasets }) => datasets.filter(({ dataset }) => dataset === name))
      return [
        ...[row.method, String(row.exp), points(meanIn(all.map(({ em }) => em)))],
        ...[points(meanIn(all.map(({ f1 }) => f1))), points(meanIn(all.map(({ macroF1 }) => macroF1)))],
        points(meanIn(all.map(({ pm }) => pm))),
        ...names.map(
          (name) =>
            `${points(meanIn(of(name).map(({ f1 }) => f1)))}/${points(meanIn(of(name).map(({ pm }) => pm)))}`,
        ),
        (meanIn(all.map(({ plansPerTask }) => plansPerTask)) ?? 0).toFixed(1),
      ]
    }),
  ]
}

/** What each level of difficulty took: success, tokens and calls per task, by tool (Memento, table 6, figures 5 and 6); null without levels. */
function levelTable(report: ExperimentReport): TextTable | null {
  const rows = groupsOf(report).flatMap(({ row, cells }) => {
    const levels = cells.flatMap(({ questions }) => questions?.levels ?? [])
    const knownNumbers = [...new Set(levels.map(({ level }) => level))].filter((level) => level !== null)
    return knownNumbers.map((level) => {
      const own = levels.filter((one) => one.level === level)
      const tools = new Map<string, number>()
      for (const { tool, calls } of own.flatMap((one) => one.tools ?? []))
        tools.set(tool, (tools.get(tool) ?? 0) + calls / own.length)
      return [
        ...[row.method, String(row.exp), String(level), points(meanIn(own.map(({ em }) => em)))],
        rounded(meanIn(own.map(({ promptTokens }) => promptTokens))),
        rounded(meanIn(own.map(({ completionTokens }) => completionTokens))),
        [...tools].map(([tool, calls]) => `${tool} ${calls.toFixed(1)}`).join(', ') || 'none',
      ]
    })
  })
  if (rows.length === 0) return null
  return [
    ['method', 'K', 'level', 'EM', 'tokens read/task', 'tokens written/task', 'calls/task by tool'],
    ...rows,
  ]
}

/** How texts came out that roles were asked for, over all cells of a method; null where none was. */
function writingTable({ cells, summary }: ExperimentReport): TextTable | null {
  const methods = [...new Set(summary.map((row) => row.method))]
  const rows = methods.flatMap((method) =>
    addWritings(cells.flatMap((cell) => (cell.method === method ? (cell.writings ?? []) : []))).map((one) => [
      ...[method, one.role, String(one.asked), points(failureRate(one))],
      ...[String(one.mended), String(one.again)],
    ]),
  )
  if (rows.length === 0) return null
  return [['method', 'writes', 'texts', 'not usable %', 'used off form', 'asked twice'], ...rows]
}

/** How soft prompts that cells trained did on held-out tasks, and whether they were served; null where none was tried. */
function trialTable({ cells }: ExperimentReport): TextTable | null {
  const rows = cells.flatMap(({ method, exp, seed, tried = [] }) =>
    tried.map((trial) => [
      ...[method, String(exp), String(seed), String(trial.due), String(trial.tasks)],
      ...[String(trial.without), String(trial.with)],
      `${signed(trial.gain)}${range(trial.ci95, signed)}`,
      trial.served ? 'served' : 'on the shelf',
    ]),
  )
  if (rows.length === 0) return null
  const solved = ['solved without', 'solved with', 'gain % [95 % CI]']
  return [['method', 'K', 'seed', 'soft prompt after', 'held-out tasks', ...solved, 'so it is'], ...rows]
}

/** What stands below the summary: only what the experiment has. */
export const furtherTables = (report: ExperimentReport): TextTable[] =>
  [
    new Set(report.summary.map((row) => row.exp)).size > 1 ? gridTable(report) : null,
    repetitionTable(report),
    questionTable(report),
    levelTable(report),
    trialTable(report),
    writingTable(report),
  ].filter((table) => table !== null)

/** Methods in rows, values of K in columns, with the average over K: the form of EvoSC's tables, which call it Exp. */
function gridTable({ summary, averages }: ExperimentReport): TextTable {
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
  if (report.cells.some(({ questions }) => typeof questions?.pm === 'number'))
    notes.push(
      'EM: the answer is the known one and nothing else. PM: it says the same as the known one; open questions are solved by it.',
    )
  const uniformFields = alikeNote(report.summary)
  if (uniformFields !== null) notes.push(uniformFields)
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
