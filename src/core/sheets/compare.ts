import { addressName, CellError, type CellAddress, type Scalar, type SheetRange } from './cells'

/** A cell as it is graded. */
export interface GradedCell {
  readonly value: Scalar
  /** Shown as a date or time. */
  readonly isDate: boolean
  /** Holds a formula whose value cannot be computed here. */
  readonly unknown: boolean
  /** What it would take to compute it, when it is unknown. */
  readonly why?: string | undefined
}

/** A workbook to compare, by sheet name and cell. */
export interface GradedWorkbook {
  readonly sheets: readonly string[]
  cell(sheet: string, at: CellAddress): GradedCell
}

const twoDecimals = (value: number): number => Number(value.toFixed(2))

/** Text that Python's `float` reads, as that number. */
const PYTHON_FLOAT = /^\s*[-+]?(\d[\d_]*(?:\.\d*)?|\.\d+)(e[-+]?\d+)?\s*$/i

/** A value as the benchmark compares it: numbers to two decimals, dates to whole days, times to minutes, numeric text as numbers. */
function normal({ value, isDate }: GradedCell): string | number | null {
  if (value instanceof CellError) return value.text
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'number') {
    if (!isDate) return twoDecimals(value)
    if (value >= 1) return Math.round(value)
    const minutes = Math.floor(value * 1440 + 1e-6)
    return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
  }
  if (value === null || value === '') return null
  return PYTHON_FLOAT.test(value) ? twoDecimals(Number(value.replaceAll('_', ''))) : value
}

export type Comparison =
  | { readonly kind: 'same' }
  | { readonly kind: 'different'; readonly where: string }
  /** Nothing differs, but some values cannot be computed here. */
  | { readonly kind: 'unknown'; readonly where: string }

/** What a range without a sheet is meant for: the answer workbook's first. */
export const sheetOf = (range: SheetRange, answer: GradedWorkbook): string =>
  range.sheet ?? answer.sheets[0] ?? ''

/** Compares the ranges of a result with those of the answer workbook, by values (SpreadsheetBench's cell-level comparison, colours aside). */
export function compareWorkbooks(
  result: GradedWorkbook,
  answer: GradedWorkbook,
  ranges: readonly SheetRange[],
): Comparison {
  let unknown: string | null = null
  for (const range of ranges) {
    const sheet = sheetOf(range, answer)
    if (!result.sheets.includes(sheet)) return { kind: 'different', where: `there is no sheet "${sheet}"` }
    if (!answer.sheets.includes(sheet))
      return { kind: 'unknown', where: `the answer has no sheet "${sheet}"` }
    for (let { row } = range.from; row <= range.to.row; row++) {
      for (let { column } = range.from; column <= range.to.column; column++) {
        const cell = result.cell(sheet, { row, column })
        const where = `${sheet}!${addressName({ row, column })}`
        if (cell.unknown) unknown ??= cell.why === undefined ? where : `${where} (${cell.why})`
        else if (normal(cell) !== normal(answer.cell(sheet, { row, column })))
          return { kind: 'different', where }
      }
    }
  }
  return unknown === null ? { kind: 'same' } : { kind: 'unknown', where: unknown }
}
