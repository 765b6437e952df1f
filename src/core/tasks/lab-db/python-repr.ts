import type { SqlColumnType, SqlValue } from '../../ground/ports'
import { reprText } from '../../ground/python-text'

/** Python's `repr` of a float: always with a point or an exponent, exponent from 1e16 up and below 1e-4. */
export function reprFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf'
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0'
  const [mantissa = '', exponentText = '0'] = value.toExponential().split('e')
  const exponent = Number(exponentText)
  if (exponent >= -4 && exponent < 16) {
    const plain =
      exponent < 0
        ? value.toFixed(Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - exponent))
        : String(value)
    return plain.includes('.') ? plain : `${plain}.0`
  }
  const sign = exponent < 0 ? '-' : '+'
  return `${mantissa}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`
}

function reprDate(value: string): string {
  const [year, month, day] = value.split('-').map(Number)
  return `datetime.date(${year}, ${month}, ${day})`
}

function reprDatetime(value: string): string {
  const parts = value.split(/[- :.]/).map(Number)
  const keptNumbers = parts[5] === 0 ? parts.slice(0, 5) : parts.slice(0, 6)
  return `datetime.datetime(${keptNumbers.join(', ')})`
}

/** Python's `repr` of one value as mysql-connector hands it over, by the type of its column. */
export function reprValue(value: SqlValue, type: SqlColumnType): string {
  if (value === null) return 'None'
  if (value instanceof Uint8Array) return `b${reprText(String.fromCharCode(...value))}`
  switch (type) {
    case 'decimal':
      return `Decimal('${value}')`
    case 'double':
      return typeof value === 'number' ? reprFloat(value) : reprText(value)
    case 'date':
      return reprDate(String(value))
    case 'datetime':
      return reprDatetime(String(value))
    case 'int':
    case 'text':
    case 'time':
      return typeof value === 'number' ? String(value) : reprText(value)
  }
}
