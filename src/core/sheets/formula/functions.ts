import { CellError, type Scalar } from '../cells'
import { Unsupported } from './parse'
import {
  compareScalars,
  criterion,
  fail,
  flat,
  isArea,
  numbersOf,
  single,
  toBoolean,
  toNumber,
  toText,
  wildcard,
  type Area,
  type Value,
} from './values'

export type SheetFunction = (args: readonly Value[]) => Value

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const mean = (values: readonly number[]): number =>
  values.length === 0 ? fail('#DIV/0!') : sum(values) / values.length

const getSortedNumbers = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b)

const arg = (args: readonly Value[], index: number): Value => args[index] ?? null
const area = (value: Value): Area => (isArea(value) ? value : { rows: [[value]], origin: null })
const flag = (value: Value | undefined, otherwise: boolean): boolean =>
  value === undefined ? otherwise : toBoolean(value)

/** Rounds half away from zero, or always up or down, at a decimal place. */
function roundAt(how: (magnitude: number) => number): SheetFunction {
  return (args) => {
    const value = toNumber(arg(args, 0))
    const scale = 10 ** Math.trunc(toNumber(arg(args, 1)))
    // 15 digits are what a sheet keeps; without this 1.005 would round down.
    const magnitude = how(Number((Math.abs(value) * scale).toPrecision(15)))
    return (Math.sign(value) * magnitude) / scale
  }
}

/** Which cells of areas of one shape meet all of the criteria that are given in pairs. */
function meeting(pairs: readonly Value[]): boolean[] {
  let all: boolean[] | null = null
  for (let i = 0; i + 1 < pairs.length; i += 2) {
    const meets = criterion(
      isArea(arg(pairs, i + 1)) ? single(arg(pairs, i + 1)) : (arg(pairs, i + 1) as Scalar),
    )
    const here = flat([arg(pairs, i)]).map(meets)
    if (all !== null && all.length !== here.length) return fail('#VALUE!')
    all = all === null ? here : all.map((isMet, at) => isMet && here[at] === true)
  }
  return all ?? fail('#VALUE!')
}

const getChosenNumbers = (values: Value, metFlags: readonly boolean[]): number[] => {
  const cells = flat([values])
  return numbersOf([{ rows: [cells.filter((_, i) => metFlags[i] === true)], origin: null }])
}

/** SUMIF(range, criterion, [values]) in the order that SUMIFS has them. */
const ifArguments = (args: readonly Value[]): [Value, Value[]] => [
  args.length > 2 ? arg(args, 2) : arg(args, 0),
  [arg(args, 0), arg(args, 1)],
]

/** Where a value is in a list: exactly (0), or the last one that is not above it (1), or not below it (-1). */
function position(target: Scalar, list: readonly Scalar[], mode: number): number {
  if (mode === 0) {
    const pattern = typeof target === 'string' && /[*?]/.test(target) ? wildcard(target) : null
    return list.findIndex((value) =>
      value === null || value instanceof CellError || typeof value !== typeof target
        ? false
        : pattern
          ? pattern.test(String(value))
          : compareScalars(value, target) === 0,
    )
  }
  let best = -1
  for (const [i, value] of list.entries()) {
    if (value === null || typeof value !== typeof target) continue
    const order = compareScalars(value, target)
    if (mode > 0 ? order <= 0 : order >= 0) best = i
    else break
  }
  return best
}

const getFoundCount = (index: number): number => (index < 0 ? fail('#N/A') : index)

const lookup =
  (byRow: boolean): SheetFunction =>
  (args) => {
    const { rows } = area(arg(args, 1))
    const keys = byRow ? rows.map((row) => row[0] ?? null) : [...(rows[0] ?? [])]
    const at = getFoundCount(position(single(arg(args, 0)), keys, flag(args[3], true) ? 1 : 0))
    const offset = Math.trunc(toNumber(arg(args, 2))) - 1
    if (offset < 0) return fail('#VALUE!')
    const value = byRow ? rows[at]?.[offset] : rows[offset]?.[at]
    return value === undefined ? fail('#REF!') : value
  }

