import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseStream } from '../../../src/core/streams/parse-stream'
import { publishMemory } from '../../../src/main/share/publish'
import { importChoiceSchema, type ImportSource } from '../../../src/shared/domain/item-transfer'
import { leftCount, type ReadingReport } from '../../../src/shared/domain/reading'
import { createRng } from '../../../src/shared/random'
import { contentsOf, emptyMemory, fillMemory } from '../../core/formats/memories'
import { doorsOf, onlyMemory } from '../../fixtures/doors'
import type { StoredMemory } from '../../../src/main/memory-store/memory'

const FILES = 3
let folder: string
let opened: StoredMemory[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-rows-'))
  opened = []
})
afterEach(async () => {
  for (const memory of opened) await memory.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})
const memory = async (): Promise<StoredMemory> => {
  const made = await emptyMemory(join(folder, `space-${opened.length}`))
  opened.push(made)
  return made
}

/** Rows of which it is plain beforehand what becomes of each. */
interface Drawn {
  readonly files: readonly (readonly string[])[]
  readonly imported: number
  readonly duplicates: number
  readonly left: number
}

const ROW = {
  good: (n: number) => JSON.stringify({ kind: 'note', id: `n${n}`, text: `Boat ${n} lies at pier ${n}.` }),
  cut: (n: number) => `{"id":"n${n}","te`,
  empty: (n: number) => JSON.stringify({ kind: 'note', id: `e${n}`, text: '' }),
  number: (n: number) => String(n),
  text: (n: number) => JSON.stringify(`only words ${n}`),
}

/** Some rows that can be read, some that were read already, and some that cannot, mixed. */
function draw(seed: string): Drawn {
  const random = createRng(seed)
  const files = Array.from({ length: FILES }, (): string[] => [])
  let [imported, duplicates, left] = [0, 0, 0]
  for (let n = 0; n < 40; n++) {
    const file = files[n < FILES ? n : random.int(FILES)]
    const kind = n < FILES ? 0 : random.int(6)
    if (kind <= 1) {
      file?.push(ROW.good(imported++))
    } else if (kind === 2) {
      file?.push(ROW.good(random.int(imported)))
      duplicates++
    } else {
      const name = (['cut', 'empty', 'number', 'text'] as const)[random.int(4)] ?? 'cut'
      file?.push(ROW[name](n))
      left++
    }
  }
  return { files, imported, duplicates, left }
}

const fileOf = (rows: readonly string[]): string => rows.map((row) => `${row}\n`).join('')
const base64 = (bytes: string | Uint8Array): string => Buffer.from(bytes).toString('base64')

/** The ways by which files come in. */
const DOORS: Readonly<Record<string, (files: Drawn['files']) => Promise<ImportSource>>> = {
  text: (files) => Promise.resolve({ from: 'text', fileName: 'rows.jsonl', text: fileOf(files.flat()) }),
  async path(files) {
    const path = join(folder, 'rows.jsonl')
    await writeFile(path, fileOf(files.flat()))
    return { from: 'paths', paths: [path] }
  },
  async folder(files) {
    const path = join(folder, 'many')
    await mkdir(path)
    for (const [n, rows] of files.entries()) await writeFile(join(path, `rows-${n}.jsonl`), fileOf(rows))
    return { from: 'paths', paths: [path] }
  },
  'several files over the wire': (files) =>
    Promise.resolve({
      from: 'files',
      files: files.map((rows, n) => ({ fileName: `in/rows-${n}.jsonl`, data: base64(fileOf(rows)) })),
    }),
}

function accounted(report: ReadingReport, { imported, duplicates, left }: Omit<Drawn, 'files'>): void {
  const { rows, notes } = report
  expect({ rows, imported: report.imported, duplicates: report.duplicates, left: leftCount(report) }).toEqual(
    {
      ...{ rows: imported + duplicates + left, imported, duplicates, left },
    },
  )
  for (const { line, why } of report.left) expect([line > 0, why.length > 5]).toEqual([true, true])
  expect(notes.every((note) => note.length > 5)).toBe(true)
}

describe('rows in are rows taken in and rows left out, with the reason', () => {
  it.each(Object.entries(DOORS))('through %s', async (_door, sourceOf) => {
    for (const seed of ['first', 'second']) {
      const drawn = draw(seed)
      const target = await memory()
      const { imports } = doorsOf(onlyMemory(target))
      const source = await sourceOf(drawn.files)
      const input = { ...importChoiceSchema.parse({ source, format: 'jsonl' }), memoryId: 'mine' }
      const looked = await imports.preview(input)
      accounted(looked, drawn)
      accounted(await imports.run(input), drawn)
      expect((await target.info()).items['note']).toBe(drawn.imported)
      // Once more, nothing is new, and what cannot be read is told of again.
      const again = await imports.run(input)
      accounted(again, { imported: 0, duplicates: drawn.imported + drawn.duplicates, left: drawn.left })
      await rm(join(folder, 'many'), { recursive: true, force: true })
    }
  })

  it('of what a peer published, and of a bundle, as of what is not chosen of them', async () => {
    const full = await memory()
    await fillMemory(full)
    await publishMemory(full, join(folder, 'shelf'))
    const path = join(folder, 'bundle.loam')
    const { kinds: written } = await doorsOf(onlyMemory(full)).export('mine', { path, format: 'bundle' })
    expect(written.length).toBeGreaterThan(3)
    for (const source of [
      { from: 'published', address: join(folder, 'shelf') },
      { from: 'paths', paths: [path] },
    ] as const) {
      const target = await memory()
      const { imports } = doorsOf(onlyMemory(target))
      const input = { ...importChoiceSchema.parse({ source }), memoryId: 'mine' }
      const whole = await imports.preview(input)
      expect(whole.rows).toBeGreaterThan(10)
      accounted(whole, { imported: whole.rows, duplicates: 0, left: 0 })
      const lessons = whole.kinds.find(({ kind }) => kind === 'lesson')?.rows ?? 0
      expect(lessons).toBeGreaterThan(1)
      const some = await imports.run({ ...input, kinds: ['lesson'] })
      accounted(some, { imported: lessons, duplicates: 0, left: whole.rows - lessons })
      const rest = await imports.run(input)
      accounted(rest, { imported: whole.rows - lessons, duplicates: lessons, left: 0 })
      expect(Object.keys(await contentsOf(target)).length).toBeGreaterThan(0)
    }
  })

  it('of tasks', () => {
    for (const seed of ['first', 'second', 'third']) {
      const random = createRng(seed)
      const rows: string[] = []
      let good = 0
      for (let n = 0; n < 60; n++)
        if (n === 0 || random.int(2) === 0)
          rows.push(JSON.stringify({ question: `How many boats ${n}?`, answer: String(good++) }))
        else rows.push([`{"question":"cut ${n}`, '7', '{"other":1}', '[]'][random.int(4)] ?? '')
      const { tasks, reading } = parseStream(fileOf(rows), 'tasks.jsonl')
      expect(tasks).toHaveLength(good)
      accounted(reading, { imported: good, duplicates: 0, left: rows.length - good })
    }
  })
})
