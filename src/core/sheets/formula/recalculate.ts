import type { CellAddress, CellRange, Scalar } from '../cells'
import { evaluate, type CellReader } from './evaluate'
import { parseFormula, Unsupported } from './parse'
import { tokenize } from './tokens'

/** A formula and the value that was last stored with it; undefined when it was never calculated. */
export interface FormulaCell {
  readonly sheet: string
  readonly at: CellAddress
  /** Without its `=`. */
  readonly formula: string
  readonly cached: Scalar | undefined
  /** An array formula: of one cell, or of several that share it, which is not computed here. Default: none. */
  readonly array?: 'one' | 'several' | undefined
}

/** A workbook as recalculation reads it. */
export interface FormulaBook {
  readonly formulas: readonly FormulaCell[]
  /** The value of a cell without a formula. */
  plain(sheet: string, at: CellAddress): Scalar
  extent(sheet: string): CellRange | null
  /** Whether a cell was written since its workbook was opened. */
  isTouched(sheet: string, at: CellAddress): boolean
  /** A number in one of Excel's formats; left out where there is nobody to ask. */
  format?(value: number, code: string): string
  /** Hears of each formula that is not computed here, and what it would take. */
  unsupported?(cell: FormulaCell, why: string): void
}

/** What a formula comes to; `unknown` when it is not computed here and what was stored may no longer hold. */
export type Calculated = { readonly value: Scalar } | 'unknown'

const keyOf = (sheet: string, { row, column }: CellAddress): string => `${row},${column},${sheet}`

/**
 * Calculates all formulas of a workbook. A formula that uses something not known here keeps the value stored with it as
 * long as nothing it refers to, directly or through others, was written or came out differently; after that it is unknown, and so is
 * everything that depends on it.
 */
export function recalculate(book: FormulaBook): Map<FormulaCell, Calculated> {
  const cells = new Map(book.formulas.map((cell) => [keyOf(cell.sheet, cell.at), cell]))
  const doneMap = new Map<FormulaCell, Calculated>()
  const underWay = new Set<FormulaCell>()

  const calculate = (cell: FormulaCell): Calculated => {
    const record = doneMap.get(cell)
    if (record !== undefined) return record
    if (underWay.has(cell)) throw new Unsupported('a circle of formulas')
    underWay.add(cell)
    const result = attempt(cell)
    underWay.delete(cell)
    doneMap.set(cell, result)
    return result
  }

  const attempt = (cell: FormulaCell): Calculated => {
    try {
      if (cell.array === 'several') throw new Unsupported('an array formula of several cells')
      return {
        value: evaluate(parseFormula(cell.formula), cell.sheet, cell.at, reader, cell.array === 'one'),
      }
    } catch (error) {
      // Formulas that build on each other through thousands of cells exhaust the stack.
      if (!(error instanceof Unsupported) && !(error instanceof RangeError)) throw error
      book.unsupported?.(cell, error instanceof Unsupported ? error.message : 'formulas upon formulas')
      const holds = cell.cached !== undefined && !book.isTouched(cell.sheet, cell.at) && !readsChanges(cell)
      return holds ? { value: cell.cached ?? null } : 'unknown'
    }
  }

  const reader: CellReader = {
    ...(book.format && { format: book.format.bind(book) }),
    extent: (sheet: string) => book.extent(sheet),
    value(sheet: string, at: CellAddress): Scalar {
      const cell = cells.get(keyOf(sheet, at))
      if (!cell) return book.plain(sheet, at)
      const result = calculate(cell)
      if (result === 'unknown') throw new Unsupported('a cell whose value is not known')
      return result.value
    },
  }

  const hasChanged = (sheet: string, at: CellAddress): boolean => {
    if (book.isTouched(sheet, at)) return true
    const cell = cells.get(keyOf(sheet, at))
    if (!cell || underWay.has(cell)) return false
    const result = calculate(cell)
    return result === 'unknown' || result.value !== cell.cached
  }

  /** Names and whole rows may lead anywhere, so they count as changed as soon as anything is. */
  const readsChanges = ({ formula, sheet }: FormulaCell): boolean => {
    const tokens = (tokenize(formula) ?? []).filter(({ kind }) => kind !== 'space')
    return tokens.some((token, i) => {
      if (token.kind === 'band') return true
      if (token.kind !== 'reference') return token.kind === 'name' && tokens[i + 1]?.text !== '('
      const second = tokens[i + 1]?.text === ':' ? tokens[i + 2] : undefined
      const { at: from, sheet: name } = token.value
      const to = second?.kind === 'reference' ? second.value.at : from
      for (let row = Math.min(from.row, to.row); row <= Math.max(from.row, to.row); row++) {
        for (
          let column = Math.min(from.column, to.column);
          column <= Math.max(from.column, to.column);
          column++
        ) {
          if (hasChanged(name ?? sheet, { row, column })) return true
        }
      }
      return false
    })
  }

  for (const cell of book.formulas) calculate(cell)
  return doneMap
}
