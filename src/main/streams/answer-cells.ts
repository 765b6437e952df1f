import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { CellError, parseAnswerPosition, type Scalar, type SheetRange } from '../../core/sheets/cells'
import { sheetOf } from '../../core/sheets/compare'
import type { WorkbookEngine } from '../../core/sheets/workbook'
import { LoamError } from '../../shared/errors'

const refuse = (cause: string): LoamError =>
  new LoamError('BAD_INPUT', cause, { suggestion: 'Correct the range, or put the workbook beside the file.' })

const cellText = (value: Scalar): string =>
  value === null ? '' : value instanceof CellError ? value.text : String(value)

/** Cells of a workbook as text: a line per row, tabs between. @throws LoamError `BAD_INPUT` */
export async function answerCells(
  engine: WorkbookEngine,
  folder: string | null,
  name: string,
  range: string,
): Promise<string> {
  if (folder === null || basename(name) !== name) throw refuse(`${name} is not beside the file.`)
  const bytes = await readFile(join(folder, name)).catch(() => null)
  if (bytes === null) throw refuse(`${name} is not beside the file.`)
  const workbook = engine.open(bytes)
  const ranges = range.trim() === '' ? usedPart(workbook) : parseAnswerPosition(range)
  if (ranges === null) throw refuse(`"${range}" is no range of cells.`)
  return ranges
    .flatMap((one) => {
      const sheet = sheetOf(one, workbook.cells)
      if (!workbook.cells.sheets.includes(sheet)) throw refuse(`${name} has no sheet "${sheet}".`)
      return rowsOf(one).map((row) =>
        columnsOf(one)
          .map((column) => cellText(workbook.cells.cell(sheet, { row, column }).value))
          .join('\t'),
      )
    })
    .join('\n')
}

const upTo = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const rowsOf = ({ from, to }: SheetRange): number[] => upTo(from.row, to.row)
const columnsOf = ({ from, to }: SheetRange): number[] => upTo(from.column, to.column)

function usedPart(workbook: ReturnType<WorkbookEngine['open']>): SheetRange[] | null {
  const sheet = workbook.cells.sheets[0]
  const extent = sheet === undefined ? null : workbook.extent(sheet)
  return sheet === undefined || extent === null ? null : [{ ...extent, sheet }]
}
