import type { SqlValue } from '../ground/ports'
import { MySqlError } from './errors'
import { DATE_FUNCTIONS } from './date-functions'
import { JSON_FUNCTIONS, JSON_MAKERS } from './json-functions'
import { TEXT_FUNCTIONS } from './text-functions'
import { patternFunctions, type PatternUse } from './pattern-functions'
import type { SqlFunction } from './types'

/** Longest text a function may build, in characters; beyond it MySQL answers NULL as well. */
const MAX_TEXT = 1_000_000

/** Text read as MySQL reads a number: its longest numeric beginning, 0 without one. */
export function numberOf(value: SqlValue): number {
  if (typeof value === 'number') return value
  return Number(/^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/.exec(String(value))?.[0] ?? 0)
}

const isWholeNumber = (value: SqlValue): boolean =>
  typeof value === 'number' || /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/.test(String(value))

/** In a statement that writes, strict mode makes an error of a text that is not a number. */
export function strictNumberOf(value: SqlValue): number {
  if (!isWholeNumber(value))
    throw new MySqlError(1292, '22007', `Truncated incorrect DOUBLE value: '${String(value)}'`)
  return numberOf(value)
}

/** Rounds half away from zero in decimal digits, as DECIMAL does; `digits` may be negative. */
export function roundDecimal(value: number, digits: number): number {
  if (!Number.isFinite(value)) return value
  const shifted = Math.round(shift(Math.abs(value), digits))
  return Math.sign(value) * shift(shifted, -digits)
}

function shift(value: number, digits: number): number {
  const [mantissa, exponent = '0'] = String(value).split('e')
  return Number(`${mantissa}e${Number(exponent) + digits}`)
}

/** A number as MySQL prints a DECIMAL of that scale: `40000.0000`. */
export function fixed(value: number, scale: number): string {
  return roundDecimal(value, scale).toFixed(Math.min(scale, 30))
}

const text = (value: SqlValue): string => String(value)
const chars = (value: SqlValue): string[] => [...String(value)]
const num = (value: SqlValue): number => numberOf(value)
const bounded = (value: string): string | null => (value.length > MAX_TEXT ? null : value)

/** Where one text begins in another without regard to case, from 1; 0 when it does not. */
const locate = (needle: SqlValue, hay: SqlValue, from = 1): number =>
  from < 1
    ? 0
    : text(hay)
        .toLowerCase()
        .indexOf(text(needle).toLowerCase(), from - 1) + 1

function substring(value: SqlValue, start: SqlValue, length?: SqlValue): string {
  const all = chars(value)
  const from = num(start) > 0 ? num(start) - 1 : num(start) < 0 ? all.length + num(start) : all.length
  if (from < 0) return ''
  return all.slice(from, length === undefined ? undefined : from + Math.max(0, num(length))).join('')
}

function pad(value: SqlValue, length: SqlValue, filler: SqlValue, isLeft: boolean): string | null {
  const all = chars(value)
  const missingCount = num(length) - all.length
  if (num(length) < 0 || num(length) > MAX_TEXT || (missingCount > 0 && text(filler) === '')) return null
  if (missingCount <= 0) return all.slice(0, num(length)).join('')
  const fill = chars(text(filler).repeat(Math.ceil(missingCount / chars(filler).length)))
    .slice(0, missingCount)
    .join('')
  return isLeft ? fill + all.join('') : all.join('') + fill
}

function trim(value: SqlValue, remove: SqlValue, isLeft: boolean, right: boolean): string {
  let out = text(value)
  const part = text(remove)
  if (part === '') return out
  while (isLeft && out.startsWith(part)) out = out.slice(part.length)
  while (right && out.endsWith(part)) out = out.slice(0, out.length - part.length)
  return out
}

function substringIndex(value: SqlValue, delimiter: SqlValue, count: SqlValue): string {
  const parts = text(value).split(text(delimiter))
  return (num(count) >= 0 ? parts.slice(0, num(count)) : parts.slice(num(count))).join(text(delimiter))
}

const order = (a: SqlValue, b: SqlValue): number =>
  typeof a === 'number' && typeof b === 'number'
    ? a - b
    : text(a).toLowerCase() < text(b).toLowerCase()
      ? -1
      : 1

const whole = (value: number): number | null => (Number.isFinite(value) ? value : null)

