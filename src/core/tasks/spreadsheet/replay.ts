import type { Task } from '../../../shared/domain/task'
import type { Verdict } from '../../ground/environment-module'
import { addressName, CellError, parseAnswerPosition, type CellRange, type Scalar } from '../../sheets/cells'
import { compareWorkbooks, sheetOf, type Comparison } from '../../sheets/compare'
import { readSpreadsheetTask, type SpreadsheetOptions } from './environment'
import type { CodeWorkbook } from '../../sheets/workbook'

type Cell = string | number | boolean | null

const plain = (value: Scalar): Cell => (value instanceof CellError ? value.text : value)

/** A part of the answer workbook as it would be written by hand: formulas where it has them. */
const getGroupedOutputs = (answer: CodeWorkbook, sheet: string, { from, to }: CellRange): Cell[][] =>
  Array.from({ length: to.row - from.row + 1 }, (_, r) =>
    Array.from({ length: to.column - from.column + 1 }, (__, c) => {
      const at = { row: from.row + r, column: from.column + c }
      const formula = answer.formula(sheet, at)
      return formula === null ? plain(answer.cells.cell(sheet, at).value) : `=${formula}`
    }),
  )

/** The smallest range that has all of them in it. */
function around(ranges: readonly (CellRange | null)[]): CellRange {
  const knownRanges = ranges.filter((range) => range !== null)
  const most = (axis: 'row' | 'column') => Math.max(...knownRanges.map(({ to }) => to[axis]))
  const least = (axis: 'row' | 'column') => Math.min(...knownRanges.map(({ from }) => from[axis]))
  return {
    from: { row: least('row'), column: least('column') },
    to: { row: most('row'), column: most('column') },
  }
}

/** Code that writes parts of the answer into a workbook. */
const codeFor = (parts: readonly { sheet: string; range: CellRange; rows: Cell[][] }[]): string =>
  parts
    .map(({ sheet, range, rows }) => {
      const name = JSON.stringify(sheet)
      const open = `workbook.sheetNames.includes(${name}) ? workbook.sheet(${name}) : workbook.addSheet(${name})`
      return `;(${open}).setRange(${JSON.stringify(addressName(range.from))}, ${JSON.stringify(rows)})`
    })
    .join('\n')

/**
 * Replays a task's answer workbooks: what each has in the cells that are graded (tasks on cells) or on the sheets they are on (tasks on
 * sheets) is written into the input by code, calculated there, and graded like an agent's work. A formula that is not computed here makes a
 * case unknown.
 */
export async function replayAnswer(
  task: Task,
  { engine, read }: Pick<SpreadsheetOptions, 'engine' | 'read'>,
): Promise<Verdict> {
  const entry = readSpreadsheetTask(task)
  const ranges = parseAnswerPosition(entry.answer_position) ?? []
  const wholeSheets = entry.instruction_type.startsWith('Sheet')
  const play = async ({ input, answer }: (typeof entry.cases)[number]): Promise<Comparison> => {
    const workbook = engine.open(read(entry.source, input))
    const gold = engine.open(read(entry.source, answer))
    const parts = ranges.flatMap((each) => {
      const sheet = sheetOf(each, gold.cells)
      // What the input has beyond the answer is gone in the answer, so it is cleared.
      const range = wholeSheets ? around([each, gold.extent(sheet), workbook.extent(sheet)]) : each
      return gold.extent(sheet) ? [{ sheet, range, rows: getGroupedOutputs(gold, sheet, range) }] : []
    })
    const { text, failed } = await workbook.run(codeFor(parts))
    return failed ? { kind: 'different', where: text } : compareWorkbooks(workbook.cells, gold.cells, ranges)
  }
  const results: Comparison[] = []
  for (const each of entry.cases) results.push(await play(each))
  const same = results.filter(({ kind }) => kind === 'same').length
  const scores = [
    { name: 'Soft: test cases', value: same / Math.max(1, results.length) },
    { name: 'Hard: all test cases', value: same === results.length ? 1 : 0 },
    { name: 'First test case', value: results[0]?.kind === 'same' ? 1 : 0 },
  ]
  const wrong = results.findIndex(({ kind }) => kind === 'different')
  const open = results.findIndex(({ kind }) => kind === 'unknown')
  const comparison = results[wrong >= 0 ? wrong : open]
  if (comparison === undefined || comparison.kind === 'same') return { kind: 'agrees', scores }
  const why = `case ${(wrong >= 0 ? wrong : open) + 1}: ${comparison.where}`
  return { kind: wrong >= 0 ? 'disagrees' : 'unknown', why, scores }
}
