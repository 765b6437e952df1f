import { CellError, type CellAddress, type Scalar } from '../cells'
import { Unsupported, type Node } from './parse'
import {
  compareScalars,
  fail,
  Failure,
  flat,
  isArea,
  single,
  toBoolean,
  toNumber,
  toText,
  type Value,
} from './values'

/** A call whose arguments are calculated one by one, when they are asked for. */
export interface LazyCall {
  readonly count: number
  /** Calculates an argument; null for one that is left out. */
  value(i: number): Value
  /** An argument as it is written; null for one that is left out. */
  node(i: number): Node | null
  /** Where the formula stands. */
  readonly at: CellAddress
  readonly format: ((value: number, code: string) => string) | undefined
  /** Applies a function cell by cell; there in array formulas alone. */
  readonly map?: (values: readonly Value[], apply: (scalars: readonly Scalar[]) => Scalar) => Value
}

/** The value, or the error it ends with; of an area of one cell, its value. */
function catchError(read: () => Value): Value {
  try {
    const value = read()
    const all = flat([value])
    return all.length === 1 ? (all[0] ?? null) : value
  } catch (error) {
    if (error instanceof Failure) return error.error
    throw error
  }
}

/** The first argument, caught. In an array formula, what several cells have in them would have to be caught one by one. */
function caughtFirst(call: LazyCall): Value {
  const trial = catchError(() => call.value(0))
  if (call.map && isArea(trial)) throw new Unsupported('errors of several cells')
  return trial
}

const isError = (call: LazyCall, which: (error: CellError) => boolean): boolean => {
  const trial = caughtFirst(call)
  return trial instanceof CellError && which(trial)
}

const instead =
  (which: (error: CellError) => boolean) =>
  (call: LazyCall): Value => {
    const trial = caughtFirst(call)
    return trial instanceof CellError && which(trial) ? call.value(1) : trial
  }

const isSeveral = (node: Node): boolean =>
  node.kind !== 'area' ||
  node.range.from.row !== node.range.to.row ||
  node.range.from.column !== node.range.to.column

const isNa = ({ text }: CellError): boolean => text === '#N/A'

const place =
  (axis: 'row' | 'column') =>
  ({ node, at, map }: LazyCall): Value => {
    const givenNode = node(0)
    if (map && givenNode && isSeveral(givenNode)) throw new Unsupported('the places of several cells')
    const from = givenNode?.kind === 'area' ? givenNode.range.from : givenNode ? fail('#VALUE!') : at
    return from[axis] + 1
  }

/** Functions that do not look at all of their arguments, or at more than their values. */
export const LAZY: Readonly<Record<string, (call: LazyCall) => Value>> = {
  IF({ count, value, map }) {
    const condition = value(0)
    const otherwise = (): Value => (count > 2 ? value(2) : false)
    if (!map || !isArea(condition)) return toBoolean(condition) ? value(1) : otherwise()
    return map([condition, value(1), otherwise()], ([holds = null, then = null, other = null]) =>
      toBoolean(holds) ? then : other,
    )
  },
  IFS({ count, value }) {
    for (let i = 0; i + 1 < count; i += 2) if (toBoolean(value(i))) return value(i + 1)
    return fail('#N/A')
  },
  IFERROR: instead(() => true),
  IFNA: instead(isNa),
  ISERROR: (call) => isError(call, () => true),
  ISNA: (call) => isError(call, isNa),
  ISERR: (call) => isError(call, (error) => !isNa(error)),
  NA: () => fail('#N/A'),
  CHOOSE({ count, value }) {
    const number = Math.trunc(toNumber(value(0)))
    return number >= 1 && number < count ? value(number) : fail('#VALUE!')
  },
  SWITCH({ count, value }) {
    const target = single(value(0))
    let i = 1
    for (; i + 1 < count; i += 2) if (compareScalars(target, single(value(i))) === 0) return value(i + 1)
    return i < count ? value(i) : fail('#N/A')
  },
  TEXT({ value, format }) {
    const view = single(value(0))
    if (format === undefined) throw new Unsupported('TEXT')
    return typeof view === 'number' || view === null ? format(view ?? 0, toText(value(1))) : toText(view)
  },
  ROW: place('row'),
  COLUMN: place('column'),
}
