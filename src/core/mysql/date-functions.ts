import type { SqlFunction } from './types'
import type { SqlValue } from '../ground/ports'

const DAY_MS = 86_400_000
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

const two = (value: number): string => String(value).padStart(2, '0')

/** `2024-05-09` or `2024-05-09 10:11:12`, also with other separators or none, as UTC; null when it is no date. */
export function parseDate(value: SqlValue | undefined): Date | null {
  const match =
    /^\s*(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[ T](\d{1,2}):(\d{1,2})(?::(\d{1,2}))?)?/.exec(
      String(value),
    ) ?? /^\s*(\d{4})(\d{2})(\d{2})(?:(\d{2})(\d{2})(\d{2}))?\s*$/.exec(String(value))
  if (match === null) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0))
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date : null
}

export const dateText = (date: Date): string =>
  `${date.getUTCFullYear()}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`
const timeText = (date: Date): string =>
  `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`
export const datetimeText = (date: Date): string => `${dateText(date)} ${timeText(date)}`
const hasTime = (value: SqlValue | undefined): boolean => /:/.test(String(value))

const part =
  (read: (date: Date) => number | string): SqlFunction =>
  (value) => {
    const date = parseDate(value)
    return date === null ? null : read(date)
  }

const dayNumber = (date: Date): number => Math.floor(date.getTime() / DAY_MS)
const dayOfYear = (date: Date): number =>
  dayNumber(date) - Math.floor(Date.UTC(date.getUTCFullYear(), 0, 1) / DAY_MS) + 1

/** MySQL's WEEK mode 0: weeks start on Sunday; days before the year's first Sunday are week 0. */
const week = (date: Date): number => Math.floor((dayOfYear(date) + 6 - date.getUTCDay()) / 7)

/** Adds months and keeps the day inside the month that results. */
function addMonths(date: Date, months: number): Date {
  const target = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1))
  const last = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate()
  target.setUTCDate(Math.min(date.getUTCDate(), last))
  return new Date(target.getTime() + (date.getTime() % DAY_MS))
}

const UNIT_MS: Readonly<Record<string, number>> = {
  SECOND: 1000,
  MINUTE: 60_000,
  HOUR: 3_600_000,
  DAY: DAY_MS,
  WEEK: 7 * DAY_MS,
}
const UNIT_MONTHS: Readonly<Record<string, number>> = { MONTH: 1, QUARTER: 3, YEAR: 12 }

function dateAdd(
  value: SqlValue | undefined,
  amount: SqlValue | undefined,
  unit: SqlValue | undefined,
): string | null {
  const date = parseDate(value)
  const months = UNIT_MONTHS[String(unit)]
  const ms = UNIT_MS[String(unit)]
  if (date === null || (months === undefined && ms === undefined)) return null
  const movedDate =
    months === undefined
      ? new Date(date.getTime() + Number(amount) * (ms ?? 0))
      : addMonths(date, Number(amount) * months)
  if (Number.isNaN(movedDate.getTime())) return null
  return hasTime(value) || /SECOND|MINUTE|HOUR/.test(String(unit))
    ? datetimeText(movedDate)
    : dateText(movedDate)
}

function timestampDiff(
  unit: SqlValue | undefined,
  from: SqlValue | undefined,
  to: SqlValue | undefined,
): number | null {
  const [a, b] = [parseDate(from), parseDate(to)]
  if (a === null || b === null) return null
  const months = UNIT_MONTHS[String(unit)]
  if (months === undefined) return Math.trunc((b.getTime() - a.getTime()) / (UNIT_MS[String(unit)] ?? DAY_MS))
  let count = (b.getUTCFullYear() - a.getUTCFullYear()) * 12 + b.getUTCMonth() - a.getUTCMonth()
  if (count > 0 && addMonths(a, count) > b) count--
  if (count < 0 && addMonths(a, count) < b) count++
  return Math.trunc(count / months)
}

const ordinal = (day: number): string =>
  day % 100 >= 11 && day % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th')

