import type { Database } from 'sql.js'
import type { SqlValue } from '../../../core/ground/ports'
import { dateText, datetimeText, parseDate } from '../../../core/mysql/date-functions'
import { MySqlError, overBudget } from '../../../core/mysql/errors'
import { numberOf, roundDecimal, scalarFunctions, strictNumberOf } from '../../../core/mysql/functions'
import type { SqlFunction } from '../../../core/mysql/types'
import { createContext, Script } from 'node:vm'

/** How long one match may take, in milliseconds. */
const LONGEST_MS = 200

const place: { work: (() => unknown) | null } = { work: null }
const context = createContext(place)
const script = new Script('work()')

/** Patterns with one repetition at most, of one character, take no more than quadratic time on the short texts of a cell. */
const isTame = (pattern: string): boolean =>
  (pattern.match(/[*+?{]/g)?.length ?? 0) <= 1 && !/\)[*+?{]/.test(pattern)

/**
 * Works with a pattern that an agent wrote, for a limited time: such a pattern can take as good as for ever on a text of thirty letters.
 * @throws MySqlError 3696 for a pattern that cannot be read, 3699 when it takes too long
 */
function withPattern<T>(input: SqlValue | undefined, flags: string, use: (pattern: RegExp) => T): T {
  const text = String(input).replaceAll('[[:<:]]', '\\b').replaceAll('[[:>:]]', '\\b')
  const pattern = compiled(text, flags)
  if (isTame(text)) return use(pattern)
  try {
    place.work = () => use(pattern)
    return script.runInContext(context, { timeout: LONGEST_MS }) as T
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    throw new MySqlError(3699, 'HY000', 'Timeout exceeded in regular expression match.')
  } finally {
    place.work = null
  }
}

function compiled(text: string, flags: string): RegExp {
  try {
    return new RegExp(text, flags)
  } catch {
    throw new MySqlError(3696, 'HY000', 'The regular expression contains an unrecognized or unclosed part.')
  }
}

/** What the functions of one database know of the statement that runs. */
export interface FunctionState {
  /** Rows that may still be looked at. */
  ticksLeft: number
  /** A statement that writes: text that is no number is an error. */
  strict: boolean
  database: string
  /** The last value that went into each column with a key. */
  readonly stored: Map<string, SqlValue>
  readonly now: () => Date
}

/** A part of sql.js that its type declarations leave out. */
interface WithAggregates {
  create_aggregate<S>(
    name: string,
    aggregate: { init: () => S; step: (sum: S, value: SqlValue) => S; finalize: (sum: S) => SqlValue },
  ): void
}

const INT_LIMIT = 2 ** 31

/** A value as an INT column keeps it. */
function storeInt(value: SqlValue, column: SqlValue): number | null {
  if (value === null) return null
  const text = String(value)
  if (typeof value !== 'number' && !/^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/.test(text)) {
    throw new MySqlError(
      1366,
      'HY000',
      `Incorrect integer value: '${text}' for column '${String(column)}' at row 1`,
    )
  }
  const rounded = roundDecimal(numberOf(value), 0)
  if (rounded < -INT_LIMIT || rounded >= INT_LIMIT) {
    throw new MySqlError(1264, '22003', `Out of range value for column '${String(column)}' at row 1`)
  }
  return rounded
}

/** SQLite takes any number of arguments for a function whose length says -1. */
function define(db: Database, name: string, run: SqlFunction): void {
  const variadic = (...args: SqlValue[]) => run(...args)
  Object.defineProperty(variadic, 'length', { value: -1 })
  db.create_function(name, variadic)
}

/** Adds MySQL's functions to a fresh database. */
export function registerFunctions(db: Database, state: FunctionState): void {
  for (const [name, run] of Object.entries(scalarFunctions(withPattern))) define(db, name, run)
  define(db, 'my_tick', () => {
    if (--state.ticksLeft < 0) throw overBudget()
    return 1
  })
  define(db, 'my_num', (value = null) =>
    value === null ? null : state.strict ? strictNumberOf(value) : numberOf(value),
  )
  define(db, 'my_constrain', (value = null, column = null, isNeeded = null) => {
    if (value === null && isNeeded === 1)
      throw new MySqlError(1048, '23000', `Column '${String(column)}' cannot be null`)
    state.stored.set(String(column), value)
    return value
  })
  define(db, 'my_store_text', (value = null, length = null, column = null) => {
    if (value !== null && [...String(value)].length > Number(length))
      throw new MySqlError(1406, '22001', `Data too long for column '${String(column)}' at row 1`)
    return value
  })
  for (const [kind, print] of [
    ['date', dateText],
    ['datetime', datetimeText],
  ] as const)
    define(db, `my_store_${kind}`, (value = null, column = null) => {
      const date = value === null ? null : parseDate(value)
      if (value !== null && date === null)
        throw new MySqlError(
          1292,
          '22007',
          `Incorrect ${kind} value: '${String(value)}' for column '${String(column)}' at row 1`,
        )
      return date && print(date)
    })
  define(db, 'my_store_int', (value = null, column = null) => storeInt(value, column))
  define(db, 'my_curdate', () => dateText(state.now()))
  define(db, 'my_now', () => datetimeText(state.now()))
  define(db, 'my_curtime', () => datetimeText(state.now()).slice(11))
  define(db, 'my_database', () => state.database)
  const aggregates = db as Database & WithAggregates
  aggregates.create_aggregate('my_only_row', {
    init: () => ({ rows: 0, value: null as SqlValue }),
    step: (visit: { rows: number; value: SqlValue }, value: SqlValue) => {
      if (visit.rows > 0) throw new MySqlError(1242, '21000', 'Subquery returns more than 1 row')
      return { rows: 1, value }
    },
    finalize: (visit: { rows: number; value: SqlValue }) => visit.value,
  })
  for (const [name, fewest] of [
    ['my_variance', 1],
    ['my_variance_samp', 2],
  ] as const) {
    // Welford's way, as MySQL's: sums of squares would lose digits.
    aggregates.create_aggregate(name, {
      init: () => ({ count: 0, mean: 0, squares: 0 }),
      step: (sum: { count: number; mean: number; squares: number }, value: SqlValue) => {
        if (value === null) return sum
        const off = numberOf(value) - sum.mean
        const mean = sum.mean + off / (sum.count + 1)
        return { count: sum.count + 1, mean, squares: sum.squares + off * (numberOf(value) - mean) }
      },
      finalize: ({ count, squares }) => (count < fewest ? null : squares / (count - fewest + 1)),
    })
  }
  for (const [name, start, combine] of [
    ['my_bit_and', -1, (a: number, b: number) => a & b],
    ['my_bit_or', 0, (a: number, b: number) => a | b],
  ] as const) {
    aggregates.create_aggregate(name, {
      init: () => start as number,
      step: (sum: number, value: SqlValue) => (value === null ? sum : combine(sum, numberOf(value))),
      finalize: (sum: number) => sum,
    })
  }
}
