import { columnNumber, columnName, type CellAddress } from '../cells'

/** A reference as it is written: its sheet, and which parts are fixed by `$`. */
export interface Reference {
  readonly sheet: string | null
  readonly at: CellAddress
  readonly fixed: { readonly row: boolean; readonly column: boolean }
}

export type Token =
  | { readonly kind: 'number'; readonly value: number; readonly text: string }
  | { readonly kind: 'text'; readonly value: string; readonly text: string }
  | { readonly kind: 'reference'; readonly value: Reference; readonly text: string }
  /** Whole columns (`A:C`) or rows (`2:5`). */
  | { readonly kind: 'band'; readonly value: Band; readonly text: string }
  | { readonly kind: 'error'; readonly text: string }
  | { readonly kind: 'name'; readonly text: string }
  | { readonly kind: 'space'; readonly text: string }
  | { readonly kind: 'operator'; readonly text: string }

export interface Band {
  readonly sheet: string | null
  readonly axis: 'row' | 'column'
  readonly from: number
  readonly to: number
}

const SHEET = String.raw`(?:(?:'((?:[^']|'')+)'|([A-Za-z_\u00C0-\uFFFF][\w.\u00C0-\uFFFF]*))!)?`
const PATTERN = new RegExp(
  [
    String.raw`(?<space>\s+)`,
    String.raw`(?<text>"(?:[^"]|"")*")`,
    String.raw`(?<error>#(?:N\/A|VALUE!|REF!|DIV\/0!|NAME\?|NUM!|NULL!))`,
    String.raw`(?<band>${SHEET}(?:\$?([A-Za-z]{1,3}):\$?([A-Za-z]{1,3})|\$?(\d+):\$?(\d+))(?![\w(]))`,
    String.raw`(?<reference>${SHEET}(\$?)([A-Za-z]{1,3})(\$?)([1-9]\d{0,6})(?![\w(.]))`,
    String.raw`(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)`,
    String.raw`(?<name>[A-Za-z_\u00C0-\uFFFF][\w.\u00C0-\uFFFF]*)`,
    String.raw`(?<operator><=|>=|<>|[-+*/^&=<>%(),;:{}])`,
  ].join('|'),
  'y',
)

/** Cuts a formula (without its `=`) into tokens; null when something in it cannot be read. */
export function tokenize(formula: string): Token[] | null {
  const tokens: Token[] = []
  let at = 0
  while (at < formula.length) {
    PATTERN.lastIndex = at
    const match = PATTERN.exec(formula)
    if (!match?.groups) return null
    tokens.push(readToken(match, match.groups))
    at = PATTERN.lastIndex
  }
  return tokens
}

const sheetOf = (quoted: string | undefined, plain: string | undefined): string | null =>
  quoted?.replaceAll("''", "'") ?? plain ?? null

function readToken(match: RegExpExecArray, groups: Record<string, string | undefined>): Token {
  const text = match[0]
  if (groups.space !== undefined) return { kind: 'space', text }
  if (groups.text !== undefined) return { kind: 'text', value: text.slice(1, -1).replaceAll('""', '"'), text }
  if (groups.error !== undefined) return { kind: 'error', text }
  if (groups.number !== undefined) return { kind: 'number', value: Number(text), text }
  // The numbered groups, in the order of PATTERN: four named ones before `band`'s parts, and so on.
  const [, , , , , bandQuoted, bandPlain, fromColumn, toColumn, fromRow, toRow] = match
  if (groups.band !== undefined) {
    const sheet = sheetOf(bandQuoted, bandPlain)
    const isColumns = fromColumn !== undefined && toColumn !== undefined
    const ends = isColumns
      ? [columnNumber(fromColumn), columnNumber(toColumn)]
      : [Number(fromRow) - 1, Number(toRow) - 1]
    return {
      kind: 'band',
      value: { sheet, axis: isColumns ? 'column' : 'row', from: Math.min(...ends), to: Math.max(...ends) },
      text,
    }
  }
  if (groups.reference !== undefined) {
    const [quoted, plain, fixedColumn, column = '', fixedRow, row] = match.slice(12)
    return {
      kind: 'reference',
      value: {
        sheet: sheetOf(quoted, plain),
        at: { row: Number(row) - 1, column: columnNumber(column) },
        fixed: { row: fixedRow === '$', column: fixedColumn === '$' },
      },
      text,
    }
  }
  return groups.name !== undefined ? { kind: 'name', text } : { kind: 'operator', text }
}

const getOutput = ({ sheet, at, fixed }: Reference): string => {
  const prefix =
    sheet === null ? '' : /^[A-Za-z_]\w*$/.test(sheet) ? `${sheet}!` : `'${sheet.replaceAll("'", "''")}'!`
  return `${prefix}${fixed.column ? '$' : ''}${columnName(at.column)}${fixed.row ? '$' : ''}${at.row + 1}`
}

/** Rows or columns that were put in (count > 0) or taken out (count < 0) of a sheet, from `at` on. */
export interface Shift {
  readonly sheet: string
  readonly axis: 'row' | 'column'
  readonly at: number
  readonly count: number
}

/** Where a row or column is after a shift; null when it was taken out. */
export function shifted(index: number, { at, count }: Shift): number | null {
  if (index < at) return index
  if (count < 0 && index < at - count) return null
  return index + count
}

/** A formula of `sheet` after a shift: references follow their cells, lost ones become `#REF!`. A formula that cannot be read stays. */
export function shiftFormula(formula: string, sheet: string, shift: Shift): string {
  const tokens = tokenize(formula)
  if (!tokens) return formula
  return tokens
    .map((token, i) => {
      if (token.kind !== 'reference') return token.text
      const { value } = token
      // The second corner of `Sheet2!A1:B4` has no sheet of its own.
      const before = tokens[i - 1]?.text === ':' ? tokens[i - 2] : undefined
      const ofSheet = value.sheet ?? (before?.kind === 'reference' ? before.value.sheet : null) ?? sheet
      if (ofSheet !== shift.sheet) return token.text
      const movedCount = shifted(value.at[shift.axis], shift)
      return movedCount === null
        ? '#REF!'
        : getOutput({ ...value, at: { ...value.at, [shift.axis]: movedCount } })
    })
    .join('')
}
