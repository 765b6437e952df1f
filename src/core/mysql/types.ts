import type { SqlColumnType, SqlValue } from '../ground/ports'

/** The static MySQL type of an expression. `scale`: digits after the point, 0 to 30, for decimals. */
export interface ValueType {
  readonly kind: SqlColumnType | 'null' | 'json'
  readonly scale: number
}

/** A MySQL function over the values of a row; true and false become 1 and 0. */
export type SqlFunction = (...args: SqlValue[]) => SqlValue | boolean

/** Digits that MySQL adds to the scale in divisions and averages (`div_precision_increment`). */
export const DIVISION_DIGITS = 4
const MAX_SCALE = 30

const plain = (kind: ValueType['kind']): ValueType => ({ kind, scale: 0 })
export const INT = plain('int')
export const DOUBLE = plain('double')
export const TEXT = plain('text')
export const DATE = plain('date')
export const DATETIME = plain('datetime')
export const TIME = plain('time')
export const NULL = plain('null')
export const JSON_TEXT = plain('json')
export const decimal = (scale: number): ValueType => ({ kind: 'decimal', scale: Math.min(scale, MAX_SCALE) })

export const isNumeric = (type: ValueType): boolean =>
  type.kind === 'int' || type.kind === 'decimal' || type.kind === 'double'

/** The type of a declared column: `INT`, `VARCHAR(20)`, `DECIMAL(10,2)`, ... */
export function declaredType(declaration: string): ValueType {
  const [, word = '', , scale] =
    /^\s*(\w+)\s*(?:\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\))?/.exec(declaration.toUpperCase()) ?? []
  if (/INT|^BOOL|^YEAR|^BIT/.test(word)) return INT
  if (/^(DEC|NUMERIC|FIXED)/.test(word)) return decimal(Number(scale ?? 0))
  if (/^(FLOAT|DOUBLE|REAL)/.test(word)) return DOUBLE
  if (/^(DATETIME|TIMESTAMP)/.test(word)) return DATETIME
  if (word === 'DATE') return DATE
  return word === 'TIME' ? TIME : TEXT
}

/** The type of `left op right` for + - * / and %. Text counts as double, as MySQL reads it. */
export function arithmeticType(operator: string, valueType: ValueType, right: ValueType): ValueType {
  const exact = (type: ValueType) => type.kind === 'int' || type.kind === 'decimal' || type.kind === 'null'
  if (!exact(valueType) || !exact(right)) return DOUBLE
  if (operator === '/') return decimal(valueType.scale + DIVISION_DIGITS)
  if (valueType.kind !== 'decimal' && right.kind !== 'decimal') return INT
  return decimal(operator === '*' ? valueType.scale + right.scale : Math.max(valueType.scale, right.scale))
}

/** The one type that IF, CASE, COALESCE and UNION give their branches. */
export function commonType(types: readonly ValueType[]): ValueType {
  const kinds = types.filter((type) => type.kind !== 'null')
  const [first] = kinds
  if (first === undefined) return NULL
  if (kinds.every(isNumeric)) {
    if (kinds.some((type) => type.kind === 'double')) return DOUBLE
    const scale = Math.max(...kinds.map((type) => type.scale))
    return kinds.some((type) => type.kind === 'decimal') ? decimal(scale) : INT
  }
  return kinds.every((type) => type.kind === first.kind) ? first : TEXT
}
