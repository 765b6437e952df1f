import { read, SSF, utils, write, type CellObject, type WorkBook, type WorkSheet } from '@e965/xlsx'
import { addressName, parseAddress, type CellAddress, type CellRange } from './cells'
import type { GradedWorkbook } from './compare'
import { recalculate, type FormulaCell } from './formula/recalculate'
import { shiftFormula, type Shift } from './formula/tokens'
import { LoamError } from '../../shared/errors'
import {
  addresses,
  arrayOf,
  cellAt,
  shiftSheet,
  storeValue,
  trimUsedPart,
  usedPart,
  valueOf,
  writeCell,
} from './sheet-cells'

/** An xlsx file in memory: cells, formulas and what the library keeps of formats. */
export interface SheetFile {
  readonly sheets: readonly string[]
  readonly cells: GradedWorkbook
  /** The used part of a sheet; null when there is no such sheet. An empty sheet has only A1. */
  extent(sheet: string): CellRange | null
  /** Without its `=`; null when there is none. */
  formula(sheet: string, at: CellAddress): string | null
  /** Whether a cell is one of those that share an array formula. */
  isArray(sheet: string, at: CellAddress): boolean
  /** The cell as a person sees it. */
  shown(sheet: string, at: CellAddress): string
  /** Sets a value, or a formula when it is text that starts with `=`. The cell's number format stays. */
  set(sheet: string, at: CellAddress, value: string | number | boolean | null): void
  /** Puts in or takes out rows or columns; cells, merged ranges and references move. */
  shift(shift: Shift): void
  addSheet(name: string): void
  deleteSheet(name: string): void
  renameSheet(name: string, to: string): void
  /** Whether a formula has no value stored with it, as in files that no spreadsheet program saved. */
  readonly isUncalculated: boolean
  /**
   * Calculates all formulas anew; those not known here keep their value or become unknown. Answers with each of these, and what it
   * would take to compute it.
   */
  calculate(): readonly UncomputedFormula[]
  save(): Uint8Array
  /** The file as it now is, to go back to. */
  snapshot(): () => void
}

/** A formula that is not computed here. */
export interface UncomputedFormula {
  readonly sheet: string
  readonly at: CellAddress
  readonly formula: string
  readonly why: string
}

const keyOf = (sheet: string, at: CellAddress): string => `${sheet}!${addressName(at)}`

const NAME = /^[^[\]:*?/\\]{1,31}$/

/** @throws LoamError `TASK_STREAM` when the bytes are no workbook */
function readBook(bytes: Uint8Array, unpack: (bytes: Uint8Array) => Uint8Array): WorkBook {
  try {
    const book = read(unpack(bytes), { type: 'array', cellNF: true, cellStyles: true })
    for (const sheet of Object.values(book.Sheets)) trimUsedPart(sheet)
    return book
  } catch (error) {
    throw new LoamError('TASK_STREAM', `The workbook cannot be read: ${(error as Error).message}.`, {
      suggestion: 'Check the .xlsx files of the stream.',
    })
  }
}

/** @throws Error when no further sheet can have this name */
function checkNewName(book: WorkBook, name: string): void {
  if (!NAME.test(name)) throw new Error(`"${name}" cannot be the name of a sheet`)
  if (book.SheetNames.some((each) => each.toLowerCase() === name.toLowerCase())) {
    throw new Error(`There is a sheet "${name}" already`)
  }
}

/**
 * Opens a workbook, its archive unpacked by `unpack`. Its methods throw a plain Error for a sheet that is not there or a name that is taken.
 * @throws LoamError `TASK_STREAM` when the bytes are no workbook
 */
