import { LoamError } from '../../shared/errors'
import { addressName, CellError, type CellRange, type Scalar, type SheetRange } from './cells'
import { sheetOf } from './compare'
import type { OpenWorkbook } from './workbook-engine'

type Cell = string | number | boolean | null

const plain = (value: Scalar): Cell => (value instanceof CellError ? value.text : value)

/** Most cells of a part that is asked for. */
const MOST_CELLS = 1_000_000

/** Rows of a range, each cell as `read` has it. @throws LoamError `BAD_INPUT` for a range that is too large */
function rowsOf<T>({ from, to }: CellRange, read: (row: number, column: number) => T): T[][] {
  const [rows, columns] = [to.row - from.row + 1, to.column - from.column + 1]
  if (rows * columns > MOST_CELLS)
    throw new LoamError('BAD_INPUT', `A range has more than ${MOST_CELLS} cells.`, {
      suggestion: 'Choose a smaller range.',
    })
  return Array.from({ length: rows }, (_, r) =>
    Array.from({ length: columns }, (__, c) => read(from.row + r, from.column + c)),
  )
}

function usedPart(workbook: OpenWorkbook): SheetRange[] {
  const [sheet] = workbook.cells.sheets
  const extent = sheet === undefined ? null : workbook.extent(sheet)
  return sheet === undefined || extent === null ? [] : [{ ...extent, sheet }]
}

/** Cells as text: a line per row, tabs between; null for the used part of the first sheet. @throws LoamError `BAD_INPUT` */
export const textOf = (workbook: OpenWorkbook, ranges: readonly SheetRange[] | null): string =>
  (ranges ?? usedPart(workbook))
    .flatMap((range) => {
      const sheet = sheetOf(range, workbook.cells)
      if (!workbook.cells.sheets.includes(sheet))
        throw new LoamError('BAD_INPUT', `There is no sheet "${sheet}".`, {
          suggestion: 'Correct the range, or put the workbook beside the file.',
        })
      return rowsOf(range, (row, column) => {
        const value = plain(workbook.cells.cell(sheet, { row, column }).value)
        return value === null ? '' : String(value)
      }).map((cells) => cells.join('\t'))
    })
    .join('\n')

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

/** Code that writes into a workbook what an answer has in ranges, formulas where it has them; what the workbook has beyond the answer is cleared on whole sheets. */
export const codeTowards = (
  workbook: OpenWorkbook,
  answer: OpenWorkbook,
  ranges: readonly SheetRange[],
  wholeSheets: boolean,
): string =>
  ranges
    .flatMap((each) => {
      const sheet = sheetOf(each, answer.cells)
      if (!answer.extent(sheet)) return []
      const range = wholeSheets ? around([each, answer.extent(sheet), workbook.extent(sheet)]) : each
      const rows = rowsOf(range, (row, column) => {
        const formula = answer.formula(sheet, { row, column })
        return formula === null ? plain(answer.cells.cell(sheet, { row, column }).value) : `=${formula}`
      })
      const name = JSON.stringify(sheet)
      const open = `workbook.sheetNames.includes(${name}) ? workbook.sheet(${name}) : workbook.addSheet(${name})`
      return [`;(${open}).setRange(${JSON.stringify(addressName(range.from))}, ${JSON.stringify(rows)})`]
    })
    .join('\n')
