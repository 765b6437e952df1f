import { Buffer } from 'node:buffer'
import { mkdir, mkdtemp, open, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { readableFormat } from '../../core/formats'
import { bySigns, sign } from '../../core/ground/recognition'
import type { Found } from '../../core/memory/experiences/import/log'
import type { Tells } from '../../core/memory/facts/telling'
import type { Clock, Embedder } from '../../core/ground/ports'
import { decodeText } from '../../shared/decode-text'
import type { ImportReport } from '../../shared/domain/format'
import type {
  ImportChoice,
  ImportRecord,
  ImportResult,
  ImportSource,
  UndoneImport,
} from '../../shared/domain/item-transfer'
import type { ItemOrigin, ItemRef } from '../../shared/domain/item'
import { NEW_MEMORY } from '../../shared/domain/memory-info'
import { MOST_LEFT } from '../../shared/domain/reading'
import { LoamError } from '../../shared/errors'
import { openPublishedTable, TABLE_FOLDER } from '../adapters/lancedb/published-table'
import { readForeignLines } from '../ground/isolate/foreign-text'
import { withSmallHeap } from '../ground/small-heap'
import { memorySourceOf } from '../items/memory-items'
import type { ImportedAsks } from '../memories/imported-chats'
import type { StoredMemory } from '../memory-store/memory'
import { importBundleFile } from '../share/bundle/import-bundle'
import type { CheckedBundle } from '../bundle/manifest'
import { openBundleFile } from '../bundle/open-bundle'
import { findFiles } from '../memories/find-files'
import { importFiles, type Verdicts } from '../memories/import-files'
import { importItems, takeIn } from '../memories/intake'
import { nothingSeen, type OnChange, type SeenItems } from '../memories/intake-options'
import { readTextFile, textInMemory, type ReadOptions, type TextFile } from '../memories/read-text'
import { BUNDLE, BUNDLE_WORDS } from './bundle-format'
import type { Signers } from '../share/signers'
import { isBelieved, signerWords } from '../../shared/domain/signer'
import { mustBeOn } from './network'
import { listImports, newImportId, originOf, recordImport, undoImport } from './import-record'

/** An archive that begins with a manifest. */
const looksLikeBundle = bySigns([sign(1, /^PK\u0003\u0004/, /manifest\.json/)])
/** Bytes that say so. */
const HEAD = 256

/** One import into a memory. */
export type ImportInput = ImportChoice & { readonly memoryId: string }

/** Everything that comes into a memory from outside, of whatever format. */
export type Imports = ReturnType<typeof createImports>

export interface ImportsDeps {
  readonly memories: {
    open(idOrPath: string): Promise<StoredMemory>
    release(folder: string): Promise<void>
    folder(idOrPath: string): string
  }
  readonly clock: Clock
  readonly embedder: () => Promise<Embedder>
  /** Whether a person turned the network on. */
  readonly network: () => boolean
  /** Whose signatures are believed. */
  readonly signers: Pick<Signers, 'standingOf' | 'met'>
  /** Whether a sentence tells something to keep. Default: no fact is read from a chat. */
  readonly tells?: Tells
  /** Where conversations become asks. Default: they become none. */
  readonly asks?: ImportedAsks
}

/** Creates it. */
export function createImports({ memories, clock, embedder, network, signers, tells, asks }: ImportsDeps) {
  const readInto = (
    memory: StoredMemory,
    input: ImportInput,
    about: Omit<Work, 'signers' | 'tells' | 'asks'>,
  ): Promise<ImportReport> => {
    const { source } = input
    const work: Work = { ...about, signers, tells, asks }
    switch (source.from) {
      case 'paths':
        return readPaths(memory, source.paths, input, work, () =>
          readPublished(memory, source.paths[0] ?? '', input, work),
        )
      case 'text':
        return readText(memory, textInMemory(source.text), source.fileName, input, work)
      case 'files':
        return inScratch(source.files, async (folder, paths) => {
          const report = await readPaths(memory, paths, input, work, () =>
            readPublished(memory, folder, input, work),
          )
          return { ...report, file: nameOf(input) }
        })
      case 'published':
        return readPublished(memory, source.address, input, work)
    }
  }

  async function readPublished(
    memory: StoredMemory,
    address: string,
    input: ImportInput,
    work: Work,
  ): Promise<ImportReport> {
    mustBeOn(address, network())
    const table = await openPublishedTable(address, await embedder(), { anyEmbedder: true })
    try {
      // What peers publish is not signed.
      const intake = intakeOptions(input, work)
      const choice = { ...intake.choice, distrust: 'stranger' as const }
      const options = { ...intake, choice, file: address }
      const report = await takeIn(
        memory,
        memorySourceOf(memory),
        publishedItems(await table.lines(), work),
        options,
      )
      return {
        ...report,
        ...{ file: address, format: 'published', writtenFor: 'what "loam publish" writes' },
        notes: [signerWords('unsigned', null, null), ...report.notes],
        signature: { standing: 'unsigned' as const, fingerprint: null, name: null },
      }
    } finally {
      table.close()
    }
  }

  return {
    /** What an import would do, into a memory or into a new one (`NEW_MEMORY`); changes nothing. @throws LoamError `NOT_FOUND`, `BAD_INPUT` */
    async preview(input: ImportInput, options: ReadOptions = {}): Promise<ImportReport> {
      const look = async (memoryId: string): Promise<ImportReport> =>
        readInto(await memories.open(memoryId), input, {
          ...options,
          now: clock.now(),
          preview: true,
          seen: nothingSeen(),
        })
      const isNew = input.memoryId === NEW_MEMORY
      const isThere =
        !isNew && (await stat(join(memories.folder(input.memoryId), 'space.json')).catch(() => null))
      if (isThere || !(isNew || isAbsolute(input.memoryId))) return look(input.memoryId)
      // Opening makes a memory where there is none; looking must not.
      const scratch = await mkdtemp(join(tmpdir(), 'loam-preview-'))
      try {
        return await look(scratch)
      } finally {
        await memories.release(scratch)
        await rm(scratch, { recursive: true, force: true, maxRetries: 5 })
      }
    },
    /** @throws LoamError `NOT_FOUND`, `BAD_INPUT`; an AbortError, after which what was committed can be undone */
    async run(input: ImportInput, options: ReadOptions = {}): Promise<ImportResult> {
      const memory = await withSmallHeap(() => memories.open(input.memoryId))
      const now = clock.now()
      const importId = newImportId(now)
      const { format, client } = input
      const about = { importId, file: nameOf(input), format, client, at: now.toISOString() }
      const report = await withSmallHeap(() =>
        recordImport(memory, about, (onChange) =>
          readInto(memory, input, {
            ...options,
            now,
            preview: false,
            onChange,
            importId,
            seen: nothingSeen(),
          }),
        ),
      )
      return { ...report, importId: report.imported > 0 ? importId : null }
    },
    /** Newest first. */
    list: async (memoryId: string): Promise<ImportRecord[]> =>
      listImports(await memories.open(memoryId), asks),
    /** `importId` null: the last one that is not undone. @throws LoamError `NOT_FOUND`, `CONFLICT` */
    async undo(memoryId: string, importId: string | null): Promise<UndoneImport> {
      const memory = await memories.open(memoryId)
      return undoImport(memory, importId, clock.now(), () => memories.release(memory.path), asks)
    },
    /** The import that an item came with; null when it came with none. */
    originOf: async (memoryId: string, ref: ItemRef): Promise<ItemOrigin | null> =>
      originOf(await memories.open(memoryId), ref),
  }
}

/** How one import goes. */
interface Work extends ReadOptions, Pick<ImportsDeps, 'signers' | 'tells' | 'asks'> {
  readonly now: Date
  readonly preview: boolean
  readonly seen: SeenItems
  /** By what the import is known. Default: none, as in a preview. */
  readonly importId?: string
  readonly onChange?: OnChange
}

const nameOf = ({ source }: ImportInput): string =>
  source.from === 'paths'
    ? source.paths.map((path) => basename(path)).join(', ')
    : source.from === 'published'
      ? source.address
      : source.from === 'files'
        ? source.files.map(({ fileName }) => basename(fileName)).join(', ')
        : source.fileName

const intakeOptions = (
  input: ImportInput,
  { now, signal, preview, onChange, seen, importId, tells, asks }: Work,
) => ({
  format: input.format,
  ...{ now, signal, seen, tells, asks },
  ...(onChange && { onChange }),
  choice: {
    preview,
    client: input.client,
    project: input.project,
    ...(importId !== undefined && { importId }),
    kinds: input.kinds,
    skip: input.skip,
    onConflict: input.onConflict,
    answers: input.answers,
  },
})

async function readPaths(
  memory: StoredMemory,
  paths: readonly string[],
  input: ImportInput,
  work: Work,
  published: () => Promise<ImportReport>,
): Promise<ImportReport> {
  for (const path of paths) mustBeWhole(path)
  const [first] = paths
  if (
    paths.length === 1 &&
    (await stat(join(first ?? '', TABLE_FOLDER)).catch(() => null))?.isDirectory() === true
  )
    return published()
  const { files, single } = await findFiles(paths)
  const read = (path: string, verdicts: Verdicts, options: ReadOptions): Promise<ImportReport> =>
    readFileOf(memory, path, input, { ...work, ...options }, verdicts)
  const [alone] = files
  if (single && alone !== undefined) return read(alone, () => null, work)
  if (input.format !== 'auto' && input.format !== BUNDLE) readableFormat(input.format)
  return importFiles(files, { read }, { ...work, format: input.format, file: paths.join(', ') })
}

const mustBeWhole = (path: string): void => {
  if (isAbsolute(path)) return
  throw new LoamError('BAD_INPUT', `${path} is not a full path.`, {
    suggestion: 'Name the file from the root of the disk on.',
  })
}

async function readFileOf(
  memory: StoredMemory,
  path: string,
  input: ImportInput,
  work: Work,
  verdicts: Verdicts,
): Promise<ImportReport> {
  const isBundle =
    input.format === BUNDLE || (input.format === 'auto' && beginsAsBundle(await headOf(path), path))
  if (!isBundle) return readText(memory, await readTextFile(path, work), path, input, work, verdicts)
  const bundle = await openBundleFile(path)
  try {
    return await readBundle(memory, bundle, path, input, work)
  } finally {
    await bundle.close()
  }
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r').catch(() => null)
  if (!file) return Buffer.alloc(0)
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(HEAD) })
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