/** Functions of one null-free argument list: any NULL argument gives NULL. */
const STRICT: Readonly<Record<string, SqlFunction>> = {
  text: (value) => text(value),
  fixed: (value, scale) => fixed(num(value ?? null), num(scale ?? null)),
  round: (value, digits) => roundDecimal(num(value ?? null), num(digits ?? null)),
  truncate: (value, digits) =>
    shift(Math.trunc(shift(num(value ?? null), num(digits ?? null))), -num(digits ?? null)),
  floor: (value) => Math.floor(num(value ?? null)),
  ceil: (value) => Math.ceil(num(value ?? null)),
  mod: (a, b) => (num(b ?? null) === 0 ? null : num(a ?? null) % num(b ?? null)),
  sign: (value) => Math.sign(num(value ?? null)),
  sqrt: (value) => whole(Math.sqrt(num(value ?? null))),
  pow: (a, b) => whole(num(a ?? null) ** num(b ?? null)),
  exp: (value) => whole(Math.exp(num(value ?? null))),
  ln: (value) => whole(Math.log(num(value ?? null))),
  log: (a, b) =>
    whole(b === undefined ? Math.log(num(a ?? null)) : Math.log(num(b)) / Math.log(num(a ?? null))),
  log10: (value) => whole(Math.log10(num(value ?? null))),
  log2: (value) => whole(Math.log2(num(value ?? null))),
  pi: () => Math.PI,
  concat: (...parts) => bounded(parts.map(text).join('')),
  upper: (value) => text(value ?? null).toUpperCase(),
  lower: (value) => text(value ?? null).toLowerCase(),
  left: (value, count) =>
    chars(value ?? null)
      .slice(0, Math.max(0, num(count ?? null)))
      .join(''),
  right: (value, count) =>
    num(count ?? null) <= 0
      ? ''
      : chars(value ?? null)
          .slice(-num(count ?? null))
          .join(''),
  substring: (value, start, length) => substring(value ?? null, start ?? null, length),
  substring_index: (value, delimiter, count) =>
    substringIndex(value ?? null, delimiter ?? null, count ?? null),
  trim: (value, remove) => trim(value ?? null, remove ?? ' ', true, true),
  ltrim: (value, remove) => trim(value ?? null, remove ?? ' ', true, false),
  rtrim: (value, remove) => trim(value ?? null, remove ?? ' ', false, true),
  replace: (value, from, to) =>
    text(from ?? null) === ''
      ? text(value ?? null)
      : bounded(text(value ?? null).replaceAll(text(from ?? null), () => text(to ?? null))),
  reverse: (value) =>
    chars(value ?? null)
      .reverse()
      .join(''),
  repeat: (value, count) => {
    const times = Math.max(0, Math.floor(num(count ?? null)))
    return text(value ?? null).length * times > MAX_TEXT ? null : text(value ?? null).repeat(times)
  },
  lpad: (value, length, filler) => pad(value ?? null, length ?? null, filler ?? null, true),
  rpad: (value, length, filler) => pad(value ?? null, length ?? null, filler ?? null, false),
  space: (count) => (num(count ?? null) > MAX_TEXT ? null : ' '.repeat(Math.max(0, num(count ?? null)))),
  hex: (value) =>
    typeof value === 'number'
      ? Math.round(value).toString(16).toUpperCase()
      : Array.from(new TextEncoder().encode(text(value ?? null)), (byte) =>
          byte.toString(16).padStart(2, '0'),
        )
          .join('')
          .toUpperCase(),
  length: (value) => new TextEncoder().encode(text(value ?? null)).length,
  char_length: (value) => chars(value ?? null).length,
  locate: (needle, hay, from) => locate(needle ?? null, hay ?? null, from === undefined ? 1 : num(from)),
  instr: (hay, needle) => locate(needle ?? null, hay ?? null),
  ascii: (value) => new TextEncoder().encode(text(value ?? null))[0] ?? 0,
  find_in_set: (value, list) =>
    text(list ?? null)
      .toLowerCase()
      .split(',')
      .indexOf(text(value ?? null).toLowerCase()) + 1,
  field: (value, ...list) =>
    list.findIndex((item) => text(item).toLowerCase() === text(value ?? null).toLowerCase()) + 1,
  greatest: (...values) => values.reduce((best, value) => (order(value, best) > 0 ? value : best)),
  least: (...values) => values.reduce((best, value) => (order(value, best) < 0 ? value : best)),
  version: () => '8.0.36',
}

const nullFree =
  (run: SqlFunction): SqlFunction =>
  (...args) =>
    args.some((arg) => arg === null) ? null : run(...args)

/** MySQL's scalar functions by their SQLite names, `my_...`. Those that depend on the session are added by it. */
export const scalarFunctions = (withPattern: PatternUse): Readonly<Record<string, SqlFunction>> => ({
  ...Object.fromEntries(
    Object.entries({
      ...STRICT,
      ...DATE_FUNCTIONS,
      ...TEXT_FUNCTIONS,
      ...JSON_FUNCTIONS,
      ...patternFunctions(withPattern),
    }).map(([name, run]) => [`my_${name}`, nullFree(run)]),
  ),
  ...JSON_MAKERS,
  my_concat_ws: (separator, ...parts) =>
    separator === null
      ? null
      : bounded(
          parts
            .filter((part) => part !== null)
            .map(text)
            .join(text(separator ?? null)),
        ),
})
