import assert from 'node:assert/strict'
import { formatInfo } from '../../core/formats'
import type { Format, FormatSource } from '../../core/formats/format'
import type { Found, ReadContext } from '../../core/memory/experiences/import/log'
import { check, saysSomething, type Check } from './draw'

/** What the suite stands on: a memory with a few items. */
export interface FormatRig {
  readonly source: FormatSource
  readonly context: ReadContext
}

/** Files that are cut, of another kind, too deep, or meant to harm. */
const HOSTILE = [
  '',
  '\n\n\n',
  'no file of any kind',
  '{"a": 1',
  '[1, 2, {"b":',
  '{"__proto__": {"polluted": true}}\n{"constructor": {"prototype": {"polluted": true}}}',
  '['.repeat(100_000),
  '\u0000\uFFFF\uD800\n'.repeat(20),
  `{"kind": "case", "item": ${'9'.repeat(400)}}`,
]

async function* piecesOf(text: string): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += 1000) {
    await Promise.resolve()
    yield text.slice(from, from + 1000)
  }
}

/** What every format has to do. */
export function formatChecks(format: Format, rig: () => FormatRig): Check[] {
  const read = async (text: string): Promise<Found[]> => {
    const { context } = rig()
    const match =
      format.read?.(piecesOf(text), context) ?? format.readBytes?.(new TextEncoder().encode(text), context)
    const all: Found[] = []
    for await (const one of match ?? []) all.push(one)
    return all
  }
  const write = async () => {
    let text = ''
    let count = 0
    for await (const part of format.write?.(rig().source, { now: () => new Date(0) }) ?? []) {
      text += part.text
      if (part.holds !== null) count += part.count ?? 1
      if (format.written === 'folder') saysSomething({ file: part.file ?? '' })
    }
    return { text, count }
  }
  const isText = (format.written ?? 'text') === 'text'
  return [
    check('says what it is, what it keeps and what it loses', () => {
      const { title, writtenFor, keeps, loses } = formatInfo(format)
      saysSomething({ title, writtenFor, keeps, loses })
      assert.match(format.id, /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/)
    }),
    check('writes the same twice, into a file that has a name', async () => {
      if (!format.write) return
      saysSomething({ fileName: format.fileName?.({ fileName: 'mine', time: '2026-01-01T000000' }) ?? '' })
      const { text, count } = await write()
      assert.ok(count > 0, 'it writes nothing of a memory with items')
      assert.equal((await write()).text, text)
    }),
    check('recognises what it writes', async () => {
      if (!format.write || !format.recognise || !isText) return
      const name = format.fileName?.({ fileName: 'mine', time: '2026-01-01T000000' }) ?? ''
      assert.ok(format.recognise((await write()).text.slice(0, 64 * 1024), name).confidence > 0)
      assert.equal(format.recognise('no file of any kind', 'mine.txt').confidence, 0)
    }),
    check('reads back all that it writes', async () => {
      if (!format.write || !format.read || !isText) return
      const { text, count } = await write()
      const matches = await read(text)
      assert.deepEqual(
        matches.filter(({ kind }) => kind === 'left'),
        [],
      )
      const rows = matches.reduce((sum, one) => sum + (one.kind === 'events' ? (one.rows ?? 1) : 1), 0)
      assert.ok(rows >= count, `it wrote ${count} items and reads ${rows}`)
    }),
    check('answers hostile files with what is left out and why', async () => {
      if (!format.read && !format.readBytes) return
      for (const text of HOSTILE)
        for (const one of await read(text)) if (one.kind === 'left') saysSomething({ why: one.why })
      assert.equal('polluted' in {}, false)
    }),
  ]
}
