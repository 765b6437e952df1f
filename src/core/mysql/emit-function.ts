import type { Call, Expr } from './ast'
import { asNumber, asText, comparison, quoteText, type Emitted, type ExpressionContext } from './emitted'
import { MySqlError } from './errors'
import {
  commonType,
  DATE,
  DATETIME,
  decimal,
  DOUBLE,
  INT,
  isNumeric,
  JSON_TEXT,
  TEXT,
  TIME,
  type ValueType,
} from './types'

/** Takes an argument as it is, as text, or as a number. */
type Reading = 'any' | 'text' | 'number'

interface Plain {
  readonly min: number
  readonly max: number
  readonly reading: Reading
  readonly type: ValueType
  /** Name in SQLite; by default `my_` and the name in lower case. */
  readonly sqlite?: string
}

const plain = (reading: Reading, type: ValueType, min: number, max = min, sqlite?: string): Plain => ({
  min,
  max,
  reading,
  type,
  ...(sqlite === undefined ? {} : { sqlite }),
})

const MANY = 100

/** Functions whose result type does not depend on their arguments. */
const PLAIN: Readonly<Record<string, Plain>> = {
  CONCAT: plain('text', TEXT, 1, MANY),
  CONCAT_WS: plain('text', TEXT, 2, MANY),
  UPPER: plain('text', TEXT, 1),
  UCASE: plain('text', TEXT, 1, 1, 'my_upper'),
  LOWER: plain('text', TEXT, 1),
  LCASE: plain('text', TEXT, 1, 1, 'my_lower'),
  LEFT: plain('text', TEXT, 2),
  RIGHT: plain('text', TEXT, 2),
  SUBSTRING: plain('text', TEXT, 2, 3),
  SUBSTR: plain('text', TEXT, 2, 3, 'my_substring'),
  MID: plain('text', TEXT, 3, 3, 'my_substring'),
  SUBSTRING_INDEX: plain('text', TEXT, 3),
  TRIM: plain('text', TEXT, 1, 2),
  LTRIM: plain('text', TEXT, 1, 2),
  RTRIM: plain('text', TEXT, 1, 2),
  REPLACE: plain('text', TEXT, 3),
  REVERSE: plain('text', TEXT, 1),
  REPEAT: plain('text', TEXT, 2),
  LPAD: plain('text', TEXT, 3),
  RPAD: plain('text', TEXT, 3),
  SPACE: plain('number', TEXT, 1),
  HEX: plain('any', TEXT, 1),
  LENGTH: plain('text', INT, 1),
  CHAR_LENGTH: plain('text', INT, 1),
  CHARACTER_LENGTH: plain('text', INT, 1, 1, 'my_char_length'),
  LOCATE: plain('text', INT, 2, 3),
  INSTR: plain('text', INT, 2),
  ASCII: plain('text', INT, 1),
  FIND_IN_SET: plain('text', INT, 2),
  FIELD: plain('text', INT, 2, MANY),
  SIGN: plain('number', INT, 1),
  SQRT: plain('number', DOUBLE, 1),
  POW: plain('number', DOUBLE, 2),
  POWER: plain('number', DOUBLE, 2, 2, 'my_pow'),
  EXP: plain('number', DOUBLE, 1),
  LN: plain('number', DOUBLE, 1),
  LOG: plain('number', DOUBLE, 1, 2),
  LOG10: plain('number', DOUBLE, 1),
  LOG2: plain('number', DOUBLE, 1),
  PI: plain('number', DOUBLE, 0),
  YEAR: plain('any', INT, 1),
  MONTH: plain('any', INT, 1),
  DAY: plain('any', INT, 1),
  DAYOFMONTH: plain('any', INT, 1, 1, 'my_day'),
  HOUR: plain('any', INT, 1),
  MINUTE: plain('any', INT, 1),
  SECOND: plain('any', INT, 1),
  QUARTER: plain('any', INT, 1),
  WEEK: plain('any', INT, 1),
  DAYOFWEEK: plain('any', INT, 1),
  DAYOFYEAR: plain('any', INT, 1),
  WEEKDAY: plain('any', INT, 1),
  DAYNAME: plain('any', TEXT, 1),
  MONTHNAME: plain('any', TEXT, 1),
  DATEDIFF: plain('any', INT, 2),
  TIMESTAMPDIFF: plain('any', INT, 3),
  TO_DAYS: plain('any', INT, 1),
  DATE: plain('any', DATE, 1),
  LAST_DAY: plain('any', DATE, 1),
  STR_TO_DATE: plain('text', DATE, 2),
  DATE_FORMAT: plain('any', TEXT, 2),
  TIME: plain('any', TIME, 1),
  CURDATE: plain('any', DATE, 0),
  CURRENT_DATE: plain('any', DATE, 0, 0, 'my_curdate'),
  NOW: plain('any', DATETIME, 0, 1),
  SYSDATE: plain('any', DATETIME, 0, 0, 'my_now'),
  LOCALTIMESTAMP: plain('any', DATETIME, 0, 0, 'my_now'),
  CURRENT_TIMESTAMP: plain('any', DATETIME, 0, 0, 'my_now'),
  CURTIME: plain('any', TIME, 0),
  CURRENT_TIME: plain('any', TIME, 0, 0, 'my_curtime'),
  DATABASE: plain('any', TEXT, 0),
  SCHEMA: plain('any', TEXT, 0, 0, 'my_database'),
  VERSION: plain('any', TEXT, 0),
  STRCMP: plain('text', INT, 2),
  ELT: plain('any', TEXT, 2, MANY),
  CHAR: plain('number', TEXT, 1, MANY),
  UNHEX: plain('text', TEXT, 1),
  MD5: plain('text', TEXT, 1),
  FORMAT: plain('number', TEXT, 2),
  INSERT: plain('text', TEXT, 4),
  QUOTE: plain('text', TEXT, 1),
  SOUNDEX: plain('text', TEXT, 1),
  BIN: plain('text', TEXT, 1),
  OCT: plain('text', TEXT, 1),
  CONV: plain('text', TEXT, 3),
  CRC32: plain('text', INT, 1),
  ORD: plain('text', INT, 1, 1, 'my_ascii'),
  OCTET_LENGTH: plain('text', INT, 1, 1, 'my_length'),
  POSITION: plain('text', INT, 2, 2, 'my_locate'),
  REGEXP_LIKE: plain('text', INT, 2),
  REGEXP_REPLACE: plain('text', TEXT, 3),
  REGEXP_SUBSTR: plain('text', TEXT, 2),
  REGEXP_INSTR: plain('text', INT, 2),
  RADIANS: plain('number', DOUBLE, 1),
  DEGREES: plain('number', DOUBLE, 1),
  SIN: plain('number', DOUBLE, 1),
  COS: plain('number', DOUBLE, 1),
  TAN: plain('number', DOUBLE, 1),
  COT: plain('number', DOUBLE, 1),
  ASIN: plain('number', DOUBLE, 1),
  ACOS: plain('number', DOUBLE, 1),
  ATAN: plain('number', DOUBLE, 1, 2),
  ATAN2: plain('number', DOUBLE, 2, 2, 'my_atan'),
  MAKEDATE: plain('number', DATE, 2),
  FROM_DAYS: plain('number', DATE, 1),
  TIME_TO_SEC: plain('any', INT, 1),
  SEC_TO_TIME: plain('number', TIME, 1),
  TIMESTAMPADD: plain('any', TEXT, 3),
  FROM_UNIXTIME: plain('number', DATETIME, 1),
  YEARWEEK: plain('any', INT, 1, 2),
  WEEKOFYEAR: plain('any', INT, 1),
  YEAR_MONTH: plain('any', INT, 1),
  PERIOD_DIFF: plain('number', INT, 2),
  PERIOD_ADD: plain('number', INT, 2),
  JSON_EXTRACT: plain('text', JSON_TEXT, 2, MANY),
  JSON_UNQUOTE: plain('text', TEXT, 1),
  JSON_VALUE: plain('text', TEXT, 2, 2, 'my_json_value'),
  JSON_VALID: plain('text', INT, 1),
  JSON_TYPE: plain('text', TEXT, 1),
  JSON_DEPTH: plain('text', INT, 1),
  JSON_QUOTE: plain('text', TEXT, 1),
  JSON_LENGTH: plain('text', INT, 1, 2),
  JSON_KEYS: plain('text', JSON_TEXT, 1, 2),
  JSON_CONTAINS: plain('text', INT, 2, 3),
  JSON_CONTAINS_PATH: plain('text', INT, 3, MANY),
  JSON_REMOVE: plain('text', JSON_TEXT, 2, MANY),
  JSON_MERGE_PATCH: plain('text', JSON_TEXT, 2, MANY),
  JSON_PRETTY: plain('text', TEXT, 1),
}

