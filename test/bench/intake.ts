import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, extname, join, relative, resolve } from 'node:path'
import { createApp, type App } from '../../src/main/app'
import { findResources } from '../../src/main/ground/resources'
import { findFiles } from '../../src/main/memories/find-files'
import type { ImportReport } from '../../src/shared/domain/format'
import { importChoiceSchema } from '../../src/shared/domain/item-transfer'
import type { ReadingReport } from '../../src/shared/domain/reading'
import { LoamError } from '../../src/shared/errors'

/**
 * `npm run intake -- FOLDER ...`: what every file below these folders is read as, each through the preview of an import and then into a memory of its own; what
 * no memory takes is tried as tasks. A row for each kind of file: who read it, rows = taken in + there already + left out, with reasons, and how attempts ended.
 */
const folders = process.argv.slice(2).map((folder) => resolve(folder))
const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** What became of the files of one kind. */
interface Tally {
  files: number
  rows: number
  imported: number
  duplicates: number
  readonly reasons: Map<string, number>
  /** How attempts ended, by who says so. */
  readonly outcomes: Map<string, number>
}
const tallies = new Map<string, Tally>()
const tallyOf = (kind: string, reader: string): Tally => {
  const key = `${kind}|${reader}`
  const tally = tallies.get(key) ?? {
    ...{ files: 0, rows: 0, imported: 0, duplicates: 0 },
    ...{ reasons: new Map<string, number>(), outcomes: new Map<string, number>() },
  }
  tallies.set(key, tally)
  tally.files++
  return tally
}
const add = (counts: Map<string, number>, name: string, n = 1): void =>
  void counts.set(name, (counts.get(name) ?? 0) + n)

function count(tally: Tally, { rows, imported, duplicates, left, moreLeft }: ReadingReport): void {
  if (rows !== imported + duplicates + left.length + moreLeft) throw new Error('rows got lost')
  tally.rows += rows
  tally.imported += imported
  tally.duplicates += duplicates
  for (const { why } of left) add(tally.reasons, why)
  if (moreLeft > 0) add(tally.reasons, '(not listed)', moreLeft)
}

/** How the attempts of a memory ended, and whether the log or the rules say so. */
async function countOutcomes(app: App, memoryId: string, { outcomes }: Tally): Promise<void> {
  const { experiences } = await app.memories.open(memoryId)
  for (const { id } of experiences.entries()) {
    const meta = (await experiences.get(id))?.experience.meta
    if (!meta) continue
    if (meta.outcome === 'unknown') add(outcomes, 'unknown')
    else add(outcomes, `${meta.outcome} by ${meta.verdict ? 'rules' : 'the log'}`)
  }
}

/** What no memory takes in may be a stream of tasks. */
async function tryAsTasks(app: App, path: string, kind: string, why: string): Promise<void> {
  try {
    const { info } = await app.streams.load(path)
    count(tallyOf(kind, `tasks (${info.environment})`), info.reading)
  } catch (error) {
    if (!(error instanceof LoamError)) throw error
    tallyOf(kind, `nothing: ${why.replaceAll(path, 'it').split(':')[1]?.trim() ?? why}`)
  }
}

async function takeFile(app: App, path: string, kind: string, memoryId: string): Promise<void> {
  const input = { ...importChoiceSchema.parse({ source: { from: 'paths', paths: [path] } }), memoryId }
  let preview: ImportReport
  try {
    preview = await app.imports.preview(input)
  } catch (error) {
    if (!(error instanceof LoamError)) throw error
    return tryAsTasks(app, path, kind, error.why)
  }
  const tally = tallyOf(kind, preview.format)
  count(tally, preview)
  const { imported } = await app.imports.run(input)
  if (imported !== preview.imported)
    throw new Error(`${path}: the preview said ${preview.imported}, not ${imported}`)
  await countOutcomes(app, memoryId, tally)
  await app.memories.release(memoryId)
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s+/g, ' ')
const countsOf = (counts: Map<string, number>): string =>
  [...counts].map(([name, n]) => `${n} ${name}`).join('; ')

function printTable(): void {
  print('| files | kind | read as | rows | taken in | there already | left out | how attempts ended |')
  print('|---|---|---|---|---|---|---|---|')
  for (const [key, { files, rows, imported, duplicates, reasons, outcomes }] of tallies) {
    const [kind = '', ...reader] = key.split('|')
    const cells = [
      files,
      kind,
      reader.join('|'),
      rows,
      imported,
      duplicates,
      countsOf(reasons),
      countsOf(outcomes),
    ]
    print(`| ${cells.map((each) => cell(String(each))).join(' | ')} |`)
  }
}

/** The folder and the ending of a file, without the parts of either that only count. */
const kindOf = (path: string): string =>
  [
    ...dirname(path)
      .split(/[\\/]/)
      .filter((part) => !/^[\d-]+$/.test(part)),
    `*${extname(path)}`,
  ].join('/')

const scratch = await mkdtemp(join(tmpdir(), 'loam-intake-'))
const app = await createApp({
  dataPath: join(scratch, 'data'),
  host: 'memory',
  resources: findResources(),
  gpuLayers: 'cpu',
})
try {
  for (const folder of folders) {
    const { files } = await findFiles([folder])
    for (const [i, file] of files.entries())
      await takeFile(
        app,
        file,
        kindOf(relative(dirname(folder), file)),
        join(scratch, `${basename(folder)}-${i}`),
      )
  }
  printTable()
} finally {
  await app.dispose()
  await rm(scratch, { recursive: true, force: true, maxRetries: 5 })
}