/** Excel's day 0. */
const EPOCH = Date.UTC(1899, 11, 30)

/** Year, month and day of a serial number. Day 60 is the 29th of February 1900 that never was; days before it are counted from 1. */
function partsOf(value: Value): { readonly year: number; readonly month: number; readonly day: number } {
  const days = Math.floor(toNumber(value))
  if (days < 0) return fail('#NUM!')
  if (days === 0) return { year: 1900, month: 1, day: 0 }
  if (days === 60) return { year: 1900, month: 2, day: 29 }
  const date = new Date(EPOCH + (days < 60 ? days + 1 : days) * 86_400_000)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** Whole years, months or days between two days; MD and YD, which Excel itself warns of, are not known here. */
function dateDif(args: readonly Value[]): number {
  const [first, last] = [Math.floor(toNumber(arg(args, 0))), Math.floor(toNumber(arg(args, 1)))]
  const unit = toText(arg(args, 2)).toUpperCase()
  if (first > last) return fail('#NUM!')
  const [from, to] = [partsOf(first), partsOf(last)]
  const months = (to.year - from.year) * 12 + to.month - from.month - (to.day < from.day ? 1 : 0)
  switch (unit) {
    case 'D':
      return last - first
    case 'M':
      return months
    case 'Y':
      return Math.floor(months / 12)
    case 'YM':
      return months % 12
    default:
      throw new Unsupported(`DATEDIF in ${unit}`)
  }
}
const serial = (year: number, month: number, day: number): number =>
  Math.round((Date.UTC(year, month - 1, day) - EPOCH) / 86_400_000)

const search =
  (exact: boolean): SheetFunction =>
  (args) => {
    const start = args.length > 2 ? toNumber(arg(args, 2)) - 1 : 0
    const target = toText(arg(args, 0))
    const text = toText(arg(args, 1))
    const at = exact ? text.indexOf(target, start) : text.toLowerCase().indexOf(target.toLowerCase(), start)
    return at < 0 ? fail('#VALUE!') : at + 1
  }

const properCase = (text: string): string =>
  text
    .toLowerCase()
    .replace(/(^|[^\p{L}])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())

function textJoin(args: readonly Value[]): string {
  const skipEmpty = toBoolean(arg(args, 1))
  const texts = flat(args.slice(2)).map((value) => toText(value))
  return (skipEmpty ? texts.filter((text) => text !== '') : texts).join(toText(arg(args, 0)))
}

function substitute(args: readonly Value[]): string {
  const [text, old, replacement] = [0, 1, 2].map((i) => toText(arg(args, i)))
  if (text === undefined || !old || replacement === undefined) return text ?? ''
  if (args.length < 4) return text.split(old).join(replacement)
  const parts = text.split(old)
  const nthPart = toNumber(arg(args, 3))
  return parts.length <= nthPart
    ? text
    : parts.slice(0, nthPart).join(old) + replacement + parts.slice(nthPart).join(old)
}

function sumProduct(args: readonly Value[]): number {
  const lists = args.map((each) => flat([each]).map((value) => (typeof value === 'number' ? value : 0)))
  const [first = []] = lists
  if (lists.some((list) => list.length !== first.length)) return fail('#VALUE!')
  return sum(first.map((_, i) => lists.reduce((product, list) => product * (list[i] ?? 0), 1)))
}

function index(args: readonly Value[]): Value {
  const { rows } = area(arg(args, 0))
  const first = Math.trunc(toNumber(arg(args, 1)))
  const oneRow = rows.length === 1 && args.length < 3
  const [row, column] = oneRow
    ? [1, first]
    : [first, args.length > 2 ? Math.trunc(toNumber(arg(args, 2))) : 1]
  if (row === 0) return { rows: rows.map((each) => [each[column - 1] ?? null]), origin: null }
  if (column === 0) return { rows: [rows[row - 1] ?? fail('#REF!')], origin: null }
  const value = rows[row - 1]?.[column - 1]
  return value === undefined ? fail('#REF!') : value
}

/** XLOOKUP's exact match; its other modes are not known here. */
function xlookup(args: readonly Value[]): Value {
  if (args.length > 4) throw new Unsupported('XLOOKUP in another mode')
  const at = position(single(arg(args, 0)), flat([arg(args, 1)]), 0)
  if (at < 0) return args.length > 3 ? arg(args, 3) : fail('#N/A')
  return flat([arg(args, 2)])[at] ?? null
}

/** The last value of a sorted list that is not above the wanted one; with two arguments, of the longer side of an area. */
function lookupSorted(args: readonly Value[]): Value {
  const target = single(arg(args, 0))
  const { rows } = area(arg(args, 1))
  const wide = (rows[0]?.length ?? 0) > rows.length
  const keys = wide ? [...(rows[0] ?? [])] : rows.map((row) => row[0] ?? null)
  const results =
    args.length > 2
      ? flat([arg(args, 2)])
      : wide
        ? [...(rows.at(-1) ?? [])]
        : rows.map((row) => row.at(-1) ?? null)
  let best = -1
  for (const [i, key] of keys.entries())
    if (key !== null && !(key instanceof CellError) && typeof key === typeof target)
      if (compareScalars(key, target) <= 0) best = i
  return results[getFoundCount(best)] ?? null
}

/** The smallest or largest number among the cells that meet the criteria; 0 when there is none. */
const extremeIf =
  (pick: (...values: number[]) => number): SheetFunction =>
  (args) => {
    const values = getChosenNumbers(arg(args, 0), meeting(args.slice(1)))
    return values.length === 0 ? 0 : pick(...values)
  }

/** Hours, minutes, seconds of a time; to the nearest second, as Excel shows it. */
const clock =
  (divisor: number, modulus: number): SheetFunction =>
  (args) => {
    const value = toNumber(arg(args, 0))
    if (value < 0) return fail('#NUM!')
    return Math.floor(Math.round((value % 1) * 86_400) / divisor) % modulus
  }

function rank(args: readonly Value[]): number {
  const value = toNumber(arg(args, 0))
  const values = numbersOf([arg(args, 1)])
  if (!values.includes(value)) return fail('#N/A')
  const up = flag(args[2], false)
  return values.filter((each) => (up ? each < value : each > value)).length + 1
}

/**
 * Functions whose meaning is in what they take for a match, an empty cell or a day, where the library differs from Excel. They look at
 * all of their arguments; functions that do not (IF and its like) are the evaluator's own, and all others the library's.
 */
export const FUNCTIONS: Readonly<Record<string, SheetFunction>> = {
  SUM: (args) => sum(numbersOf(args)),
  AVERAGE: (args) => mean(numbersOf(args)),
  MIN: (args) => getSortedNumbers(numbersOf(args))[0] ?? 0,
  MAX: (args) => getSortedNumbers(numbersOf(args)).at(-1) ?? 0,
  COUNT: (args) => flat(args).filter((value) => typeof value === 'number').length,
  COUNTA: (args) => flat(args).filter((value) => value !== null).length,
  COUNTBLANK: (args) => flat(args).filter((value) => value === null || value === '').length,
  RANK: rank,
  'RANK.EQ': rank,
  SUMPRODUCT: sumProduct,
  SUMIF: (args) => {
    const [values, pairs] = ifArguments(args)
    return sum(getChosenNumbers(values, meeting(pairs)))
  },
  AVERAGEIF: (args) => {
    const [values, pairs] = ifArguments(args)
    return mean(getChosenNumbers(values, meeting(pairs)))
  },
  SUMIFS: (args) => sum(getChosenNumbers(arg(args, 0), meeting(args.slice(1)))),
  AVERAGEIFS: (args) => mean(getChosenNumbers(arg(args, 0), meeting(args.slice(1)))),
  COUNTIF: (args) => meeting(args).filter(Boolean).length,
  COUNTIFS: (args) => meeting(args).filter(Boolean).length,
  MAXIFS: extremeIf(Math.max),
  MINIFS: extremeIf(Math.min),
  ROUND: roundAt(Math.round),
  ROUNDUP: roundAt(Math.ceil),
  ROUNDDOWN: roundAt(Math.floor),
  MOD: (args) => {
    const [value, by] = [toNumber(arg(args, 0)), toNumber(arg(args, 1))]
    return by === 0 ? fail('#DIV/0!') : value - by * Math.floor(value / by)
  },
  AND: (args) => flat(args).every((value) => value === null || toBoolean(value)),
  OR: (args) => flat(args).some((value) => value !== null && toBoolean(value)),
  NOT: (args) => !toBoolean(arg(args, 0)),
  ISBLANK: (args) => flat([arg(args, 0)])[0] === null,
  ISNUMBER: (args) => typeof flat([arg(args, 0)])[0] === 'number',
  ISTEXT: (args) => typeof flat([arg(args, 0)])[0] === 'string',
  VLOOKUP: lookup(true),
  HLOOKUP: lookup(false),
  XLOOKUP: xlookup,
  LOOKUP: lookupSorted,
  INDEX: index,
  MATCH: (args) =>
    getFoundCount(
      position(single(arg(args, 0)), flat([arg(args, 1)]), args.length > 2 ? toNumber(arg(args, 2)) : 1),
    ) + 1,
  ROWS: (args) => area(arg(args, 0)).rows.length,
  COLUMNS: (args) => area(arg(args, 0)).rows[0]?.length ?? 0,
  LEN: (args) => toText(arg(args, 0)).length,
  LEFT: (args) => toText(arg(args, 0)).slice(0, args.length > 1 ? toNumber(arg(args, 1)) : 1),
  RIGHT: (args) => {
    const text = toText(arg(args, 0))
    return text.slice(Math.max(0, text.length - (args.length > 1 ? toNumber(arg(args, 1)) : 1)))
  },
  MID: (args) => {
    const start = toNumber(arg(args, 1)) - 1
    return start < 0 ? fail('#VALUE!') : toText(arg(args, 0)).slice(start, start + toNumber(arg(args, 2)))
  },
  UPPER: (args) => toText(arg(args, 0)).toUpperCase(),
  LOWER: (args) => toText(arg(args, 0)).toLowerCase(),
  PROPER: (args) => properCase(toText(arg(args, 0))),
  TRIM: (args) => toText(arg(args, 0)).trim().replace(/ +/g, ' '),
  CONCATENATE: (args) => args.map(toText).join(''),
  CONCAT: (args) => flat(args).map(toText).join(''),
  TEXTJOIN: textJoin,
  SUBSTITUTE: substitute,
  FIND: search(true),
  SEARCH: search(false),
  REPT: (args) => toText(arg(args, 0)).repeat(Math.min(1000, Math.max(0, toNumber(arg(args, 1))))),
  EXACT: (args) => toText(arg(args, 0)) === toText(arg(args, 1)),
  VALUE: (args) => toNumber(arg(args, 0)),
  DATE: (args) => serial(toNumber(arg(args, 0)), toNumber(arg(args, 1)), toNumber(arg(args, 2))),
  YEAR: (args) => partsOf(arg(args, 0)).year,
  MONTH: (args) => partsOf(arg(args, 0)).month,
  DAY: (args) => partsOf(arg(args, 0)).day,
  DATEDIF: dateDif,
  HOUR: clock(3600, 24),
  MINUTE: clock(60, 60),
  SECOND: clock(1, 60),
  ATAN2: (args) => {
    const [x, y] = [toNumber(arg(args, 0)), toNumber(arg(args, 1))]
    return x === 0 && y === 0 ? fail('#DIV/0!') : Math.atan2(y, x)
  },
}