type Special = (args: readonly Emitted[]) => Emitted

const call = (name: string, args: readonly string[], type: ValueType): Emitted => ({
  sql: `${name}(${args.join(', ')})`,
  type,
})

/** Values of one common type: text when they differ. */
const unified = (values: readonly Emitted[], type: ValueType): string[] =>
  values.map((value) => (type.kind === 'text' ? asText(value) : value.sql))

const typeOf = (values: readonly Emitted[]): ValueType => commonType(values.map((value) => value.type))

const at = (args: readonly Emitted[], index: number): Emitted => args[index] as Emitted

const choose: Special = (args) => {
  const type = typeOf(args)
  return call('COALESCE', unified(args, type), type)
}

const rounded =
  (name: string): Special =>
  (args) => {
    const value = at(args, 0)
    const digits = args[1]
    const scale =
      digits === undefined ? 0 : Math.max(0, Number(/^\(?-? ?(\d+)\)?$/.exec(digits.sql)?.[1] ?? 0))
    const negative = digits?.sql.includes('-') ?? false
    const kind = value.type.kind
    const type =
      kind === 'int'
        ? INT
        : kind === 'decimal'
          ? decimal(negative ? 0 : Math.min(scale, value.type.scale))
          : DOUBLE
    return call(name, [asNumber(value), digits === undefined ? '0' : asNumber(digits)], type)
  }

