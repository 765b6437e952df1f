import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { utils, write } from '@e965/xlsx'
import { zipSync } from 'fflate/browser'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { questionEntrySchema } from '../../../src/core/tasks/qa/entry'
import { openTable } from '../../../src/main/streams/read-source'
import { openStreamLibrary } from '../../../src/main/streams/stream-library'
import { LoamError } from '../../../src/shared/errors'
import { tempFolder } from '../runs/rig-app'

let folder: string
beforeEach(async () => {
  folder = await tempFolder()
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const bytesOf = (text: string) => new TextEncoder().encode(text)
const csv = 'question,answer\nCapital of Italy?,Rome\nWie groß?,5 mm\n'

/** What a file's rows become, as a stream and as a table of own tasks. */
async function readAs(name: string, bytes: Uint8Array) {
  const path = join(folder, name)
  await writeFile(path, bytes)
  const { tasks, info } = await openStreamLibrary(join(folder, 'none'), join(folder, 'none')).load(path)
  const { table } = await openTable({ path })
  const rows = tasks.map(({ instruction, payload }) => [
    instruction,
    ...questionEntrySchema.parse(payload).references,
  ])
  return { rows, notes: info.reading?.notes, own: table.entries.length, form: table.form }
}

describe('files of rows, however they are kept', () => {
  const rows = [
    ['Capital of Italy?', 'Rome'],
    ['Wie groß?', '5 mm'],
  ]

  test('packed by gzip, alone in an archive, and in Windows-1252', async () => {
    expect(await readAs('t.csv.gz', gzipSync(csv))).toMatchObject({ rows, own: 2, notes: [] })
    const archive = zipSync({ 'data/test.csv': bytesOf(csv), '__MACOSX/data/._test.csv': bytesOf('x') })
    expect(await readAs('t.zip', archive)).toMatchObject({
      rows,
      own: 2,
      notes: ['It is data/test.csv of the archive.'],
    })
    const old = await readAs('t.csv', Uint8Array.from(Buffer.from(csv, 'latin1')))
    expect(old).toMatchObject({ rows, own: 2, notes: ['It was read as Windows-1252.'] })
    expect(old.form).toContain('Windows-1252')
  })

  test('the first sheet of a workbook', async () => {
    const book = utils.book_new()
    const cells = [
      ['Question', 'Answer'],
      ['Two lines\nof text?', 'yes'],
      ['How many?', 12],
    ]
    utils.book_append_sheet(book, utils.aoa_to_sheet(cells), 'Tasks')
    utils.book_append_sheet(book, utils.aoa_to_sheet([['x']]), 'Notes')
    const bytes = new Uint8Array(write(book, { type: 'array' }) as ArrayBuffer)
    const read = await readAs('t.xlsx', bytes)
    expect(read.rows).toEqual([
      ['Two lines\nof text?', 'yes'],
      ['How many?', '12'],
    ])
    expect(read.notes).toEqual(['It is the sheet Tasks of the workbook. 1 more sheet is left out.'])

    // Handed over by the window, which does not know where it lies: as rows, and as a stream whose copy is kept.
    const base64 = Buffer.from(bytes).toString('base64')
    const { table, folder: beside } = await openTable({ fileName: 't.xlsx', base64 })
    expect([table.columns, table.entries.length, beside]).toEqual([['Question', 'Answer'], 2, null])
    const streams = openStreamLibrary(join(folder, 'none'), join(folder, 'own'))
    const first = await streams.take('../My tasks.xlsx', bytes)
    const second = await streams.take('My tasks.xlsx', bytes)
    expect([first.title, first.tasks, second.title]).toEqual(['My tasks', 2, 'My tasks-2'])
    await expect(streams.take('broken.xlsx', bytes.subarray(0, 99))).rejects.toThrow('broken.xlsx')
    expect((await streams.list()).map(({ title }) => title).sort()).toEqual(['My tasks', 'My tasks-2'])
  })

  test('a Parquet table of DeepResearcher rows, with nested cells, long numbers and times', async () => {
    const buffer = parquetWriteBuffer({
      columnData: [
        { name: 'data_source', data: ['nq', 'hotpotqa'] },
        {
          name: 'prompt',
          data: [[{ role: 'user', content: 'Who?' }], [{ role: 'user', content: 'Where?' }]],
          type: 'JSON',
        },
        {
          name: 'reward_model',
          data: [{ ground_truth: { target: ['A', 'B'] } }, { ground_truth: 'C' }],
          type: 'JSON',
        },
        { name: 'number', data: [1n, 2n], type: 'INT64' },
        { name: 'when', data: [new Date(0), new Date(1)], type: 'TIMESTAMP' },
      ],
    })
    const read = await readAs('test.parquet', new Uint8Array(buffer))
    expect(read.rows).toEqual([
      ['Who?', 'A', 'B'],
      ['Where?', 'C'],
    ])
    expect(read.own).toBe(2)
  })

  test('what cannot be read says why: several files, a broken table, bytes', async () => {
    const refusal = async (name: string, bytes: Uint8Array) => {
      const error: unknown = await readAs(name, bytes).catch((thrown: unknown) => thrown)
      if (!(error instanceof LoamError)) throw new Error(`${name} was read`)
      return error.message
    }
    const several = zipSync({ 'a.csv': bytesOf(csv), 'b.json': bytesOf('[]') })
    expect(await refusal('t.zip', several)).toContain('2 files that may hold rows: a.csv, b.json')
    expect(await refusal('t.parquet', bytesOf('PAR1 and nothing else'))).toContain('is a Parquet file that')
    expect(await refusal('t.gz', Uint8Array.from([0x1f, 0x8b, 1, 2, 3]))).toContain('cannot be unpacked')
    expect(await refusal('t.bin', Uint8Array.from([1, 0, 0, 0, 7, 0, 0, 0]))).toContain('is no text')
  })
})

test.each([
  ['', 'There is nothing in it.'],
  ['question,answer\n', 'It has a heading, "question,answer", and no row below it.'],
  ['question;answer\n;\n', 'It has a heading, "question;answer ;", and no row below it.'],
  ['[]', 'There is no row in it.'],
  ['hello', 'It begins with "hello", which is no row of a table and no JSON.'],
])('text that holds no row says what it holds: %j', async (text, cause) => {
  await expect(openTable({ text })).rejects.toThrow(cause)
})
