import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { utils, write } from '@e965/xlsx'
import { strToU8, unzipSync, zipSync } from 'fflate/browser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unpackedArchive } from '../../../src/main/adapters/isolate/work/formats/zip'
import { openSheetFile } from '../../../src/core/sheets/sheet-file'
import { readBytes, readTableApart } from '../../../src/main/ground/isolate/foreign-rows'
import { LoamError } from '../../../src/shared/errors'
import { createRng } from '../../../src/shared/random'

/** A workbook of 190 rows, packed: about 21 KB. */
function workbook(): Uint8Array {
  const rows = Array.from({ length: 190 }, (_, i) => [`task ${i} ${Math.sin(i)}`, Math.cos(i), i % 3 === 0])
  const book = utils.book_new()
  utils.book_append_sheet(book, utils.aoa_to_sheet([['Question', 'Answer', 'Odd'], ...rows]), 'A')
  return new Uint8Array(write(book, { type: 'array', compression: true }) as ArrayBuffer)
}

/** The bytes with some of them other ones. */
function damaged(bytes: Uint8Array, random: () => number): Uint8Array {
  const copy = bytes.slice()
  for (let i = 0; i <= random() * 4; i++)
    copy[Math.floor(random() ** 3 * copy.length)] = random() < 0.3 ? 0xff : Math.floor(random() * 256)
  return random() < 0.2 ? copy.slice(0, Math.floor(random() * copy.length)) : copy
}

describe('damaged workbooks', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loam-damaged-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  // SheetJS alone never comes back from some of these.
  it('are read or refused, whatever bytes are other ones', () => {
    const rng = createRng('damaged workbooks')
    const random = () => rng.next()
    const whole = workbook()
    expect(whole.length).toBeLessThan(30_000)
    const tally = { read: 0, refused: 0 }
    for (let i = 0; i < 250; i++)
      try {
        expect(openSheetFile(damaged(whole, random), unpackedArchive).sheets.length).toBeGreaterThan(0)
        tally.read++
      } catch (error) {
        if (!(error instanceof LoamError)) throw error
        expect(error.code).toBe('TASK_STREAM')
        tally.refused++
      }
    // The archive's own sums tell most of them.
    expect(tally.read).toBeGreaterThan(0)
    expect(tally.refused).toBeGreaterThan(50)
  })

  it('whose archive lies about its files are refused', () => {
    const archive = zipSync({ 'a.xml': strToU8('x'.repeat(5000)), 'b.xml': strToU8('y') }, { level: 0 })
    expect(() => unpackedArchive(archive)).not.toThrow()
    // Both entries of the list point at the larger file, and say its size.
    const [first, second] = [...archive.keys()]
      .slice(0, -4)
      .filter((at) => Buffer.from(archive.subarray(at, at + 4)).readUInt32LE() === 0x02014b50)
    const overlapping = archive.slice()
    for (const field of [16, 20, 24, 42])
      overlapping.set(archive.subarray((first ?? 0) + field, (first ?? 0) + field + 4), (second ?? 0) + field)
    expect(() => unpackedArchive(overlapping)).toThrow(/overlap/)
    const many = zipSync(
      Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`${i}`, new Uint8Array()])),
    )
    expect(() => unpackedArchive(many)).toThrow(/10000 files/)
    expect(() => unpackedArchive(zipSync({ big: new Uint8Array(20_000_000) }))).toThrow(/400 to 1/)
  })

  it('that say they have 17 billion cells are as large as their cells are', async () => {
    const sheet = utils.aoa_to_sheet([
      ['Question', 'Answer'],
      ['Capital of Italy?', 'Rome'],
    ])
    const path = join(folder, 'wide.xlsx')
    const book = utils.book_new()
    utils.book_append_sheet(book, sheet, 'A')
    const bytes = widened(new Uint8Array(write(book, { type: 'array' }) as ArrayBuffer))
    await writeFile(path, bytes)
    const { columns, entries } = await readTableApart(await readBytes(path))
    expect([columns, entries.map(({ value }) => value)]).toEqual([
      ['Question', 'Answer'],
      [{ Question: 'Capital of Italy?', Answer: 'Rome' }],
    ])
    expect(openSheetFile(bytes, unpackedArchive).extent('A')?.to).toEqual({ row: 1, column: 1 })
  })

  it('are read while the host does other things', async () => {
    const path = join(folder, 'whole.xlsx')
    await writeFile(path, workbook())
    let turns = 0
    let isRead = false
    // Turns of the loop, however long each takes on a busy machine: parsed right here there would be a handful.
    const turn = () => void (++turns && !isRead && setImmediate(turn))
    turn()
    const { entries } = await readTableApart(await readBytes(path))
    isRead = true
    expect(entries).toHaveLength(190)
    expect(turns).toBeGreaterThan(50)
  })
})

/** The same workbook, whose sheet says that it is as large as a sheet can be. */
function widened(bytes: Uint8Array): Uint8Array {
  const parts = unzipSync(bytes)
  const sheet = 'xl/worksheets/sheet1.xml'
  const text = Buffer.from(parts[sheet] ?? []).toString()
  if (!text.includes('ref="A1:B2"')) throw new Error('the sheet says nothing of its size')
  return zipSync({ ...parts, [sheet]: strToU8(text.replace('ref="A1:B2"', 'ref="A1:XFD1048576"')) })
}
