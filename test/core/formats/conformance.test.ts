import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Format } from '../../../src/core/formats/format'
import { FORMATS, readableFormats, recogniseFormat } from '../../../src/core/formats'
import { importItems } from '../../../src/main/memories/intake'
import { readTextFile } from '../../../src/main/memories/read-text'
import { memorySourceOf } from '../../../src/main/items/memory-items'
import type { StoredMemory } from '../../../src/main/memory-store/memory'
import { createRng } from '../../../src/shared/random'
import type { ReadingReport } from '../../../src/shared/domain/reading'
import { TORTURE } from '../../torture'
import { contentsOf, emptyMemory, fillMemory, NOW, samplesOf, taken, written, writtenFiles } from './memories'
import { caseEdits } from '../../main/memory-store/case-edits'

let folder: string
let opened: StoredMemory[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-bundle-'))
  opened = []
})
afterEach(async () => {
  for (const memory of opened) await memory.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})
const memory = async (filled = false): Promise<StoredMemory> => {
  const made = await emptyMemory(join(folder, `space-${opened.length}`))
  opened.push(made)
  if (filled) await fillMemory(made)
  return made
}

/** A full memory that is only read: filling one takes most of a test's time. */
let full: Promise<{ memory: StoredMemory; folder: string }> | undefined
const readOnly = async (): Promise<StoredMemory> => {
  full ??= (async () => {
    const own = await mkdtemp(join(tmpdir(), 'loam-full-'))
    const made = await emptyMemory(join(own, 'space-0'))
    await fillMemory(made)
    return { memory: made, folder: own }
  })()
  return (await full).memory
}
afterAll(async () => {
  const made = await full
  await made?.memory.close()
  if (made) await rm(made.folder, { recursive: true, force: true, maxRetries: 5 })
})

/** How often each file is damaged, in six ways in turn: twice, each format's files in the two ways after those of the one before it; in all by `npm run torture`. */
const DAMAGES = TORTURE ? 30 : 2

/** The place of a format in the list. */
const placeOf = (id: string): number => FORMATS.findIndex((format) => format.id === id)

/** Every row of the file is accounted for. */
const accounted = ({ rows, imported, duplicates, left, moreLeft }: ReadingReport): boolean =>
  rows === imported + duplicates + left.length + moreLeft &&
  left.every(({ line, why }) => line > 0 && why !== '')

/** Files of the format: others' samples, and what it writes of a full memory. */
async function filesOf(id: string, only?: StoredMemory): Promise<string[]> {
  const format = FORMATS.find((one) => one.id === id)
  const own =
    format?.write && format.read ? [...(await writtenFiles(only ?? (await readOnly()), id)).values()] : []
  return [
    ...(only ? [] : samplesOf(id)),
    ...own.map((bytes) => bytes.toString('utf8')).filter((text) => mayBeRead(format, text)),
  ]
}

/** Files of a folder that are for people are not read back. */
const mayBeRead = (format: Format | undefined, text: string): boolean =>
  format?.written !== 'folder' || (format.recognise?.(text.slice(0, 65_536), '').confidence ?? 0) > 0

/** The lines of a file that hold items: an own export names its memory in the first. */
const items = (text: string): string[] => text.split('\n').filter((line) => !line.includes('"loam-space"'))

const HOSTILE: readonly (readonly [string, string])[] = [
  ['empty', ''],
  ['blank', '\n \r\n\t\n'],
  ['no JSON', 'this is not a file of yours\n<xml/>'],
  ['numbers', '1\n2\n[3]\nnull\ntrue\n"x"'],
  ['an empty array', '[]'],
  ['an empty object', '{}'],
  [
    'wrong kinds',
    '{"kind":7}\n{"kind":"case","case":null}\n{"kind":"trajectory"}\n{"kind":"wormhole","x":1}',
  ],
  ['a newer header', '{"format":"loam-space","version":99,"space":{}}'],
  ['deep nesting', `${'{"a":['.repeat(50_000)}\n${'['.repeat(100_000)}`],
  ['a long line', `{"case":"${'x'.repeat(5_000_000)}"`],
  ['polluting keys', '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"kind":"case"}'],
  ['NUL and lone surrogates', '{"case":"\u0000\\ud800","plan":"\ud800","case_label":"positive"}\n\u0000'],
  ['only quotes', '"'.repeat(20_000)],
  ['only brackets', ']}'.repeat(20_000)],
]