/** Weeks from Monday; the first one of a year holds its first Thursday. */
function isoWeek(date: Date): { readonly year: number; readonly week: number } {
  const thursday = new Date(date.getTime() + (3 - ((date.getUTCDay() + 6) % 7)) * DAY_MS)
  return { year: thursday.getUTCFullYear(), week: Math.ceil(dayOfYear(thursday) / 7) }
}

/** MySQL's YEARWEEK in mode 0: days before the year's first Sunday belong to the last week of the year before. */
function yearWeek(date: Date): number {
  const year = date.getUTCFullYear()
  return week(date) > 0
    ? year * 100 + week(date)
    : (year - 1) * 100 + week(new Date(Date.UTC(year - 1, 11, 31)))
}

const secondsOf = (value: SqlValue | undefined): number => {
  const [, sign, hours = 0, minutes = 0, seconds = 0] =
    /(-?)(\d{1,5}):(\d{1,2})(?::(\d{1,2}))?/.exec(String(value)) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds))
}

function timeOf(seconds: number): string {
  const whole = Math.abs(Math.trunc(seconds))
  const text = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60].map(two).join(':')
  return seconds < 0 ? `-${text}` : text
}

/** Months since year 0 of a period, `202403` or `2403`. */
const monthsOf = (period: SqlValue | undefined): number => {
  const number = Math.trunc(Number(period))
  const year = Math.floor(number / 100)
  return (year < 70 ? year + 2000 : year < 100 ? year + 1900 : year) * 12 + (number % 100) - 1
}

const FORMATS: Readonly<Record<string, (date: Date) => string>> = {
  Y: (date) => String(date.getUTCFullYear()),
  y: (date) => two(date.getUTCFullYear() % 100),
  m: (date) => two(date.getUTCMonth() + 1),
  c: (date) => String(date.getUTCMonth() + 1),
  d: (date) => two(date.getUTCDate()),
  D: (date) => `${date.getUTCDate()}${ordinal(date.getUTCDate())}`,
  k: (date) => String(date.getUTCHours()),
  l: (date) => String(date.getUTCHours() % 12 || 12),
  I: (date) => two(date.getUTCHours() % 12 || 12),
  r: (date) =>
    `${two(date.getUTCHours() % 12 || 12)}:${timeText(date).slice(3)} ${date.getUTCHours() < 12 ? 'AM' : 'PM'}`,
  f: () => '000000',
  U: (date) => two(week(date)),
  u: (date) => two(isoWeek(date).week),
  v: (date) => two(isoWeek(date).week),
  x: (date) => String(isoWeek(date).year),
  e: (date) => String(date.getUTCDate()),
  H: (date) => two(date.getUTCHours()),
  h: (date) => two(date.getUTCHours() % 12 || 12),
  i: (date) => two(date.getUTCMinutes()),
  s: (date) => two(date.getUTCSeconds()),
  S: (date) => two(date.getUTCSeconds()),
  T: timeText,
  p: (date) => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
  M: (date) => MONTHS[date.getUTCMonth()] ?? '',
  b: (date) => (MONTHS[date.getUTCMonth()] ?? '').slice(0, 3),
  W: (date) => DAYS[date.getUTCDay()] ?? '',
  a: (date) => (DAYS[date.getUTCDay()] ?? '').slice(0, 3),
  w: (date) => String(date.getUTCDay()),
  j: (date) => String(dayOfYear(date)).padStart(3, '0'),
}