const beginsAsBundle = (bytes: Buffer, name: string): boolean =>
  looksLikeBundle(bytes.subarray(0, HEAD).toString('latin1'), name).confidence > 0

async function readText(
  memory: StoredMemory,
  text: TextFile,
  file: string,
  input: ImportInput,
  work: Work,
  verdicts: Verdicts = () => null,
): Promise<ImportReport> {
  return importItems(memory, memorySourceOf(memory), text, { ...intakeOptions(input, work), file, verdicts })
}

/** Puts files that came over the wire where files are read. What is no UTF-8 but text is put there as UTF-8. */
async function inScratch<T>(
  files: Extract<ImportSource, { from: 'files' }>['files'],
  work: (folder: string, paths: readonly string[]) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'loam-import-'))
  try {
    const paths: string[] = []
    for (const [i, { fileName, data }] of files.entries()) {
      const parts = fileName.split(/[\\/]/).filter((part) => !/^\.*$/.test(part))
      const place = join(folder, ...(parts.length > 0 ? parts : [String(i)]))
      const path = paths.includes(place) ? join(folder, String(i), basename(place)) : place
      const bytes = Buffer.from(data, 'base64')
      const { text, encoding } = decodeText(bytes)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, encoding === 'Windows-1252' && !text.includes('\0') ? text : bytes, {
        flag: 'wx',
      })
      paths.push(path)
    }
    return await work(folder, paths)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** A bundle as one more format: what it says of itself is in the notes. */
