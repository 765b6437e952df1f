import type { SqlTable } from '../../ground/ports'
import { createRng, type Rng } from '../../ground/random'
import { PEOPLE, PLACES, TABLE_KINDS, WORLD_NAMES, type TableKind } from './vocabulary'

export type StatusStyle = 'word' | 'upper' | 'letter' | 'number'
export type AmountStyle = 'units' | 'cents' | 'thousandths'
export type NameStyle = 'as-is' | 'lower' | 'upper'
export type DateStyle = 'iso' | 'compact' | 'slash'

/** How one table of one world stores what people say: the hidden house rules. */
export interface TableRules {
  readonly kind: TableKind
  /** Stored code per status word. */
  readonly codes: ReadonlyMap<string, string>
  readonly statusStyle: StatusStyle
  /** Stored amount = spoken amount times 1, 100 or 1000. */
  readonly amount: AmountStyle
  readonly who: NameStyle
  readonly place: NameStyle
  readonly date: DateStyle
  /** The value that rows in use carry in the soft-delete column; null when the table has none. */
  readonly flagValue: string | null
}

export interface World {
  readonly name: string
  readonly tables: readonly TableRules[]
}

/** Tables per world: with 5 status words and 4 stored formats each, a world holds more than 50 facts. */
export const TABLES_PER_WORLD = 6
/** Share of tables with a soft-delete column. */
const FLAG_SHARE = 0.25

const LETTERS = [...'ABCDEFGHJKLMNPQRSTUVWXYZ']
const NUMBERS = Array.from({ length: 90 }, (_, i) => String(i + 10))
const STATUS_STYLES: readonly StatusStyle[] = [
  'letter',
  'letter',
  'letter',
  'number',
  'number',
  'number',
  'upper',
  'word',
]

const STYLES = {
  amount: ['units', 'cents', 'thousandths'],
  who: ['as-is', 'lower', 'upper'],
  place: ['as-is', 'lower', 'upper'],
  date: ['iso', 'compact', 'slash'],
  flag: LETTERS,
} as const

/** Another style than `now` for a column, or another value of the soft-delete column. */
export const otherStyle = (rng: Rng, of: keyof typeof STYLES, now: string): string =>
  rng.pick(STYLES[of].filter((style) => style !== now))

/** A code that none of a table's status words has: a number where codes are numbers, else a letter. */
export function freshCode(rng: Rng, { statusStyle, codes }: TableRules): string {
  const takenSet = new Set(codes.values())
  const all = statusStyle === 'number' ? NUMBERS : LETTERS
  return rng.pick(all.filter((code) => !takenSet.has(code)))
}

function drawCodes(rng: Rng, style: StatusStyle, statuses: readonly string[]): Map<string, string> {
  const letters = rng.sample(LETTERS, statuses.length)
  const numbers = rng.sample(NUMBERS, statuses.length)
  const code = (word: string, i: number): string => {
    switch (style) {
      case 'word':
        return word
      case 'upper':
        return word.toUpperCase()
      case 'letter':
        return letters[i] ?? word
      case 'number':
        return numbers[i] ?? word
    }
  }
  return new Map(statuses.map((word, i) => [word, code(word, i)]))
}

/**
 * Draws a world from a seed text. Seeds of the training text start with `train:`, every other seed with
 * `open:`, so the two never share a random sequence.
 */
export function createWorld(seed: string, kinds: readonly TableKind[] = TABLE_KINDS): World {
  const rng = createRng(`world/${seed}`)
  const tables = rng.sample(kinds, TABLES_PER_WORLD).map((kind): TableRules => {
    const statusStyle = rng.pick(STATUS_STYLES)
    return {
      kind,
      statusStyle,
      codes: drawCodes(rng, statusStyle, kind.statuses),
      amount: rng.pick(STYLES.amount),
      who: rng.pick(STYLES.who),
      place: rng.pick(STYLES.place),
      date: rng.pick(STYLES.date),
      flagValue: rng.chance(FLAG_SHARE) ? rng.pick(LETTERS) : null,
    }
  })
  return { name: rng.pick(WORLD_NAMES), tables }
}

export const storedAmount = (style: AmountStyle, spokenCount: number): number =>
  spokenCount * { units: 1, cents: 100, thousandths: 1000 }[style]

export const storedName = (style: NameStyle, speech: string): string =>
  style === 'lower' ? speech.toLowerCase() : style === 'upper' ? speech.toUpperCase() : speech

/** `spoken` is an ISO date. */
export function storedDate(style: DateStyle, speech: string): string {
  const [year, month, day] = speech.split('-')
  if (style === 'compact') return `${year}${month}${day}`
  if (style === 'slash') return `${day}/${month}/${year}`
  return speech
}

export const spokenDate = (rng: Rng): string =>
  `2024-${String(rng.int(12) + 1).padStart(2, '0')}-${String(rng.int(28) + 1).padStart(2, '0')}`

/** The name of the code book every world has: what each status word and soft-delete column is stored as. */
export const CODE_BOOK = 'codes'

/** Fills a table with 8 to 14 rows that follow its rules; `focus` values are made likely so that answers are seldom empty. */
export function drawTable(
  rng: Rng,
  rules: TableRules,
  focus: { readonly who: string; readonly place: string; readonly status: string; readonly date: string },
): SqlTable {
  const { kind } = rules
  const people = [focus.who, focus.who, ...rng.sample(PEOPLE, 3)]
  const places = [focus.place, focus.place, ...rng.sample(PLACES, 2)]
  const statuses = [focus.status, focus.status, ...rng.sample(kind.statuses, 3)]
  const rows = Array.from({ length: 8 + rng.int(7) }, (_, i) => [
    i + 1,
    storedName(rules.who, rng.pick(people)),
    rules.codes.get(rng.pick(statuses)) ?? '',
    storedAmount(rules.amount, 10 + rng.int(90)),
    storedName(rules.place, rng.pick(places)),
    storedDate(rules.date, rng.chance(0.4) ? focus.date : spokenDate(rng)),
    ...(rules.flagValue === null
      ? []
      : [rng.chance(0.7) ? rules.flagValue : otherLetter(rng, rules.flagValue)]),
  ])
  const text = (name: string) => ({ name, type: 'TEXT' })
  return {
    name: kind.table,
    columns: [
      { name: kind.id, type: 'INT' },
      text(kind.who),
      text(kind.status),
      { name: kind.amount, type: 'INT' },
      text(kind.place),
      text(kind.date),
      ...(rules.flagValue === null ? [] : [text(kind.flag)]),
    ],
    rows,
  }
}

const otherLetter = (rng: Rng, claim: string): string =>
  rng.pick(LETTERS.filter((letter) => letter !== claim))

/** The code book of a world: one row per status word of its tables and per soft-delete column. */
export function codeBook(world: World): SqlTable {
  const rows = world.tables.flatMap((table) => [
    ...[...table.codes].map(([word, code]) => [word, code]),
    ...(table.flagValue === null ? [] : [[table.kind.flag, table.flagValue]]),
  ])
  return {
    name: CODE_BOOK,
    columns: [
      { name: 'word', type: 'TEXT' },
      { name: 'code', type: 'TEXT' },
    ],
    rows,
  }
}
