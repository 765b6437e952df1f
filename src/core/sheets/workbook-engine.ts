import { z } from 'zod'
import { addressName, CellError, parseRange, type CellAddress, type CellRange, type Scalar } from './cells'
import type { GradedWorkbook } from './compare'
import type { CodeResult } from './workbook'
import type { Sandbox } from './sandbox'
import { openSheetFile, type SheetFile } from './sheet-file'

/** Most cells that one call may read or write. */
const MOST_CELLS = 200_000
const MOST_ROWS = 1_048_576
const MOST_COLUMNS = 16_384
/** Columns that are shown of a sheet. */
const SHOWN_COLUMNS = 20

const valueSchema = z.union([z.string(), z.number(), z.boolean(), z.null()])
const rowsSchema = z.array(z.array(valueSchema))
const lineSchema = z.number().int().min(1).max(MOST_ROWS)

/** What code reads of a cell: errors as their text. */
const plain = (value: Scalar): string | number | boolean | null =>
  value instanceof CellError ? value.text : value

const rangeOf = (text: unknown): CellRange => {
  const range = parseRange(String(text))
  if (!range) throw new Error(`"${String(text)}" is no cell or range, such as B3 or B3:D7`)
  const { from, to } = range
  if (to.row >= MOST_ROWS || to.column >= MOST_COLUMNS)
    throw new Error(`${String(text)} lies outside of a sheet`)
  if ((to.row - from.row + 1) * (to.column - from.column + 1) > MOST_CELLS) {
    throw new Error(`${String(text)} has more than ${MOST_CELLS} cells`)
  }
  return range
}

function* cellsOf({ from, to }: CellRange): Generator<CellAddress> {
  for (let { row } = from; row <= to.row; row++) {
    for (let { column } = from; column <= to.column; column++) yield { row, column }
  }
}

/** Answers one call of the sandbox on a workbook. */
function perform(file: SheetFile, operation: string, args: readonly unknown[]): unknown {
  const [name, first, second, third] = args
  const sheet = String(name)
  const sizeOf = (): CellRange => {
    const extent = file.extent(sheet)
    if (!extent) throw new Error(`There is no sheet "${sheet}". There are: ${file.sheets.join(', ')}`)
    return extent
  }
  switch (operation) {
    case 'names':
      return file.sheets
    case 'size': {
      const { to } = sizeOf()
      return [to.row + 1, to.column + 1]
    }
    case 'get': {
      sizeOf()
      const { from, to } = rangeOf(first)
      return Array.from({ length: to.row - from.row + 1 }, (_, r) =>
        Array.from({ length: to.column - from.column + 1 }, (__, c) =>
          plain(file.cells.cell(sheet, { row: from.row + r, column: from.column + c }).value),
        ),
      )
    }
    case 'set': {
      const { from } = rangeOf(first)
      const rows = rowsSchema.safeParse(second)
      if (!rows.success) throw new Error('Only text, numbers, true, false and null can be written to cells')
      for (const [r, row] of rows.data.entries()) {
        for (const [c, value] of row.entries()) {
          const at = { row: from.row + r, column: from.column + c }
          rangeOf(addressName(at))
          file.set(sheet, at, value)
        }
      }
      return null
    }
    case 'formula': {
      const formula = file.formula(sheet, rangeOf(first).from)
      return formula === null ? null : `=${formula}`
    }
    case 'clear':
      for (const at of cellsOf(rangeOf(first))) file.set(sheet, at, null)
      return null
    case 'shift': {
      const axis = first === 'column' ? 'column' : 'row'
      const at = lineSchema.parse(second) - 1
      const count = z.number().int().min(-MOST_ROWS).max(100_000).parse(third)
      file.shift({ sheet, axis, at, count })
      return null
    }
    case 'add':
      file.addSheet(sheet)
      return null
    case 'delete':
      file.deleteSheet(sheet)
      return null
    case 'rename':
      file.renameSheet(sheet, String(first))
      return null
    default:
      throw new Error(`There is no operation ${operation}`)
  }
}

function describe(file: SheetFile, rows: number): string {
  return file.sheets
    .map((sheet) => {
      const { to } = file.extent(sheet) ?? { to: { row: 0, column: 0 } }
      const columns = Math.min(to.column, SHOWN_COLUMNS - 1) + 1
      const lines = Array.from({ length: Math.min(rows, to.row + 1) }, (_, row) => {
        const cells = Array.from({ length: columns }, (__, column) => file.shown(sheet, { row, column }))
        return `${row + 1} | ${cells.join(' | ')}`
      })
      return `Sheet "${sheet}", A1:${addressName(to)}, first rows:\n${lines.join('\n')}`
    })
    .join('\n')
}

/** A workbook in this process. */
export interface OpenWorkbook {
  /** Runs code and calculates all formulas anew. Code that fails changes nothing. Never fails for anything in the code. */
  run(code: string): Promise<CodeResult>
  /** Its cells as they now are. */
  readonly cells: GradedWorkbook
  /** The used part of a sheet; null when there is no such sheet. */
  extent(sheet: string): CellRange | null
  /** A cell's formula without its `=`; null when there is none, or it is an array formula's. */
  formula(sheet: string, at: CellAddress): string | null
  /** Sheets with their size and first rows, for an agent to read. */
  describe(rows: number): string
}

/** Opens workbooks in this process, which has to be an isolate's. */
export interface WorkbookOpener {
  /** @throws LoamError `TASK_STREAM` when the bytes are no workbook */
  open(bytes: Uint8Array): OpenWorkbook
}

/**
 * Workbooks for code in a sandbox, read with SheetJS. `unpack` answers a workbook's archive with nothing in it packed any more, or throws for one
 * that is damaged: SheetJS unpacks some of these forever.
 */
export const createWorkbookEngine = (
  sandbox: Sandbox,
  unpack: (bytes: Uint8Array) => Uint8Array,
): WorkbookOpener => ({
  open(bytes) {
    const file = openSheetFile(bytes, unpack)
    if (file.isUncalculated) file.calculate()
    return {
      cells: file.cells,
      extent: (sheet) => file.extent(sheet),
      formula: (sheet, at) => (file.isArray(sheet, at) ? null : file.formula(sheet, at)),
      describe: (rows) => describe(file, rows),
      async run(code): Promise<CodeResult> {
        const goBack = file.snapshot()
        const { printed, error } = await sandbox.run(code, (operation, args) =>
          perform(file, operation, args),
        )
        if (error !== null) {
          goBack()
          return { text: [printed, `Error: ${error}`].filter(Boolean).join('\n'), failed: true }
        }
        file.calculate()
        return { text: printed === '' ? 'Done, nothing was printed.' : printed, failed: false }
      },
    }
  },
})