export function openSheetFile(bytes: Uint8Array, unpack: (bytes: Uint8Array) => Uint8Array): SheetFile {
  let book = readBook(bytes, unpack)
  let touched = new Set<string>()
  let unknown = new Map<string, string>()

  const find = (name: string): WorkSheet | undefined =>
    book.SheetNames.includes(name) ? book.Sheets[name] : undefined
  const need = (name: string): WorkSheet => {
    const sheet = find(name)
    if (!sheet) throw new Error(`There is no sheet "${name}". There are: ${book.SheetNames.join(', ')}`)
    return sheet
  }

  const extent = (name: string): CellRange | null => usedPart(find(name))

  const formulaCells = (): (FormulaCell & { readonly cell: CellObject })[] =>
    book.SheetNames.flatMap((name) => {
      const sheet = need(name)
      return addresses(sheet).flatMap((address) => {
        const cell = sheet[address] as CellObject
        const at = parseAddress(address)
        if (cell.f === undefined || !at) return []
        const isNew = touched.has(keyOf(name, at)) || unknown.has(keyOf(name, at))
        // An empty value is what programs write that do not calculate.
        const cached = isNew || cell.v === undefined || cell.t === 'z' ? undefined : valueOf(cell)
        return [{ sheet: name, at, formula: cell.f, cached, array: arrayOf(cell, address), cell }]
      })
    })

  return {
    get sheets() {
      return book.SheetNames
    },
    cells: {
      get sheets() {
        return book.SheetNames
      },
      cell(name, at) {
        const cell = cellAt(find(name), at)
        return {
          value: valueOf(cell),
          isDate: cell?.t === 'n' && cell.z !== undefined && SSF.is_date(String(cell.z)),
          unknown: unknown.has(keyOf(name, at)),
          why: unknown.get(keyOf(name, at)),
        }
      },
    },
    extent,
    formula: (name, at) => cellAt(need(name), at)?.f ?? null,
    isArray: (name, at) => cellAt(need(name), at)?.F !== undefined,
    shown(name, at) {
      const cell = cellAt(need(name), at)
      if (unknown.has(keyOf(name, at))) return `=${cell?.f ?? ''} (not calculated)`
      return cell === undefined || cell.t === 'z' ? '' : utils.format_cell({ ...cell })
    },
    set(name, at, value) {
      writeCell(need(name), at, value)
      touched.add(keyOf(name, at))
      unknown.delete(keyOf(name, at))
    },
    shift(shift) {
      const sheet = need(shift.sheet)
      shiftSheet(sheet, shift)
      for (const name of book.SheetNames) {
        const other = need(name)
        for (const address of addresses(other)) {
          const cell = other[address] as CellObject
          if (cell.f !== undefined) cell.f = shiftFormula(cell.f, name, shift)
        }
      }
      // What moved cannot be told from what was written, so every cell of the sheet counts as touched.
      for (const address of addresses(sheet)) touched.add(`${shift.sheet}!${address}`)
    },
    addSheet(name) {
      checkNewName(book, name)
      utils.book_append_sheet(book, utils.aoa_to_sheet([[]]), name)
    },
    deleteSheet(name) {
      need(name)
      if (book.SheetNames.length === 1) throw new Error('The only sheet cannot be deleted')
      book.SheetNames = book.SheetNames.filter((each) => each !== name)
      Reflect.deleteProperty(book.Sheets, name)
    },
    renameSheet(name, to) {
      const sheet = need(name)
      checkNewName(book, to)
      book.SheetNames = book.SheetNames.map((each) => (each === name ? to : each))
      Reflect.deleteProperty(book.Sheets, name)
      book.Sheets[to] = sheet
      for (const address of addresses(sheet)) touched.add(`${to}!${address}`)
    },
    get isUncalculated() {
      return formulaCells().some(({ cached }) => cached === undefined)
    },
    calculate() {
      const formulas = formulaCells()
      const uncomputed = new Map<FormulaCell, UncomputedFormula>()
      const results = recalculate({
        formulas,
        plain: (name, at) => valueOf(cellAt(find(name), at)),
        extent,
        isTouched: (name, at) => touched.has(keyOf(name, at)) || unknown.has(keyOf(name, at)),
        format: (value, code) => SSF.format(code, value),
        unsupported: (formula, why) => {
          uncomputed.set(formula, { sheet: formula.sheet, at: formula.at, formula: formula.formula, why })
        },
      })
      const stillUnknown = new Map<string, string>()
      for (const formula of formulas) {
        const result = results.get(formula)
        if (result === undefined || result === 'unknown')
          stillUnknown.set(keyOf(formula.sheet, formula.at), uncomputed.get(formula)?.why ?? 'not known')
        else storeValue(formula.cell, result.value)
      }
      unknown = stillUnknown
      return [...uncomputed.values()]
    },
    save: () => new Uint8Array(write(book, { type: 'array', bookType: 'xlsx' }) as ArrayBuffer),
    snapshot() {
      const selection = { book: structuredClone(book), touched: new Set(touched), unknown: new Map(unknown) }
      return () => ({ book, touched, unknown } = selection)
    },
  }
}