/** STR_TO_DATE for the numeric parts and month names. */
function strToDate(value: SqlValue | undefined, format: SqlValue | undefined): string | null {
  const order: string[] = []
  const pattern = String(format).replace(/%(.)|[.*+?^${}()|[\]\\]/g, (whole, letter: string | undefined) => {
    if (letter === undefined) return `\\${whole}`
    order.push(letter)
    return letter === 'Y' ? '(\\d{4})' : 'Mb'.includes(letter) ? '([A-Za-z]+)' : '(\\d{1,2})'
  })
  const match = new RegExp(`^\\s*${pattern}`).exec(String(value))
  if (match === null) return null
  const field = (...letters: string[]): string | undefined =>
    match[order.findIndex((letter) => letters.includes(letter)) + 1]
  const has = (...letters: string[]): boolean => order.some((letter) => letters.includes(letter))
  const name = has('M', 'b')
    ? MONTHS.findIndex((month) => month.toLowerCase().startsWith((field('M', 'b') ?? '?').toLowerCase())) + 1
    : 0
  const month = has('m', 'c') ? Number(field('m', 'c')) : name
  const year = has('Y') ? Number(field('Y')) : has('y') ? 2000 + Number(field('y')) : 0
  const text = `${String(year).padStart(4, '0')}-${two(month)}-${two(has('d', 'e') ? Number(field('d', 'e')) : 1)}`
  return parseDate(text) === null ? null : text
}

/** Date functions without their `my_` prefix; a text that is no date gives NULL. */
export const DATE_FUNCTIONS: Readonly<Record<string, SqlFunction>> = {
  date: part(dateText),
  datetime: part(datetimeText),
  time: (value) => /\d{1,2}:\d{2}(?::\d{2})?/.exec(String(value))?.[0] ?? null,
  year: part((date) => date.getUTCFullYear()),
  month: part((date) => date.getUTCMonth() + 1),
  day: part((date) => date.getUTCDate()),
  hour: (value) => Number(/(\d{1,2}):\d{2}/.exec(String(value))?.[1] ?? 0),
  minute: (value) => Number(/\d{1,2}:(\d{2})/.exec(String(value))?.[1] ?? 0),
  second: (value) => Number(/\d{1,2}:\d{2}:(\d{2})/.exec(String(value))?.[1] ?? 0),
  quarter: part((date) => Math.floor(date.getUTCMonth() / 3) + 1),
  week: part(week),
  dayofweek: part((date) => date.getUTCDay() + 1),
  dayofyear: part(dayOfYear),
  weekday: part((date) => (date.getUTCDay() + 6) % 7),
  dayname: part((date) => DAYS[date.getUTCDay()] ?? ''),
  monthname: part((date) => MONTHS[date.getUTCMonth()] ?? ''),
  to_days: part((date) => dayNumber(date) + 719_528),
  last_day: part((date) => dateText(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)))),
  datediff: (a, b) => {
    const [first, second] = [parseDate(a), parseDate(b)]
    return first === null || second === null ? null : dayNumber(first) - dayNumber(second)
  },
  date_add: dateAdd,
  timestampdiff: timestampDiff,
  date_format: (value, format) => {
    const date = parseDate(value)
    return date === null
      ? null
      : String(format).replace(/%(.)/g, (_, letter: string) => FORMATS[letter]?.(date) ?? letter)
  },
  str_to_date: strToDate,
  makedate: (year, day) =>
    Number(day) < 1 ? null : dateText(new Date(Date.UTC(Number(year), 0, Math.trunc(Number(day))))),
  from_days: (days) => dateText(new Date((Math.trunc(Number(days)) - 719_528) * DAY_MS)),
  time_to_sec: secondsOf,
  sec_to_time: (seconds) => timeOf(Number(seconds)),
  timestampadd: (unit, amount, value) => dateAdd(value, amount, unit),
  unix_timestamp: part((date) => Math.floor(date.getTime() / 1000)),
  from_unixtime: (seconds) => datetimeText(new Date(Number(seconds) * 1000)),
  yearweek: (value, mode) => {
    const date = parseDate(value)
    if (date === null) return null
    const { year, week: iso } = isoWeek(date)
    return Number(mode ?? 0) % 2 === 1 ? year * 100 + iso : yearWeek(date)
  },
  weekofyear: part((date) => isoWeek(date).week),
  year_month: part((date) => date.getUTCFullYear() * 100 + date.getUTCMonth() + 1),
  period_diff: (a, b) => monthsOf(a) - monthsOf(b),
  period_add: (period, months) => {
    const sum = monthsOf(period) + Math.trunc(Number(months))
    return Math.floor(sum / 12) * 100 + (sum % 12) + 1
  },
}
