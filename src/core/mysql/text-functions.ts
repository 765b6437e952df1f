import type { SqlValue } from '../ground/ports'
import { md5 } from './md5'
import type { SqlFunction } from './types'

const text = (value: SqlValue | undefined): string => String(value)
const num = (value: SqlValue | undefined): number => Math.trunc(Number(value) || 0)

const SOUNDS: readonly (readonly [RegExp, string])[] = [
  [/[BFPV]/, '1'],
  [/[CGJKQSXZ]/, '2'],
  [/[DT]/, '3'],
  [/L/, '4'],
  [/[MN]/, '5'],
  [/R/, '6'],
]

function soundex(value: SqlValue | undefined): string {
  const letters = text(value)
    .toUpperCase()
    .replace(/[^A-Z]/g, '')
  let code = ''
  let last = ''
  for (const letter of letters) {
    const sound = SOUNDS.find(([pattern]) => pattern.test(letter))?.[1] ?? ''
    if (code === '') code = letter
    else if (sound !== '' && sound !== last) code += sound
    if (sound !== '' || /[AEIOUY]/.test(letter)) last = sound
  }
  return code === '' ? '' : code.padEnd(4, '0')
}

function format(value: SqlValue | undefined, digits: SqlValue | undefined): string {
  const [whole = '', rest] = Math.abs(Number(value))
    .toFixed(Math.max(0, Math.min(30, num(digits))))
    .split('.')
  const head = whole.length % 3
  const threes = whole.slice(head).match(/\d{3}/g) ?? []
  const grouped = [...(head > 0 ? [whole.slice(0, head)] : []), ...threes].join(',')
  return `${Number(value) < 0 ? '-' : ''}${grouped}${rest === undefined ? '' : `.${rest}`}`
}

function converted(
  value: SqlValue | undefined,
  from: SqlValue | undefined,
  to: SqlValue | undefined,
): string | null {
  const [base, target] = [Math.abs(num(from)), Math.abs(num(to))]
  if (base < 2 || base > 36 || target < 2 || target > 36) return null
  const number = Number.parseInt(text(value), base)
  return (Number.isNaN(number) ? 0 : number).toString(target).toUpperCase()
}

function crc32(value: SqlValue | undefined): number {
  let crc = 0xffffffff
  for (const byte of new TextEncoder().encode(text(value))) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}

/** Further functions of MySQL on texts and numbers, without their `my_` prefix; any NULL argument gives NULL. */
export const TEXT_FUNCTIONS: Readonly<Record<string, SqlFunction>> = {
  strcmp: (a, b) => {
    const [restText, right] = [text(a).toLowerCase(), text(b).toLowerCase()]
    return restText === right ? 0 : restText < right ? -1 : 1
  },
  elt: (index, ...list) => list[num(index) - 1] ?? null,
  char: (...codes) => Uint8Array.from(codes.map((code) => num(code) & 255)),
  unhex: (value) => {
    const hex = text(value).length % 2 === 0 ? text(value) : `0${text(value)}`
    return /^[0-9a-f]*$/i.test(hex)
      ? Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
      : null
  },
  md5: (value) => md5(text(value)),
  format,
  insert: (value, from, length, part) => {
    const all = [...text(value)]
    const start = num(from)
    if (start < 1 || start > all.length) return text(value)
    const end = num(length) < 0 ? all.length : start - 1 + num(length)
    return [...all.slice(0, start - 1), text(part), ...all.slice(end)].join('')
  },
  quote: (value) => `'${text(value).replace(/[\\']/g, (char) => `\\${char}`)}'`,
  soundex,
  bin: (value) => converted(value, 10, 2),
  oct: (value) => converted(value, 10, 8),
  conv: converted,
  crc32,
  radians: (value) => (Number(value) * Math.PI) / 180,
  degrees: (value) => (Number(value) * 180) / Math.PI,
  sin: (value) => Math.sin(Number(value)),
  cos: (value) => Math.cos(Number(value)),
  tan: (value) => Math.tan(Number(value)),
  cot: (value) => 1 / Math.tan(Number(value)),
  asin: (value) => (Math.abs(Number(value)) > 1 ? null : Math.asin(Number(value))),
  acos: (value) => (Math.abs(Number(value)) > 1 ? null : Math.acos(Number(value))),
  atan: (value, x) => (x === undefined ? Math.atan(Number(value)) : Math.atan2(Number(value), Number(x))),
}
