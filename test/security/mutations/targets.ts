import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { readableFormats } from '../../../src/core/formats'
import type { Found } from '../../../src/core/memory/experiences/import/log'
import { openBundleFile, type OpenBundle } from '../../../src/main/bundle/open-bundle'
import { dataFile } from '../../../src/main/bundle/manifest'
import { DATA_KINDS } from '../../../src/main/share/bundle/import-plan'
import { DocumentReader } from '../../../src/main/adapters/isolate/read-documents'
import { createWorkbooks } from '../../../src/main/adapters/sheets/workbooks'
import { readGgufHeader } from '../../../src/main/gguf/read-gguf'
import { readForeignText, type TextSyntax } from '../../../src/main/ground/isolate/foreign-text'
import { readFormat } from '../../../src/main/memories/read-format'
import { readBytes, readRowsApart, readTableApart } from '../../../src/main/ground/isolate/foreign-rows'
import { emptyMemory, fillMemory, samplesOf, writtenFiles } from '../../core/formats/memories'
import { wholeBundle } from '../../main/share/whole-bundle'
import { pdfFile, sheetFile, slidesFile, wordFile } from '../../main/tools/document-files'
import { writeRandomModel } from '../../models/random-model'

/** A kind of file from outside, whole ones of it, and the way by which Loam reads it. */
export interface Target {
  readonly kind: string
  readonly seeds: readonly Uint8Array[]
  readonly read: (bytes: Uint8Array) => Promise<unknown>
  /** Whether what was read may differ from what every seed says: false where sums vouch for each byte. */
  readonly vouched?: boolean
}

const NOW = '2026-06-01T00:00:00.000Z'
const DATABASE = resolve(import.meta.dirname, '../../fixtures/kb/databases/opencode.db')
const HTML =
  '<html><head><title>Boats</title></head><body><h1>Boats</h1><table><tr><td>7</td></tr></table><p>In the harbour &amp; beyond.</p></body></html>'
const XML =
  '<?xml version="1.0"?><feed><entry id="1"><title>Boats</title><link href="http://a.test/"/></entry></feed>'
const ROWS = '{"question":"How many boats?","answer":"7"}\n{"question":"Which colour?","answer":"red"}\n'
const SETTINGS: Readonly<Record<TextSyntax, string>> = {
  yaml: 'name: study\nmethods:\n  - none\n  - &a {k: 2}\nmore: *a\ntext: |\n  two\n  lines\n',
  json: '{"name":"study","methods":["none",{"k":2}],"more":null,"n":-1.5e3}',
  toml: 'name = "study"\n[methods]\nk = 2\nwhen = 2026-06-01T00:00:00Z\nlist = [1, 2]\n',
}

async function* pieces(bytes: Uint8Array): AsyncGenerator<string> {
  const text = Buffer.from(bytes).toString('utf8')
  for (let i = 0; i < text.length; i += 4096) yield await Promise.resolve(text.slice(i, i + 4096))
}

/** All that a bundle says. */
async function wholeOf({ manifest, signed, lines, close }: OpenBundle): Promise<unknown> {
  try {
    const all: string[] = []
    for (const kind of DATA_KINDS) for await (const line of lines(dataFile(kind))) all.push(line)
    return { manifest, signed, all }
  } finally {
    await close()
  }
}