const toWhole =
  (name: string): Special =>
  (args) =>
    call(
      name,
      [asNumber(at(args, 0))],
      isNumeric(at(args, 0).type) && at(args, 0).type.kind !== 'double' ? INT : DOUBLE,
    )

const extreme =
  (name: string): Special =>
  (args) => {
    const type = typeOf(args)
    return call(name, unified(args, type), type)
  }

/** Values for a JSON text, each with whether it is JSON already. */
const jsonValue = (value: Emitted): readonly string[] => [
  value.type.kind === 'json' ? "'j'" : "'v'",
  value.type.kind === 'decimal' ? `CAST(${asText(value)} AS REAL)` : value.sql,
]

const jsonChange =
  (name: string): Special =>
  ([document, ...pairs]) =>
    call(
      name,
      [document?.sql ?? 'NULL', ...pairs.flatMap((arg, i) => (i % 2 === 0 ? [asText(arg)] : jsonValue(arg)))],
      JSON_TEXT,
    )

/** Functions whose type or text depends on their arguments; with the number of arguments they take. */
const SPECIAL: Readonly<Record<string, readonly [min: number, max: number, emit: Special]>> = {
  IF: [
    3,
    3,
    (args) => {
      const branches = args.slice(1)
      const type = typeOf(branches)
      const [yes, no] = unified(branches, type)
      return { sql: `CASE WHEN ${asNumber(at(args, 0))} THEN ${yes} ELSE ${no} END`, type }
    },
  ],
  IFNULL: [2, 2, choose],
  COALESCE: [1, MANY, (args) => (args.length === 1 ? at(args, 0) : choose(args))],
  NULLIF: [
    2,
    2,
    (args) => ({
      sql: `CASE WHEN ${comparison('=', at(args, 0), at(args, 1))} THEN NULL ELSE ${at(args, 0).sql} END`,
      type: at(args, 0).type,
    }),
  ],
  ISNULL: [1, 1, (args) => ({ sql: `(${at(args, 0).sql} IS NULL)`, type: INT })],
  ROUND: [1, 2, rounded('my_round')],
  TRUNCATE: [2, 2, rounded('my_truncate')],
  FLOOR: [1, 1, toWhole('my_floor')],
  CEIL: [1, 1, toWhole('my_ceil')],
  CEILING: [1, 1, toWhole('my_ceil')],
  ABS: [
    1,
    1,
    (args) => call('abs', [asNumber(at(args, 0))], isNumeric(at(args, 0).type) ? at(args, 0).type : DOUBLE),
  ],
  MOD: [
    2,
    2,
    (args) => call('my_mod', args.map(asNumber), typeOf(args).kind === 'text' ? DOUBLE : typeOf(args)),
  ],
  UNIX_TIMESTAMP: [0, 1, (args) => call('my_unix_timestamp', [args[0]?.sql ?? 'my_now()'], INT)],
  JSON_ARRAY: [0, MANY, (args) => call('my_json_array', args.flatMap(jsonValue), JSON_TEXT)],
  JSON_OBJECT: [
    0,
    MANY,
    (args) =>
      call(
        'my_json_object',
        args.flatMap((arg, i) => (i % 2 === 0 ? [asText(arg)] : jsonValue(arg))),
        JSON_TEXT,
      ),
  ],
  JSON_SET: [3, MANY, jsonChange('my_json_set')],
  JSON_INSERT: [3, MANY, jsonChange('my_json_insert')],
  JSON_REPLACE: [3, MANY, jsonChange('my_json_replace')],
  GREATEST: [2, MANY, extreme('my_greatest')],
  LEAST: [2, MANY, extreme('my_least')],
}

