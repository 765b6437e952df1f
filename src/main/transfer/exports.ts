import { Buffer } from 'node:buffer'
import { basename, isAbsolute, join } from 'node:path'
import { OWN_FORMAT, writableFormat } from '../../core/formats'
import type { Format, FormatPart } from '../../core/formats/format'
import { kindOf, MEMORY_KINDS } from '../../core/memory'
import { ATTEMPTS, RUBRICS } from '../../core/memory/kind-words'
import type { Clock } from '../../core/ground/ports'
import type { Redactions } from '../../core/memory/experiences/import/redact'
import type { ExportChoice, ExportKind, ExportPreview, ExportResult } from '../../shared/domain/item-transfer'
import { LoamError } from '../../shared/errors'
import { withSmallHeap } from '../ground/small-heap'
import { memorySourceOf } from '../items/memory-items'
import { formatSource } from '../memories/memories'
import type { StoredMemory } from '../memory-store/memory'
import type { Signers } from '../share/signers'
import { signingKey, writeBundle, type BundleChoice, type BundleFacts } from '../share/bundle/write-bundle'
import { openBundleFile, type OpenBundle } from '../bundle/open-bundle'
import { BUNDLE } from './bundle-format'
import { itemFilter, leavingSource } from './leaving-source'
import { packParts, writeParts } from './write-parts'

/** One export of a memory. */
export type ExportInput = ExportChoice & { readonly memoryId: string }

export interface ExportOptions {
  readonly signal?: AbortSignal | undefined
}

/** Everything that leaves a memory as a file, of whatever format. */
export type Exports = ReturnType<typeof createExports>

export interface ExportsDeps {
  readonly memories: { open(idOrPath: string): Promise<StoredMemory> }
  readonly clock: Clock
  /** Version of this Loam, which bundles name. */
  readonly version: string
  /** Where the key lies that bundles are signed with. */
  readonly dataPath: string
  readonly signers: Pick<Signers, 'rotations'>
}

/** What an export writes, and what is known of it once its parts were taken. */
interface Draft {
  readonly fileName: string
  readonly as: Pick<Format, 'written' | 'section'>
  readonly parts: AsyncIterable<FormatPart>
  readonly tally: Tally
  secrets(): Redactions
  commits(): number | null
}

interface Tally {
  bytes: number
  sample: string
  /** By kind. */
  readonly counts: Record<string, number>
}

/** Characters of a sample. */
const SAMPLE = 1_200

/** Creates it. */
export function createExports({ memories, clock, version, dataPath, signers }: ExportsDeps) {
  const draftOf = async (
    memory: StoredMemory,
    input: ExportInput,
    preview: boolean,
    { signal }: ExportOptions,
  ): Promise<Draft> => {
    const source = memorySourceOf(memory)
    for (const { kind, id } of input.items ?? [])
      if (!(await kindOf(kind)?.head(source, id))) throw unknownItem(kind, id)
    const includes = await itemFilter(input, source)
    const { project, ...choice } = input
    const kinds = leavingNames(input)
    const more = { ...(includes && { includes }), ...(signal && { signal }) }
    const time = clock.now().toISOString().slice(0, 19).replaceAll(':', '')
    const name = { fileName: fileNameOf(project ?? memory.name), time }
    const tally: Tally = { bytes: 0, sample: '', counts: {} }
    if (input.format === BUNDLE) {
      const key =
        choice.sign === false || preview
          ? undefined
          : await signingKey(choice.sign === true ? join(dataPath, 'signing-key.pem') : absolute(choice.sign))
      const facts: { told: BundleFacts | null } = { told: null }
      const bundleChoice: BundleChoice = {
        ...{ loamVersion: version, now: clock.now(), redact: choice.redact, ...more },
        ...{ licence: choice.licence, provenance: choice.provenance },
        // A preview is of the words; vectors take the longest.
        vectors: !preview,
        ...(kinds && { kinds }),
        ...(key && { key, ...(choice.sign === true && { rotations: await signers.rotations() }) }),
      }
      const pieces = sinceBundle(choice.since, (since) =>
        writeBundle(memory, { ...bundleChoice, ...(since && { since }) }, (one) => {
          facts.told = one
          Object.assign(tally.counts, one.manifest.counts)
        }),
      )
      return {
        ...{ fileName: `${name.fileName}.loam`, as: { written: 'binary' }, tally },
        parts: tallied(bytesParts(pieces), tally),
        secrets: () => facts.told?.found ?? {},
        commits: () => facts.told?.manifest.commits ?? null,
      }
    }
    const format = writableFormat(input.format ?? OWN_FORMAT)
    const whole = formatSource(memory, source)
    const { source: leaving, secrets } = leavingSource(
      preview ? { ...whole, embed: (texts) => Promise.resolve(texts.map(() => noVector(memory))) } : whole,
      { kinds, redact: choice.redact },
      includes,
    )
    return {
      ...{ fileName: format.fileName(name), as: format, tally, secrets, commits: () => null },
      parts: tallied(format.write(leaving, { now: () => clock.now(), kinds, ...more }), tally),
    }
  }

  return {
    /** What would leave; writes nothing. @throws LoamError `NOT_FOUND`, `BAD_INPUT` */
    async preview(input: ExportInput, options: ExportOptions = {}): Promise<ExportPreview> {
      const memory = await memories.open(input.memoryId)
      const { fileName, as, parts, tally, secrets, commits } = await draftOf(memory, input, true, options)
      const rest = parts[Symbol.asyncIterator]()
      while ((await rest.next()).done !== true) options.signal?.throwIfAborted()
      return {
        ...{ format: input.format ?? OWN_FORMAT, fileName: downloadName(fileName, as), bytes: tally.bytes },
        ...{ kinds: await kindsOf(memory, input, tally), secrets: secrets(), commits: commits() },
        sample: tally.sample.slice(0, SAMPLE),
      }
    },
    /**
     * Writes a file or a folder; without a path its data come back. `replace`: a file that is there already may be written over.
     * @throws LoamError `NOT_FOUND`, `BAD_INPUT`, `CONFLICT` for a file that is there, or a folder that holds something; an AbortError, then
     *   nothing was written
     */
    async run(
      { path, replace, ...input }: ExportInput & { readonly path: string | null; readonly replace: boolean },
      options: ExportOptions = {},
    ): Promise<ExportResult> {
      const target = path === null ? null : absolute(path)
      const memory = await withSmallHeap(() => memories.open(input.memoryId))
      const { fileName, as, parts, tally, secrets, commits } = await draftOf(memory, input, false, options)
      const data = await withSmallHeap(async () => {
        if (target === null) return Buffer.from(await packParts(as, parts))
        await writeParts(target, as, parts, replace)
        return null
      })
      const encoding = as.written === undefined || as.written === 'text' ? 'utf8' : 'base64'
      return {
        ...{ format: input.format ?? OWN_FORMAT, path: target },
        fileName: target === null ? downloadName(fileName, as) : basename(target),
        bytes: data?.length ?? tally.bytes,
        ...{ kinds: await kindsOf(memory, input, tally), secrets: secrets(), commits: commits() },
        data: data && { text: data.toString(encoding), encoding },
      }
    },
  }
}