describe.each(FORMATS.map((format) => [format.id, format] as const))('the format %s', (id, format) => {
  it('has a name and says what it is for, keeps and loses', () => {
    expect(id).toMatch(/^[a-z][a-z0-9-]{1,40}$/)
    expect(FORMATS.filter((other) => other.id === id)).toHaveLength(1)
    for (const words of [format.title, format.writtenFor, format.keeps, format.loses])
      expect(words.trim().length).toBeGreaterThan(3)
    expect(format.write === undefined).toBe(format.fileName === undefined)
    expect(format.write ?? format.read ?? format.readBytes).toBeDefined()
    const fileName = format.fileName?.({ fileName: 'a-space', time: '2026-06-01T000000' })
    if (fileName !== undefined)
      expect(fileName).toMatch(format.written === 'folder' ? /^[\w.-]+$/ : /^[\w.-]+\.[a-z]+$/)
  })

  it.runIf(format.write && format.read)(
    'reads back what it writes, so that it writes the same again',
    async () => {
      const full = await readOnly()
      const again = await memory()
      for (const text of await filesOf(id, full)) {
        const report = await taken(again, id, text)
        expect(accounted(report)).toBe(true)
        expect(report).toMatchObject({ duplicates: 0, left: [], moreLeft: 0, notes: [] })
        expect(report.imported).toBeGreaterThan(0)
      }
      expect(items(await written(again, id))).toEqual(items(await written(full, id)))
    },
  )

  it.runIf(format.read)('takes nothing in twice', async () => {
    for (const text of await filesOf(id)) {
      const target = await memory()
      const first = await taken(target, id, text)
      expect(accounted(first)).toBe(true)
      expect(first.imported).toBeGreaterThan(0)
      const hash = await target.contentHash()
      const second = await taken(target, id, text)
      expect({ ...second, redactions: {} }).toEqual({
        ...first,
        imported: 0,
        duplicates: first.imported + first.duplicates,
        kinds: second.kinds,
        redactions: {},
      })
      for (const kind of second.kinds) expect(kind).toMatchObject({ fresh: 0, conflicts: 0 })
      expect(second.kinds.map(({ kind, rows }) => [kind, rows])).toEqual(
        first.kinds.map(({ kind, rows }) => [kind, rows]),
      )
      expect(await target.contentHash()).toBe(hash)
    }
  })

  it.runIf(format.read)('stops when it is asked to, and goes on behind what it took', async () => {
    const [text = ''] = await filesOf(id)
    const gone = await memory()
    await expect(taken(gone, id, text, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' })
    expect((await gone.info()).cases).toBe(0)
    const whole = await memory()
    await taken(whole, id, text)
    await taken(gone, id, text)
    expect(await gone.contentHash()).toBe(await whole.contentHash())
  })

  it.runIf(format.recognise)('is recognised by how its files begin', async () => {
    const target = await memory()
    for (const text of await filesOf(id)) {
      expect(recogniseFormat(text.slice(0, 65_536), '', readableFormats()).format.id).toBe(id)
      expect((await taken(target, 'auto', text)).format).toBe(id)
    }
  })

  // Into one memory, whose opening would take most of the time.
  it.runIf(format.read)('answers files that are none with counts and reasons', async () => {
    const target = await memory()
    for (const [what, text] of HOSTILE.filter((_, n) => TORTURE || (n + placeOf(id)) % 2 === 0)) {
      const report = await taken(target, id, text)
      expect([what, accounted(report)]).toEqual([what, true])
      if (text.trim() !== '' && text !== '[]' && report.imported === 0)
        expect(report.rows, what).toBeGreaterThan(0)
      expect(({} as Record<string, unknown>)['polluted'], what).toBeUndefined()
    }
  })

  it.runIf(format.read)('answers damaged files with counts and reasons', async () => {
    const random = createRng('damage')
    const target = await memory()
    for (const text of await filesOf(id)) {
      for (let n = 0; n < DAMAGES; n++) {
        const at = random.int(text.length)
        const damage = [
          () => text.slice(0, at),
          () => text.slice(0, at) + text.slice(at + 1),
          () => `${text.slice(0, at)}"${text.slice(at)}`,
          () => text.slice(0, at) + '\u0000' + text.slice(at + 1),
          () => text.slice(0, at).replaceAll(/"[a-z_]+":/g, '"x":') + text.slice(at),
          () => text.slice(0, at) + text.slice(at).replaceAll(/:\s*"/g, ': 1, "y": "'),
        ]
        const report = await taken(target, id, damage[(n + DAMAGES * placeOf(id)) % damage.length]?.() ?? '')
        expect(accounted(report)).toBe(true)
      }
    }
  })

  it.runIf(format.read)('reads bytes that are no text as such, and says where', async () => {
    const [text = ''] = await filesOf(id)
    const path = join(folder, 'bytes')
    await writeFile(path, Buffer.concat([Buffer.from(text), Buffer.from([0x0a, 0xff, 0xc3, 0x28, 0x0a])]))
    const file = await readTextFile(path)
    const target = await memory()
    const report = await importItems(target, memorySourceOf(target), file, {
      format: id,
      file: path,
      now: NOW,
    })
    expect(accounted(report)).toBe(true)
    expect(report.imported).toBeGreaterThan(0)
    expect(report.notes).toEqual([
      expect.stringMatching(/^From line \d+ on there are bytes that are no text/),
    ])
  })
})

describe("Loam's own format", () => {
  it('brings back every attempt, case, memory, experience and document of a memory', async () => {
    const full = await memory(true)
    const again = await memory()
    const text = await written(full, 'loam')
    const report = await taken(again, 'auto', text)
    expect(report).toMatchObject({ format: 'loam', rows: items(text).length - 1, left: [] })
    expect(await contentsOf(again)).toEqual(await contentsOf(full))
    // Also once the memory was closed and opened again, and what counts as recalled first stays so.
    expect([...again.curation.marks]).toEqual([...full.curation.marks])
    const { path } = again
    await again.close()
    const reopened = await emptyMemory(path)
    opened[opened.indexOf(again)] = reopened
    expect(await contentsOf(reopened)).toEqual(await contentsOf(full))
  })

  it('leaves out what reads differently here, and says so', async () => {
    const full = await memory(true)
    const text = await written(full, 'loam')
    await caseEdits(full).correctCase('c00002', { state: 'other words', plan: 'p', reward: 1 })
    const report = await taken(full, 'loam', text)
    expect(report).toMatchObject({
      imported: 0,
      left: [{ why: expect.stringContaining('reads differently') as string }],
    })
    expect((await full.get('c00002'))?.state).toBe('other words')
  })
})
