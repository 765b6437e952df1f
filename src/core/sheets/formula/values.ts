import { CellError, type CellAddress, type Scalar } from '../cells'
import { Unsupported } from './parse'

/** A block of cells, or an array; `origin` is where it stands, null for arrays. */
export interface Area {
  readonly rows: readonly (readonly Scalar[])[]
  readonly origin: CellAddress | null
  /** Calculated cell by cell, which most functions do only in array formulas. */
  readonly computed?: true
}

export type Value = Scalar | Area

export const isArea = (value: Value): value is Area =>
  typeof value === 'object' && value !== null && !(value instanceof CellError)

/** Ends the evaluation of a formula with an error value. */
export class Failure extends Error {
  constructor(readonly error: CellError) {
    super(error.text)
  }
}

export const fail = (text: CellError['text']): never => {
  throw new Failure(new CellError(text))
}

const several = (): never => {
  throw new Unsupported('an area where one value belongs')
}

/** The one value of a cell or an area of one. @throws Unsupported for a larger area: which of its cells is meant depends on the program */
export function single(value: Value): Scalar {
  const scalar = isArea(value)
    ? value.rows.length === 1 && value.rows[0]?.length === 1
      ? (value.rows[0][0] ?? null)
      : several()
    : value
  if (scalar instanceof CellError) throw new Failure(scalar)
  return scalar
}

/** As Excel reads a value where a number is needed. */
export function toNumber(value: Value): number {
  const scalar = single(value)
  if (typeof scalar === 'number') return scalar
  if (typeof scalar === 'boolean') return scalar ? 1 : 0
  if (scalar === null) return 0
  const text = String(scalar).trim().replaceAll(',', '')
  const number = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text)
  return text !== '' && Number.isFinite(number) ? number : fail('#VALUE!')
}

/** As Excel writes a value where text is needed. */
export function toText(value: Value): string {
  const scalar = single(value)
  if (scalar === null) return ''
  if (typeof scalar === 'boolean') return scalar ? 'TRUE' : 'FALSE'
  return typeof scalar === 'number' ? String(Number(scalar.toPrecision(15))) : String(scalar)
}

export function toBoolean(value: Value): boolean {
  const scalar = single(value)
  if (typeof scalar === 'boolean') return scalar
  if (typeof scalar === 'string') {
    const upper = scalar.toUpperCase()
    return upper === 'TRUE' ? true : upper === 'FALSE' ? false : fail('#VALUE!')
  }
  return scalar !== null && scalar !== 0
}

/** All values, areas row by row. */
export const flat = (values: readonly Value[]): Scalar[] =>
  values.flatMap((value) => (isArea(value) ? value.rows.flat() : [value]))

/** Numbers as SUM and its like see them: in areas only numbers count, single arguments are read as numbers; errors end it. */
export function numbersOf(values: readonly Value[]): number[] {
  return values.flatMap((value) => {
    if (!isArea(value)) return value === null ? [] : [toNumber(value)]
    return value.rows.flat().flatMap((scalar) => {
      if (scalar instanceof CellError) throw new Failure(scalar)
      return typeof scalar === 'number' ? [scalar] : []
    })
  })
}

const RANK = { number: 0, string: 1, boolean: 2 } as const
type Comparable = string | number | boolean

/** Below, equal or above 0: numbers before text before booleans, text without regard to case; an empty cell is like the other's nothing. */
export function compareScalars(a: Scalar, b: Scalar): number {
  if (a instanceof CellError) throw new Failure(a)
  if (b instanceof CellError) throw new Failure(b)
  const nothing = (other: Scalar): Comparable =>
    typeof other === 'string' ? '' : typeof other === 'boolean' ? false : 0
  const comparable: Comparable = a ?? nothing(b)
  const right: Comparable = b ?? nothing(a)
  if (typeof comparable !== typeof right) {
    return RANK[typeof comparable as keyof typeof RANK] - RANK[typeof right as keyof typeof RANK]
  }
  const [x, y] =
    typeof comparable === 'string'
      ? [comparable.toLowerCase(), String(right).toLowerCase()]
      : [comparable, right]
  return x === y ? 0 : x < y ? -1 : 1
}

/** Longest text with wildcards, as in Excel. */
const LONGEST_PATTERN = 255

/**
 * Whether a text fits one with Excel's wildcards, without regard to case; `~` takes a wildcard for itself. Takes at most as many steps as the
 * text and the pattern have characters, multiplied.
 */
export function wildcard(pattern: string): { test(text: string): boolean } {
  if (pattern.length > LONGEST_PATTERN) fail('#VALUE!')
  const parts = Array.from(pattern.toLowerCase().matchAll(/~[*?~]|[^]/g), ([part]) =>
    part === '*' ? ANY : part === '?' ? ONE : part.length === 2 ? (part[1] ?? '') : part,
  )
  return { test: (text) => fits(parts, text.toLowerCase()) }
}

const ANY = Symbol('any characters')
const ONE = Symbol('one character')

function fits(parts: readonly (string | symbol)[], text: string): boolean {
  let [at, part] = [0, 0]
  // Where the last `*` stands, and up to where it reaches so far: only it ever takes more.
  let [star, reach] = [-1, 0]
  while (at < text.length) {
    if (parts[part] === ANY) [star, reach] = [part++, at]
    else if (part < parts.length && (parts[part] === ONE || parts[part] === text[at]))
      [at, part] = [at + 1, part + 1]
    else if (star >= 0) [at, part] = [++reach, star + 1]
    else return false
  }
  while (parts[part] === ANY) part++
  return part === parts.length
}

/** Whether a cell meets a criterion of COUNTIF and its like: `">=5"`, `"<>x"`, `"a*"`, or a value. */
export function criterion(wantedTarget: Scalar): (value: Scalar) => boolean {
  if (wantedTarget instanceof CellError)
    return (value) => value instanceof CellError && value.text === wantedTarget.text
  if (typeof wantedTarget !== 'string') {
    const target = wantedTarget ?? 0
    return (value) =>
      value === target || (typeof value === 'string' && value !== '' && Number(value) === target)
  }
  const [, operator = '', operand = ''] = /^(<=|>=|<>|=|<|>)?([^]*)$/.exec(wantedTarget) ?? []
  const number = operand.trim() === '' ? NaN : Number(operand)
  if (operator === '' || operator === '=' || operator === '<>') {
    const pattern = wildcard(operand)
    const equal = (value: Scalar): boolean => {
      if (value instanceof CellError) return false
      if (!Number.isNaN(number))
        return value !== null && value !== '' && typeof value !== 'boolean' && Number(value) === number
      if (operand === '') return value === null || (operator === '' && value === '')
      return typeof value === 'boolean'
        ? String(value) === operand.toLowerCase()
        : typeof value === 'string' && pattern.test(value)
    }
    return operator === '<>' ? (value) => !equal(value) : equal
  }
  const holds = (order: number): boolean =>
    operator === '<' ? order < 0 : operator === '>' ? order > 0 : operator === '<=' ? order <= 0 : order >= 0
  return (value) => {
    if (!Number.isNaN(number)) return typeof value === 'number' && holds(value - number)
    return typeof value === 'string' && holds(compareScalars(value, operand))
  }
}
