import type { CellAddress, CellRange, Scalar } from '../cells'
import { FUNCTIONS } from './functions'
import { LAZY } from './lazy'
import { libraryFunction } from './library'
import { Unsupported, type Node } from './parse'
import {
  compareScalars,
  fail,
  Failure,
  isArea,
  single,
  toNumber,
  toText,
  type Area,
  type Value,
} from './values'

/** Where a formula reads. */
export interface CellReader {
  value(sheet: string, at: CellAddress): Scalar
  /** A number in one of Excel's formats, for TEXT; left out where there is nobody to ask. */
  format?(value: number, code: string): string
  /** The used part of a sheet; null when there is no such sheet. */
  extent(sheet: string): CellRange | null
}

/** Functions that calculate arrays in any formula; others do so in array formulas alone. */
const TAKES_COMPUTED: ReadonlySet<string> = new Set(['SUMPRODUCT', 'LOOKUP', 'INDEX'])

/** Most cells one formula may look at in one area. */
const MOST_CELLS = 1_000_000

/**
 * The value of a formula that stands at `at` of `sheet`. `inArray`: it is an array formula of one cell, so arrays are calculated everywhere.
 * @throws Unsupported for what is not computed here
 */
export function evaluate(
  node: Node,
  sheet: string,
  at: CellAddress,
  cells: CellReader,
  inArray = false,
): Scalar {
  try {
    const value = evaluateNode(node)
    if (!isArea(value)) return value
    if (value.rows.length > 1 || (value.rows[0]?.length ?? 0) > 1)
      throw new Unsupported('a formula that gives several cells')
    return value.rows[0]?.[0] ?? null
  } catch (error) {
    if (error instanceof Failure) return error.error
    throw error
  }

  function read(of: string | null, range: CellRange): Area {
    const name = of ?? sheet
    const extent = cells.extent(name)
    if (!extent) return fail('#REF!')
    const last = {
      row: Math.min(range.to.row, extent.to.row),
      column: Math.min(range.to.column, extent.to.column),
    }
    // One cell, or a block written out, keeps its shape; only what goes beyond the sheet's used part is left out.
    const to = {
      row: range.to.row - range.from.row < 1000 ? range.to.row : Math.max(range.from.row, last.row),
      column:
        range.to.column - range.from.column < 100
          ? range.to.column
          : Math.max(range.from.column, last.column),
    }
    if ((to.row - range.from.row + 1) * (to.column - range.from.column + 1) > MOST_CELLS) {
      throw new Unsupported('an area of too many cells')
    }
    const rows: Scalar[][] = []
    for (let { row } = range.from; row <= to.row; row++) {
      const values: Scalar[] = []
      for (let { column } = range.from; column <= to.column; column++)
        values.push(cells.value(name, { row, column }))
      rows.push(values)
    }
    return { rows, origin: range.from }
  }

  function evaluateNode(each: Node): Value {
    switch (each.kind) {
      case 'value':
        return each.value
      case 'area':
        return read(each.sheet, each.range)
      case 'band': {
        const { axis, from, to } = each.band
        const extent = cells.extent(each.band.sheet ?? sheet) ?? fail('#REF!')
        return read(
          each.band.sheet,
          axis === 'column'
            ? { from: { row: 0, column: from }, to: { row: extent.to.row, column: to } }
            : { from: { row: from, column: 0 }, to: { row: to, column: extent.to.column } },
        )
      }
      case 'array':
        return { rows: each.rows.map((row) => row.map((cell) => single(evaluateNode(cell)))), origin: null }
      case 'negative':
        return mapped([evaluateNode(each.of)], ([value = null]) => -toNumber(value))
      case 'percent':
        return mapped([evaluateNode(each.of)], ([value = null]) => toNumber(value) / 100)
      case 'binary':
        return mapped([evaluateNode(each.left), evaluateNode(each.right)], ([rest = null, right = null]) =>
          operate(each.operator, rest, right),
        )
      case 'call':
        return call(each.name, each.args)
    }
  }

  function call(name: string, args: readonly (Node | null)[]): Value {
    const value = (i: number): Value => {
      const node = args[i]
      return node ? evaluateNode(node) : null
    }
    const lazy = Object.hasOwn(LAZY, name) ? LAZY[name] : undefined
    if (lazy)
      return lazy({
        ...{ count: args.length, value, node: (i: number) => args[i] ?? null, at, format: cells.format },
        ...(inArray && { map: mapped }),
      })
    const sheetFunction = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : libraryFunction(name)
    if (!sheetFunction) throw new Unsupported(name)
    const values = args.map((_, i) => value(i))
    if (!inArray && !TAKES_COMPUTED.has(name) && values.some((each) => isArea(each) && each.computed))
      throw new Unsupported('an array that is calculated')
    return sheetFunction(values)
  }
}

/** Applies a function to values, cell by cell where one is an area. */
function mapped(values: readonly Value[], apply: (scalars: readonly Scalar[]) => Scalar): Value {
  const areas = values.filter(isArea).filter(({ rows }) => rows.length > 1 || (rows[0]?.length ?? 0) > 1)
  const [shape] = areas
  if (!shape) return apply(values.map(single))
  const at = (value: Value, row: number, column: number): Scalar => {
    if (!isArea(value)) return value
    const cells = value.rows[value.rows.length === 1 ? 0 : row]
    return cells?.[cells.length === 1 ? 0 : column] ?? null
  }
  const rows = Math.max(...areas.map((area) => area.rows.length))
  const columns = Math.max(...areas.map((area) => area.rows[0]?.length ?? 0))
  return {
    origin: null,
    computed: true,
    rows: Array.from({ length: rows }, (_, row) =>
      Array.from({ length: columns }, (__, column) => {
        try {
          return apply(values.map((value) => at(value, row, column)))
        } catch (error) {
          if (error instanceof Failure) return error.error
          throw error
        }
      }),
    ),
  }
}

function operate(operator: string, rest: Scalar, right: Scalar): Scalar {
  switch (operator) {
    case '+':
      return toNumber(rest) + toNumber(right)
    case '-':
      return toNumber(rest) - toNumber(right)
    case '*':
      return toNumber(rest) * toNumber(right)
    case '/':
      return toNumber(right) === 0 ? fail('#DIV/0!') : toNumber(rest) / toNumber(right)
    case '^': {
      const power = toNumber(rest) ** toNumber(right)
      return Number.isFinite(power) ? power : fail('#NUM!')
    }
    case '&':
      return toText(rest) + toText(right)
    default: {
      const order = compareScalars(rest, right)
      const holds = {
        '=': order === 0,
        '<>': order !== 0,
        '<': order < 0,
        '>': order > 0,
        '<=': order <= 0,
        '>=': order >= 0,
      }[operator]
      if (holds === undefined) throw new Unsupported(operator)
      return holds
    }
  }
}
