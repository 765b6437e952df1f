/** A cell's value: an error is its text, such as `#N/A`, marked as such. */
export type Scalar = string | number | boolean | null | CellError

/** One of Excel's error values. */
export class CellError {
  constructor(readonly text: '#N/A' | '#VALUE!' | '#REF!' | '#DIV/0!' | '#NAME?' | '#NUM!' | '#NULL!') {}
}

/** Zero-based. */
export interface CellAddress {
  readonly row: number
  readonly column: number
}

/** Both corners are part of it. */
export interface CellRange {
  readonly from: CellAddress
  readonly to: CellAddress
}

/** 0 is A, 26 is AA. */
export function columnName(column: number): string {
  let name = ''
  for (let n = column + 1; n > 0; n = Math.floor((n - 1) / 26))
    name = String.fromCharCode(65 + ((n - 1) % 26)) + name
  return name
}

export const columnNumber = (name: string): number =>
  [...name.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1

export const addressName = ({ row, column }: CellAddress): string => `${columnName(column)}${row + 1}`

const ADDRESS = /^\$?([A-Za-z]{1,3})\$?([1-9]\d{0,6})$/

/** `B3` or `$B$3`; null for anything else. */
export function parseAddress(text: string): CellAddress | null {
  const match = ADDRESS.exec(text.trim())
  return match ? { row: Number(match[2]) - 1, column: columnNumber(match[1] ?? '') } : null
}

/** `B3` or `B3:D7`, corners in any order; null for anything else. */
export function parseRange(text: string): CellRange | null {
  const [first = '', second = first, ...more] = text.split(':')
  const a = parseAddress(first)
  const b = parseAddress(second)
  if (!a || !b || more.length > 0) return null
  return {
    from: { row: Math.min(a.row, b.row), column: Math.min(a.column, b.column) },
    to: { row: Math.max(a.row, b.row), column: Math.max(a.column, b.column) },
  }
}

export interface SheetRange extends CellRange {
  /** Null: the answer workbook's first sheet. */
  readonly sheet: string | null
}

const unquote = (text: string): string => text.trim().replace(/^'+|(?<!')'+$/g, '')

/**
 * Reads SpreadsheetBench's answer positions, such as `H3:H5`, `'Sheet 2'!A1:B4,'Sheet1'!C7` or `'Sheet1'!'A1:B4'`.
 * Null when a part of it is no range.
 */
export function parseAnswerPosition(text: string): SheetRange[] | null {
  const parts = text.match(/(?:'[^']*'|[^,'])+/g) ?? []
  const ranges = parts
    .filter((part) => part.trim() !== '')
    .map((part): SheetRange | null => {
      const at = part.lastIndexOf('!')
      const range = parseRange(unquote(part.slice(at + 1)))
      return range && { ...range, sheet: at < 0 ? null : unquote(part.slice(0, at)) }
    })
  const read = ranges.filter((range) => range !== null)
  return read.length > 0 && read.length === ranges.length ? read : null
}