/** A function that is no aggregate. Throws 1305 for one that does not exist, 1582 for a wrong number of arguments. */
export function emitFunction(expr: Call, context: ExpressionContext): Emitted {
  const { name } = expr
  if (['DATE_ADD', 'DATE_SUB', 'ADDDATE', 'SUBDATE'].includes(name)) return emitDateFunction(expr, context)
  const special = SPECIAL[name]
  const knownPlain = PLAIN[name]
  if (special === undefined && knownPlain === undefined) {
    throw new MySqlError(1305, '42000', `FUNCTION ${name.toLowerCase()} does not exist`)
  }
  const [min, max] = special ?? [knownPlain?.min ?? 0, knownPlain?.max ?? 0]
  if (expr.args.length < min || expr.args.length > max) {
    throw new MySqlError(1582, '42000', `Incorrect parameter count in the call to native function '${name}'`)
  }
  const args = expr.args.map((arg) => context.emit(arg, context))
  if (special !== undefined) return special[2](args)
  const { reading, type, sqlite } = knownPlain as Plain
  const read = reading === 'text' ? asText : reading === 'number' ? asNumber : (arg: Emitted) => arg.sql
  return call(sqlite ?? `my_${name.toLowerCase()}`, args.map(read), type)
}

function emitDateFunction(expr: Call, context: ExpressionContext): Emitted {
  const [date, amount] = expr.args
  if (date === undefined || amount === undefined) {
    throw new MySqlError(
      1582,
      '42000',
      `Incorrect parameter count in the call to native function '${expr.name}'`,
    )
  }
  const interval = amount.kind === 'interval' ? amount : ({ kind: 'interval', amount, unit: 'DAY' } as const)
  return emitDateShift(context.emit(date, context), interval, /SUB/.test(expr.name) ? '-' : '+', context)
}

/** `date + INTERVAL n UNIT`. */
export function emitDateShift(
  date: Emitted,
  interval: Extract<Expr, { kind: 'interval' }>,
  operator: '+' | '-',
  context: ExpressionContext,
): Emitted {
  const amount = context.emit(interval.amount, context)
  const timed = /HOUR|MINUTE|SECOND/.test(interval.unit)
  const type =
    date.type.kind === 'date'
      ? timed
        ? DATETIME
        : date.type
      : date.type.kind === 'datetime'
        ? DATETIME
        : TEXT
  return {
    sql: `my_date_add(${date.sql}, ${operator === '-' ? '- ' : ''}${asNumber(amount)}, ${quoteText(interval.unit)})`,
    type,
  }
}
