import { utils, type CellObject, type WorkSheet } from '@e965/xlsx'
import { addressName, CellError, parseAddress, type CellAddress, type CellRange, type Scalar } from './cells'
import type { FormulaCell } from './formula/recalculate'
import { shifted, type Shift } from './formula/tokens'

const ERRORS: Readonly<Record<number, CellError['text']>> = {
  0x00: '#NULL!',
  0x07: '#DIV/0!',
  0x0f: '#VALUE!',
  0x17: '#REF!',
  0x1d: '#NAME?',
  0x24: '#NUM!',
  0x2a: '#N/A',
}
const errorCode = (text: CellError['text']): number =>
  Number(Object.entries(ERRORS).find(([, record]) => record === text)?.[0] ?? 0x0f)

/** What a cell holds. */
export function valueOf(cell: CellObject | undefined): Scalar {
  if (cell === undefined || cell.t === 'z' || cell.v === undefined) return null
  if (cell.t === 'e') return new CellError(ERRORS[Number(cell.v)] ?? '#VALUE!')
  return cell.v instanceof Date ? cell.v.toISOString() : cell.v
}

/** Puts a value into a cell, in the place of the one it holds. */
export function storeValue(cell: CellObject, value: Scalar): void {
  delete cell.w
  if (value === null) {
    cell.t = 'z'
    delete cell.v
  } else if (value instanceof CellError) {
    cell.t = 'e'
    cell.v = errorCode(value.text)
  } else {
    cell.t = typeof value === 'number' ? 'n' : typeof value === 'boolean' ? 'b' : 's'
    cell.v = value
  }
}

/** A sheet's cells by address, without what the library keeps of the sheet as a whole. */
export const addresses = (sheet: WorkSheet): string[] =>
  Object.keys(sheet).filter((key) => !key.startsWith('!'))

/** The part of a sheet that has cells; null without a sheet. An empty sheet has only A1. */
export function usedPart(sheet: WorkSheet | undefined): CellRange | null {
  if (!sheet) return null
  const range = utils.decode_range(sheet['!ref'] ?? 'A1')
  return { from: { row: range.s.r, column: range.s.c }, to: { row: range.e.r, column: range.e.c } }
}

/** Most cells of a used part, empty ones too, that a file is believed. */
const MOST_CLAIMED = 4_000_000

/** Makes the used part of a sheet as large as its cells are, where the file says that it is far larger: nobody could go through 17 billion. */
export function trimUsedPart(sheet: WorkSheet): void {
  const { s, e } = utils.decode_range(sheet['!ref'] ?? 'A1')
  if ((e.r - s.r + 1) * (e.c - s.c + 1) <= MOST_CLAIMED) return
  const to = { r: s.r, c: s.c }
  for (const address of addresses(sheet)) {
    const { r, c } = utils.decode_cell(address)
    to.r = Math.max(to.r, r)
    to.c = Math.max(to.c, c)
  }
  if ((to.r - s.r + 1) * (to.c - s.c + 1) > MOST_CLAIMED)
    throw new Error(`a sheet spans more than ${MOST_CLAIMED} cells`)
  sheet['!ref'] = utils.encode_range({ s, e: to })
}

/** A cell of a sheet, where there is one. */
export const cellAt = (sheet: WorkSheet | undefined, at: CellAddress): CellObject | undefined =>
  sheet?.[addressName(at)] as CellObject | undefined

/** Whether a formula is one of arrays: of its own cell, or of several. */
export const arrayOf = (cell: CellObject, address: string): FormulaCell['array'] =>
  cell.F === undefined
    ? undefined
    : [address, `${address}:${address}`].includes(cell.F.replaceAll('$', ''))
      ? 'one'
      : 'several'

/** Writes a value, or a formula when it is text that starts with `=`, and makes the used part hold it. The number format stays. */
export function writeCell(sheet: WorkSheet, at: CellAddress, value: string | number | boolean | null): void {
  const cellObject = cellAt(sheet, at)
  const cell: CellObject = {
    t: 'z',
    ...(cellObject?.z !== undefined && { z: cellObject.z }),
    ...(cellObject?.s !== undefined && { s: cellObject.s as unknown }),
  }
  if (typeof value === 'string' && value.startsWith('=') && value.length > 1) cell.f = value.slice(1)
  else storeValue(cell, value)
  if (cellObject || value !== null) sheet[addressName(at)] = cell
  const range = utils.decode_range(sheet['!ref'] ?? 'A1')
  sheet['!ref'] = utils.encode_range({
    s: { r: Math.min(range.s.r, at.row), c: Math.min(range.s.c, at.column) },
    e: { r: Math.max(range.e.r, at.row), c: Math.max(range.e.c, at.column) },
  })
}

/** Puts in or takes out rows or columns of a sheet: its cells, merged ranges and sizes move. Formulas stay as they read. */
export function shiftSheet(sheet: WorkSheet, shift: Shift): void {
  const cellObjectMap = new Map<string, CellObject>()
  const end = { row: 0, column: 0 }
  for (const address of addresses(sheet)) {
    const at = parseAddress(address)
    const index = at && shifted(at[shift.axis], shift)
    if (at && index !== null) {
      const to = { ...at, [shift.axis]: index }
      cellObjectMap.set(addressName(to), sheet[address] as CellObject)
      end.row = Math.max(end.row, to.row)
      end.column = Math.max(end.column, to.column)
    }
    Reflect.deleteProperty(sheet, address)
  }
  Object.assign(sheet, Object.fromEntries(cellObjectMap))
  sheet['!ref'] = utils.encode_range({ s: { r: 0, c: 0 }, e: { r: end.row, c: end.column } })
  const part = shift.axis === 'row' ? 'r' : 'c'
  sheet['!merges'] = (sheet['!merges'] ?? []).flatMap((merge) => {
    const from = shifted(merge.s[part], shift)
    const to = shifted(merge.e[part], shift)
    return from === null || to === null
      ? []
      : [{ s: { ...merge.s, [part]: from }, e: { ...merge.e, [part]: to } }]
  })
  const sizes = shift.axis === 'row' ? sheet['!rows'] : sheet['!cols']
  if (sizes && shift.count > 0 && shift.at < sizes.length) {
    const reference = Array.from({ length: shift.count }, () => ({}))
    sizes.splice(shift.at, 0, ...reference)
  } else sizes?.splice(shift.at, Math.max(0, -shift.count))
}