/** Every kind. `folder` is for files that are read from the disk. Close what it opened with `close`. */
export async function openTargets(
  folder: string,
): Promise<{ readonly targets: readonly Target[]; readonly close: () => Promise<void> }> {
  const memory = await emptyMemory(join(folder, 'memory'))
  await fillMemory(memory)
  const bundle = (await wholeBundle(memory, { loamVersion: '0', now: new Date(NOW) })).bytes
  const model = join(folder, 'model.gguf')
  writeRandomModel(model, {
    ...{ architecture: 'llama', template: null, seed: 1 },
    vocabulary: resolve(import.meta.dirname, '../../../models/loam-demo.gguf'),
  })
  const documents = new DocumentReader(60_000)
  const workbooks = createWorkbooks()
  const fileOf = async (name: string, bytes: Uint8Array): Promise<string> => {
    const path = join(folder, name)
    await writeFile(path, bytes)
    return path
  }
  const document = (ending: string, ...seeds: Uint8Array[]): Target => ({
    kind: `document .${ending}`,
    seeds,
    read: (bytes) => documents.convert(`file.${ending}`, bytes, null),
  })
  const formats: Target[] = []
  for (const format of readableFormats()) {
    const seeds = samplesOf(format.id).map((text) => strToU8(text))
    if (format.write)
      for (const bytes of (await writtenFiles(memory, format.id)).values()) seeds.push(Uint8Array.from(bytes))
    if (format.id === 'opencode-database') seeds.push(Uint8Array.from(await readFile(DATABASE)))
    if (seeds.length > 0)
      formats.push({
        kind: `memory or log: ${format.id}`,
        // Long ones are cut: a mutation in the middle of megabytes is one like any other.
        seeds: seeds.map((bytes) => Uint8Array.from(bytes.subarray(0, 40_000))),
        read: async (bytes) => {
          const all: Found[] = []
          const input = {
            name: 'a-file',
            pieces: pieces(bytes),
            bytes: () => Promise.resolve({ bytes, beside: null }),
          }
          const context = { memoryId: 'mine', now: NOW, hash: () => '' }
          for await (const one of readFormat(format, input, context)) all.push(one)
          return all
        },
      })
  }
  const rows = async (bytes: Uint8Array): Promise<unknown> => {
    const file = await readBytes(await fileOf('rows', bytes))
    return readRowsApart({ as: 'stream', id: 'rows', source: 'file', file, beside: new Map() })
  }
  const parquet = [...(await writtenFiles(memory, 'parquet')).values()].map((bytes) => Uint8Array.from(bytes))
  const targets: Target[] = [
    document('pdf', pdfFile('Boats', 'Seven of them')),
    document('docx', wordFile()),
    document('pptx', slidesFile()),
    document('xlsx', sheetFile()),
    document('zip', zipSync({ 'a.txt': strToU8('boats'), 'b/c.json': strToU8(SETTINGS.json) })),
    document('html', strToU8(HTML)),
    document('xml', strToU8(XML)),
    document('json', strToU8(SETTINGS.json)),
    document('csv', strToU8('crop,kg\nbarley,12.5\n"beans, white",7\n')),
    {
      kind: 'rows of plain text',
      seeds: [
        ROWS,
        'question,answer\nHow many boats?,7\n"Which, colour?",red\n',
        `[${ROWS.trim().replace('\n', ',')}]`,
      ].map((text) => strToU8(text)),
      read: rows,
    },
    { kind: 'rows packed', seeds: [gzipSync(ROWS), zipSync({ 'rows.jsonl': strToU8(ROWS) })], read: rows },
    {
      kind: 'rows of a table',
      seeds: [...parquet, sheetFile()],
      read: async (bytes) => readTableApart(await readBytes(await fileOf('rows', bytes))),
    },
    {
      kind: 'workbook of a task',
      seeds: [sheetFile()],
      read: (bytes) => workbooks.open(bytes).describe(5),
    },
    {
      ...{ kind: 'bundle', seeds: [bundle], vouched: true },
      read: async (bytes) => wholeOf(await openBundleFile(await fileOf('a.loam', bytes))),
    },
    {
      kind: 'GGUF header',
      seeds: [
        Uint8Array.from((await readFile(model)).subarray(0, 60_000)),
        Uint8Array.from(await readFile(model)),
      ],
      read: async (bytes) => readGgufHeader(await fileOf('b.gguf', bytes)),
    },
    ...(Object.keys(SETTINGS) as TextSyntax[]).map((syntax) => ({
      kind: `settings in ${syntax}`,
      seeds: [strToU8(SETTINGS[syntax])],
      read: (bytes: Uint8Array) => readForeignText(Buffer.from(bytes).toString('utf8'), 'The file', syntax),
    })),
    ...formats,
  ]
  return {
    targets,
    close: async () => {
      documents.close()
      await memory.close()
    },
  }
}
