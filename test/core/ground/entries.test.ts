import { describe, expect, it, test } from 'vitest'
import { entriesOf, EntryScanner, parseEntry, type Entry } from '../../../src/core/ground/entries'

const rows = Array.from({ length: 200 }, (_, i) => ({
  id: `t${i}`,
  text: `say "yes" to {braces}, [brackets] and \\ number ${i}`,
  table: {
    rows: [
      { id: 'nested', n: i },
      { id: 'nested2', list: [1, 2, { deep: null }] },
    ],
  },
}))
const forms: readonly (readonly [string, string])[] = [
  ['on one line', JSON.stringify(rows)],
  ['indented', JSON.stringify(rows, null, 2)],
  ['an element per line', `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]`],
  ['JSON lines', rows.map((row) => JSON.stringify(row)).join('\n')],
]
const keyed = Object.fromEntries(rows.map((row, i) => [String(i), row]))

const whole = (entries: readonly Entry[]): number =>
  entries
    .map(parseEntry)
    .filter(({ value }) => value !== undefined && (value as { id: string }).id.startsWith('t')).length

/** As `push` gives them when the text comes in pieces of `size` characters. */
function inPieces(text: string, size: number, shape: 'keyed' | null = null): Entry[] {
  const scanner = new EntryScanner(shape)
  const found: Entry[] = []
  for (let at = 0; at < text.length; at += size) found.push(...scanner.push(text.slice(at, at + size)))
  return [...found, ...scanner.end()]
}

describe.each(forms)('%s', (form, text) => {
  it('gives every entry with its line, however the text is cut into pieces', () => {
    for (const size of [text.length, 1000, 97]) {
      const entries = inPieces(text, size)
      expect(entries.map((entry) => parseEntry(entry).value)).toEqual(rows)
      for (const {
        place: { line },
        text: own,
      } of entries)
        expect(text.split('\n')[line - 1]).toContain(form === 'indented' ? '{' : own)
    }
  })

  const marks: readonly (readonly [string, (row: string) => string])[] = [
    ['a closing quote', (row) => row.replace('number 50"', 'number 50')],
    ['an opening quote', (row) => row.replace('"say', 'say')],
    ['a quote of its first key', (row) => row.replace('"id"', 'id"')],
    ['a quote of a later key', (row) => row.replace('"table"', '"table')],
    ['its last bracket', (row) => row.replace(/\}\s*$/, '')],
    ['an inner bracket', (row) => row.replace(/\](?=\s*\})/, '')],
    ['a colon', (row) => row.replace(':', '')],
    ['a comma', (row) => row.replace(',', '')],
  ]
  it.each(marks)('loses one entry of 200 when it lacks %s, and says which', (_, damage) => {
    const own =
      form === 'indented'
        ? JSON.stringify(rows[50], null, 2).replaceAll('\n', '\n  ')
        : JSON.stringify(rows[50])
    const broken = text.replace(own, () => damage(own))
    expect(broken).not.toBe(text)
    for (const size of [broken.length, 333]) {
      const entries = inPieces(broken, size)
      expect(whole(entries)).toBeGreaterThanOrEqual(198)
      const lost = entries.map(parseEntry).filter(({ problem }) => problem !== null)
      expect({ whole: whole(entries), lost: lost.length }).toEqual({ whole: 199, lost: 1 })
      expect(lost[0]).toMatchObject({ place: { entry: 51 } })
      expect(lost[0]?.problem).not.toBe('')
    }
  })
})

test('an object keyed by number loses one entry of 200, too', () => {
  for (const text of [JSON.stringify(keyed), JSON.stringify(keyed, null, 4)]) {
    expect(entriesOf(text, 'keyed').entries.map((entry) => parseEntry(entry).value)).toEqual(rows)
    for (const [from, to] of [
      ['number 50"', 'number 50'],
      ['"t50"', 't50"'],
    ] as const) {
      const { entries, closed } = entriesOf(text.replace(from, to), 'keyed')
      expect({ whole: whole(entries), all: entries.length, closed }).toEqual({
        whole: 199,
        all: 200,
        closed: true,
      })
    }
    // A key without its quote costs nothing.
    expect(whole(entriesOf(text.replace('"50"', '50"'), 'keyed').entries)).toBe(200)
  }
})

test('a file that was cut off gives what is whole and says so', () => {
  const text = JSON.stringify(rows)
  const { entries, closed } = entriesOf(text.slice(0, text.length / 2 + 20))
  expect(whole(entries)).toBe(entries.length - 1)
  expect(entries.at(-1)?.problem).toContain('the file ends within it')
  expect(closed).toBe(false)
  expect(entriesOf(text.slice(0, -1))).toMatchObject({ closed: false })
})

test('hostile text ends in linear time', () => {
  const size = 400_000
  for (const text of [
    '['.repeat(size),
    '[' + '{"a":['.repeat(size / 6),
    '[' + '{"a":[1,'.repeat(199) + '1,'.repeat(size),
    '[' + '{'.repeat(size),
    '[' + '"'.repeat(size),
    '[' + '{"a":"\n'.repeat(size / 7),
    '{"a":'.repeat(size / 5),
    ']}'.repeat(size / 2),
  ]) {
    const { entries } = entriesOf(text)
    expect(entries.every((entry) => parseEntry(entry).problem !== undefined)).toBe(true)
    inPieces(text, 65_536)
  }
})