const absolute = (path: string): string => {
  if (isAbsolute(path)) return path
  throw new LoamError('BAD_INPUT', `${path} is not a full path.`, {
    suggestion: 'Name the file from the root of the disk on.',
  })
}

const unknownItem = (kind: string, id: string): LoamError =>
  new LoamError('NOT_FOUND', `There is no ${kind} ${id} in this memory.`, { suggestion: 'Reload the list.' })

/** The kinds of an export: those named; of single items their own, whatever they are. */
const leavingNames = ({ kinds, items }: ExportInput): string[] | null =>
  kinds ?? (items && [...new Set(items.map(({ kind }) => kind))])

const fileNameOf = (name: string): string =>
  name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^-+|(?<!-)-+$/g, '') || 'memory'

/** A folder is downloaded as an archive. */
const downloadName = (fileName: string, { written }: Pick<Format, 'written'>): string =>
  written === 'folder' ? `${fileName}.zip` : fileName

/** Stands in a preview for what an encoder would make, at its size. */
const noVector = ({ embedder }: StoredMemory): Float32Array =>
  Float32Array.from({ length: embedder.dimension }, (_, i) => Math.sin(i))

/** Keeps an earlier bundle open while one is written that goes on behind it. `path` null: behind none. */
async function* sinceBundle(
  path: string | null,
  write: (since: OpenBundle | null) => AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const since = path === null ? null : await openBundleFile(absolute(path))
  try {
    yield* write(since)
  } finally {
    await since?.close()
  }
}

async function* bytesParts(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<FormatPart> {
  for await (const bytes of pieces) yield { text: '', holds: null, bytes }
}

async function* tallied(parts: AsyncIterable<FormatPart>, tally: Tally): AsyncGenerator<FormatPart> {
  for await (const part of parts) {
    const { holds, count = 1, text, bytes } = part
    if (holds !== null) {
      const kind = MEMORY_KINDS.find(({ info }) => info.titleMany.toLowerCase() === holds)?.info.id ?? holds
      tally.counts[kind] = (tally.counts[kind] ?? 0) + count
    }
    tally.bytes += bytes?.length ?? Buffer.byteLength(text)
    if (tally.sample.length < SAMPLE) tally.sample += text.slice(0, SAMPLE)
    yield part
  }
}

/** What of each kind leaves, and why the rest stays. */
async function kindsOf(memory: StoredMemory, input: ExportInput, { counts }: Tally): Promise<ExportKind[]> {
  const source = memorySourceOf(memory)
  const { state } = source
  const rows: Omit<ExportKind, 'written' | 'why'>[] = [
    { kind: ATTEMPTS, title: 'Attempts', ownFiles: false, total: state.trajectories.size },
  ]
  for (const module of MEMORY_KINDS) {
    const { id, titleMany, ownFiles = false } = module.info
    let total = 0
    for (const { gone } of await module.heads(source)) if (gone === null) total++
    rows.push({ kind: id, title: titleMany, ownFiles, total })
  }
  rows.push({ kind: RUBRICS, title: 'Rubrics', ownFiles: false, total: state.concepts.rubrics.size })
  for (const kind of Object.keys(counts))
    if (!rows.some((row) => row.kind === kind))
      rows.push({ kind, title: kind.charAt(0).toUpperCase() + kind.slice(1), ownFiles: false, total: 0 })
  return rows.flatMap((row) => {
    const count = counts[row.kind] ?? 0
    return row.total + count === 0 ? [] : [{ ...row, written: count, why: whyLess(row, count, input) }]
  })
}

function whyLess(
  { kind, total, ownFiles }: Pick<ExportKind, 'kind' | 'total' | 'ownFiles'>,
  count: number,
  input: ExportInput,
): string | null {
  if (count >= total) return null
  if (leavingNames(input)?.includes(kind) === false || input.items !== null) return 'not chosen'
  if (ownFiles && input.kinds === null) return 'parts of your own files, which leave only when ticked'
  if (input.project !== null) return 'of other projects'
  if (input.since !== null) return 'in the earlier bundle already'
  if (input.format === BUNDLE && kindOf(kind)?.isDrawn)
    return 'its attempts teach the same where it is opened'
  return count === 0 ? 'this format holds none' : 'this format leaves some out'
}
