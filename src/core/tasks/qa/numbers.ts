/** A number as it stands in a text: groups of three apart by commas, points, memories or apostrophes, a decimal point or comma, an exponent. */
const NUMBER =
  /(?<![\p{L}\d.,])[+\-−]?(?:\d{1,3}(?:(?:[ '’\u00A0\u202F]\d{3})+|(?:,\d{3})+|(?:\.\d{3}){2,}|(?:\.\d{3})+(?=,\d))|\d+)(?:[.,]\d+)?(?:e[+-]?\d+)?(?!\d|[.,]\d)/giu

/** One that begins with its decimal point. */
const BARE = /^[+\-−]?[.,]\d+(?:e[+-]?\d+)?$/i

/** The value of a number as people of any country write it: the last point or comma is the decimal one, unless it can only part groups of three. */
function valueOf(output: string): number {
  const plain = output.replace(/[ '’\u00A0\u202F]/g, '').replace('−', '-')
  const at = Math.max(plain.lastIndexOf('.'), plain.lastIndexOf(','))
  if (at < 0) return Number(plain)
  const sign = plain.charAt(at)
  const alone = plain.indexOf(sign) === at
  const other = plain.includes(sign === '.' ? ',' : '.')
  // 1,234 and 1.234.567 are whole; 1.234 is none, as in English.
  const grouped = /^[+-]?\d{1,3}([.,]\d{3})+$/.test(plain) && !other && (sign === ',' || !alone)
  if (grouped) return Number(plain.replace(/[.,]/g, ''))
  return Number(`${plain.slice(0, at).replace(/[.,]/g, '')}.${plain.slice(at + 1)}`)
}

/** The one number of a text, whatever unit or words stand around it; null when there is none, or more than one. */
export function onlyNumberIn(text: string): number | null {
  const bare = text.trim()
  if (BARE.test(bare)) return valueOf(bare)
  const match = bare.match(NUMBER) ?? []
  const [only, ...others] = match
  return only === undefined || others.length > 0 ? null : valueOf(only)
}
