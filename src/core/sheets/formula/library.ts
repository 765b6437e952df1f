import * as formulajs from '@formulajs/formulajs'
import { CellError, type Scalar } from '../cells'
import type { SheetFunction } from './functions'
import { Unsupported } from './parse'
import { NO_VALUE, SIGNATURES } from './signatures'
import { fail, flat, isArea, numbersOf, single, toBoolean, toNumber, toText, type Value } from './values'

/** `STDEV.S` is the member S of STDEV. */
function find(name: string): ((...args: readonly unknown[]) => unknown) | null {
  const member = name
    .split('.')
    .reduce<unknown>(
      (at, part) =>
        (typeof at === 'object' && at !== null) || typeof at === 'function'
          ? Reflect.get(at, part)
          : undefined,
      formulajs,
    )
  return typeof member === 'function' ? (member as (...args: readonly unknown[]) => unknown) : null
}

/** Days since the last of 1899; before March 1900 Excel counts a day that never was, so those are not known here. */
function serialOf(date: Date): number {
  const day = Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())
  const serial = Math.round((day - Date.UTC(1899, 11, 30)) / 86_400_000)
  return serial >= 61 ? serial : unsupported('a day before March 1900')
}

const unsupported = (why: string): never => {
  throw new Unsupported(why)
}

/** A list of numbers of which every one counts, as paired functions need them. */
function allNumbers(value: Value, name: string): number[] {
  const cells = flat([value])
  const numbers = cells.filter((cell) => typeof cell === 'number')
  return numbers.length === cells.length ? numbers : unsupported(`cells without numbers in ${name}`)
}

/** One argument as the library is to see it, by its letter in the signature. */
function argument(kind: string, value: Value, name: string): unknown {
  switch (kind) {
    case 'n':
      return toNumber(value)
    case 'd': {
      const day = toNumber(value)
      return day >= 61 ? day : unsupported('a day before March 1900')
    }
    case 't':
      return toText(value)
    case 'b':
      return toBoolean(value)
    case 'a':
      return isArea(value) ? numbersOf([value]) : toNumber(value)
    case 'p':
      return allNumbers(value, name)
    default:
      return single(value)
  }
}

function scalarOf(result: unknown, name: string): Scalar {
  if (result instanceof Date) return serialOf(result)
  if (
    result === undefined ||
    result instanceof Error ||
    (typeof result === 'number' && !Number.isFinite(result))
  ) {
    const error = NO_VALUE.get(SIGNATURES.get(name)?.as ?? name)
    return error === undefined ? unsupported(`an error of ${name}`) : fail(error)
  }
  if (typeof result === 'number') return result
  return typeof result === 'string' || typeof result === 'boolean' ? result : unsupported(name)
}

const sheetFunctionMap = new Map<string, SheetFunction | null>()

/** A function of the library whose signature is known, so that nothing is handed to it in a form it would have to guess about. */
export function libraryFunction(name: string): SheetFunction | null {
  const sheetFunction = sheetFunctionMap.get(name)
  if (sheetFunction !== undefined) return sheetFunction
  const ready = make(name)
  sheetFunctionMap.set(name, ready)
  return ready
}

function make(name: string): SheetFunction | null {
  const signature = SIGNATURES.get(name)
  const call = signature === undefined ? null : find(signature.as)
  if (signature === undefined || call === null) return null
  const { kinds, repeats, upper } = signature
  return (args) => {
    if (args.length < signature.least) return unsupported(`${name} with ${args.length} arguments`)
    if (args.length > kinds.length && !repeats) return unsupported(`${name} with ${args.length} arguments`)
    const inputs = args.map((value, i) => {
      const error = isArea(value) ? undefined : value
      if (error instanceof CellError) return fail(error.text)
      return argument(kinds[Math.min(i, kinds.length - 1)] ?? 'v', value, name)
    })
    const result = scalarOf(call(...inputs), name)
    return upper && typeof result === 'string' ? result.toUpperCase() : result
  }
}