async function readBundle(
  memory: StoredMemory,
  bundle: CheckedBundle,
  file: string,
  input: ImportInput,
  { now, preview, onChange, signal, signers, importId }: Work,
): Promise<ImportReport> {
  const { kinds, skip, onConflict: conflicts, answers } = input
  const { signed } = bundle
  const { standing, name } = await signers.standingOf(signed)
  const imports = new Set((await listImports(memory)).map((one) => one.importId))
  const distrust = isBelieved(standing) ? null : ('stranger' as const)
  const fingerprint = signed?.fingerprint ?? null
  const doneImport = await importBundleFile(memory, bundle, {
    ...{ now, preview, kinds, skip, conflicts, answers, signal },
    isImport: (id) => imports.has(id),
    ...(importId !== undefined && {
      note: { name: basename(file), importId, signer: fingerprint, distrust, isHome: standing === 'own' },
    }),
    ...(onChange && { onChange }),
  })
  if (!preview) await signers.met(signed)
  const selection = doneImport.conflicts
    .filter(({ answer }) => answer === 'keep')
    .map(({ kind, id }) => ({
      line: 1,
      why: `${kind} ${id}: the memory holds one of this name already, and it reads differently`,
    }))
  const rest = [
    ...doneImport.left.map(({ file: within, ...row }) => ({ ...row, file: within })),
    ...selection,
  ]
  return {
    ...{ rows: doneImport.rows, imported: doneImport.imported, duplicates: doneImport.duplicates },
    left: rest.slice(0, MOST_LEFT),
    moreLeft: doneImport.left.length + doneImport.kept - Math.min(rest.length, MOST_LEFT),
    notes: [signerWords(standing, fingerprint, name), ...bundleNotes(bundle, doneImport.whole)],
    signature: { standing, fingerprint, name },
    waiting: distrust === null ? 0 : doneImport.imported,
    ...{ format: BUNDLE, writtenFor: BUNDLE_WORDS, file, redactions: {} },
    ...{ kinds: doneImport.kinds, conflicts: doneImport.conflicts },
  }
}

function bundleNotes({ manifest }: CheckedBundle, whole: boolean): string[] {
  const { space: memory, createdAt, licence, provenance } = manifest
  return [
    `A bundle of ${memory.name}, written ${createdAt.slice(0, 10)}.`,
    ...(whole ? ['Its whole history comes in.'] : []),
    ...(licence === null ? [] : [`Licence: ${licence}.`]),
    ...(provenance === null ? [] : [`From: ${provenance}`]),
  ]
}

/** Lines that are read apart at once. */
const LINES_AT_ONCE = 200

async function* publishedItems(
  rows: readonly { kind: string; line: string }[],
  { signal }: ReadOptions,
): AsyncGenerator<Found> {
  for (let first = 0; first < rows.length; first += LINES_AT_ONCE) {
    const some = rows.slice(first, first + LINES_AT_ONCE)
    const lines = some.map(({ line }) => line)
    const values = await readForeignLines(lines, 'What is published', signal)
    for (const [i, { value, why }] of values.entries()) {
      const place = { line: first + i + 1 }
      const of = some[i]?.kind ?? ''
      yield why === null ? { kind: 'item', place, of, line: value } : { kind: 'left', place, why }
    }
  }
}
