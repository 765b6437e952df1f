import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  type KeyObject,
} from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MEMORY_KINDS } from '../../../core/memory'
import { parseMemoryEvent, type MemoryEvent } from '../../../core/memory/events'
import { openVectorTable, type VectorText } from '../../../core/formats/parquet/table'
import { documents } from '../../../core/memory/guides/kind'
import { ATTEMPTS, leavingKinds, RUBRICS } from '../../../core/memory/kind-words'
import { carriedOf, trustOf } from '../../../core/memory/items/trust'
import { ATTEMPT } from '../../../core/memory/items/projects'
import { addRedactions, redactAll, type Redactions } from '../../../core/memory/experiences/import/redact'
import { LoamError } from '../../../shared/errors'
import type { StoredMemory } from '../../memory-store/memory'
import { errnoOf } from '../../ground/atomic-file'
import { replayJournal } from '../../journal/replay'
import { memorySourceOf } from '../../items/memory-items'
import { formatSource } from '../../memories/memories'
import {
  BUNDLE_VERSION,
  dataFile,
  HISTORY,
  MANIFEST,
  sha256Of,
  SIGNATURE,
  type BundleManifest,
  type CheckedBundle,
  type Rotation,
} from '../../bundle/manifest'
import { openSpool, zipOf, type Member, type SpooledFile } from '../../bundle/spool'
import { readmeText } from './readme'
import { reportPage } from './report-page'

type Spool = ReturnType<typeof openSpool>

/** Where the vectors stand. */
const VECTORS = 'vectors.parquet'

export interface BundleChoice {
  readonly loamVersion: string
  readonly now: Date
  /**
   * Kinds of memory, `attempts`, `rubrics`. Default: everything but parts of a person's own files (`leavingKinds`). With everything there is the
   * history, which brings the memory back whole.
   */
  readonly kinds?: readonly string[]
  /** Which items of these kinds, and which attempts (`trajectory`); without the history then. Default: all. */
  readonly includes?: (kind: string, id: string) => boolean
  readonly licence?: string | null
  readonly provenance?: string | null
  /** Whether secrets, and paths with a person's name, are taken out. Without it they are only counted. */
  readonly redact?: boolean
  /** Whether the vectors of live items come along, for other programs; Loam makes them again. Default true. */
  readonly vectors?: boolean
  /** An Ed25519 key to sign with. Default: nobody signs. */
  readonly key?: KeyObject
  /** How that key came to take the place of earlier ones. Default: it took none. */
  readonly rotations?: readonly Rotation[]
  /** An earlier bundle of this memory, whole or itself since another: only what is new since then is written. Default: everything. */
  readonly since?: CheckedBundle
  readonly signal?: AbortSignal
}

/** What is known of a bundle once it was written. */
export interface BundleFacts {
  readonly manifest: BundleManifest
  /** Secrets of each kind that were found, whether they were taken out or not. */
  readonly found: Redactions
}

/**
 * A memory as one file, piece by piece; `tell` is called before the first piece. What is in it is packed in a folder of its own until then, so
 * that memory does not grow with it.
 */
export async function* writeBundle(
  space: StoredMemory,
  choice: BundleChoice,
  tell: (facts: BundleFacts) => void,
): AsyncGenerator<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'loam-bundle-'))
  try {
    const spool = openSpool(folder)
    const { files, about, found } = await spoolData(space, choice, spool)
    const manifest: BundleManifest = {
      ...about,
      files: files
        .map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 }))
        .sort((a, b) => (a.path < b.path ? -1 : 1)),
    }
    const whole = async (path: string, text: string | Uint8Array): Promise<SpooledFile> => {
      const member = spool.member(path)
      await member.write(text)
      return member.end()
    }
    const raw = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
    const heads = [await whole(MANIFEST, raw)]
    if (choice.key) heads.push(await whole(SIGNATURE, signatureOf(raw, choice.key, choice.rotations ?? [])))
    tell({ manifest, found })
    yield* zipOf([...heads, ...files])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Lines of one file, which is there once it has one. */
function lineFile(spool: Spool, path: string) {
  let member: Member | null = null
  let count = 0
  return {
    async write(line: string): Promise<void> {
      count++
      await (member ??= spool.member(path)).write(`${line}\n`)
    },
    /** Puts the file behind the others; answers how many lines it has. */
    async end(files: SpooledFile[]): Promise<number> {
      if (member) files.push(await member.end())
      return count
    },
  }
}

/** Packs all that is in a bundle but its manifest and signature. */
async function spoolData(
  space: StoredMemory,
  choice: BundleChoice,
  spool: Spool,
): Promise<{
  readonly files: readonly SpooledFile[]
  readonly about: Omit<BundleManifest, 'files'>
  readonly found: Redactions
}> {
  const { kinds, includes, redact = false, vectors = true, signal } = choice
  const source = memorySourceOf(space)
  const isWanted = (name: string): boolean => kinds?.includes(name) ?? true
  const modules = leavingKinds(kinds)
  const whole = !includes && [ATTEMPTS, RUBRICS, ...leavingKinds().map(({ info }) => info.id)].every(isWanted)
  const files: SpooledFile[] = []
  const counts: Record<string, number> = {}
  let match: Redactions = {}
  const clean = <T>(value: T): T => {
    const { value: without, redactions } = redactAll(value)
    match = addRedactions(match, redactions)
    return redact ? without : value
  }
  const fileOf = async (path: string, text: string): Promise<void> => {
    const member = spool.member(path)
    await member.write(text)
    files.push(await member.end())
  }
  const models = new Set<string>()
  const vectorFile = vectors ? vectorMember(spool, formatSource(space, source), signal) : null
  /** Writes a data file of what `each` hands to it. */
  const data = async (
    kind: string,
    each: (line: (value: unknown) => Promise<void>) => Promise<void>,
  ): Promise<void> => {
    const knownSet = choice.since && (await printsOf(choice.since.lines(dataFile(kind))))
    const file = lineFile(spool, dataFile(kind))
    await each(async (value) => {
      signal?.throwIfAborted()
      const line = JSON.stringify(clean(value))
      if (knownSet?.has(sha256Of(line)) !== true) await file.write(line)
    })
    counts[kind] = await file.end(files)
  }

  if (isWanted(ATTEMPTS))
    await data(ATTEMPTS, async (line) => {
      for await (const attempt of space.trajectories()) {
        if (includes?.(ATTEMPT, attempt.id) === false) continue
        models.add(attempt.model)
        await line(attempt)
      }
    })
  for (const kind of modules)
    await data(kind.info.id, async (line) => {
      for (const head of await kind.heads(source)) {
        signal?.throwIfAborted()
        if (includes?.(kind.info.id, head.id) === false) continue
        // A whole history teaches it anew wherever it is read.
        if (whole && (await kind.isDrawn?.(source, head.id)) === true) continue
        const own = await kind.toLine(source, head.id)
        const trust = own && (await trustOf(kind, source, head.id))
        if (own) await line({ ...own, ...(trust && { trust: carriedOf(trust) }) })
        const saidText = head.gone === null ? await kind.read(source, head.id) : null
        if (saidText === null) continue
        const text = redact ? redactAll(saidText.text).value : saidText.text
        await vectorFile?.add({ id: head.id, kind: kind.info.id, text })
        if (kind === documents) await fileOf(`documents/${fileNameOf(head.id)}.md`, clean(saidText.text))
      }
    })
  await vectorFile?.end(files)
  if (isWanted(RUBRICS) && !includes)
    await data(RUBRICS, async (line) => {
      for (const [environment, rubrics] of source.state.concepts.rubrics) await line({ environment, rubrics })
    })
  const history = whole ? await spoolHistory(space, choice, spool, clean, files) : null
  const about: Omit<BundleManifest, 'files'> = {
    format: 'loam-bundle',
    version: BUNDLE_VERSION,
    loam: choice.loamVersion,
    createdAt: choice.now.toISOString(),
    space: { id: space.id, name: space.name, createdAt: space.createdAt },
    encoder: { id: space.embedder.id, dimension: space.embedder.dimension },
    models: [...models].sort(),
    licence: choice.licence ?? null,
    provenance: choice.provenance ?? null,
    counts,
    commits: history?.commits ?? null,
    ...(history?.since && { since: history.since }),
    redacted: redact ? match : {},
  }
  await fileOf('report.html', await reportPage(space, about))
  await fileOf(
    'README.md',
    readmeText(
      about,
      files.map(({ path }) => path),
    ),
  )
  return { files, about, found: match }
}

/** The table of vectors, which is there once a text has one. */
function vectorMember(
  spool: Spool,
  source: Parameters<typeof openVectorTable>[0],
  signal: AbortSignal | undefined,
) {
  let table: { readonly member: Member; readonly rows: ReturnType<typeof openVectorTable> } | null = null
  return {
    async add(item: VectorText): Promise<void> {
      if (!table) {
        const member = spool.member(VECTORS)
        table = { member, rows: openVectorTable(source, (bytes) => member.write(bytes), signal) }
      }
      await table.rows.add(item)
    },
    async end(files: SpooledFile[]): Promise<void> {
      if (!table) return
      await table.rows.end()
      files.push(await table.member.end())
    },
  }
}

/** The journal's commits, a line each, without what stays; of a bundle since another one, those that are new. */
async function spoolHistory(
  space: StoredMemory,
  { since: earlier, kinds, signal }: BundleChoice,
  spool: Spool,
  clean: <T>(value: T) => T,
  files: SpooledFile[],
): Promise<{ readonly commits: number; readonly since: BundleManifest['since'] }> {
  const modules = leavingKinds(kinds)
  const stays = await stayingEvents(
    space,
    new Set(
      MEMORY_KINDS.map(({ info }) => info.id).filter((id) => modules.every(({ info }) => info.id !== id)),
    ),
  )
  const file = lineFile(spool, HISTORY)
  const behind = earlier && followed(earlier)
  await eachCommit(space, async (events) => {
    signal?.throwIfAborted()
    const leaving = events.filter((event) => !stays(event))
    if (leaving.length === 0) return
    const line = JSON.stringify(clean(leaving))
    if ((await behind?.isThere(line)) !== true) await file.write(line)
  })
  return { commits: await file.end(files), since: await behind?.end() }
}

/** What the lines of a file are recognised by. */
async function printsOf(lines: AsyncIterable<string>): Promise<Set<string>> {
  const prints = new Set<string>()
  for await (const line of lines) prints.add(sha256Of(line))
  return prints
}

/** Which events say something of learned texts of some kinds. */
async function stayingEvents(
  space: Pick<StoredMemory, 'path'>,
  kinds: ReadonlySet<string>,
): Promise<(event: MemoryEvent) => boolean> {
  const ids = new Set<string>()
  if (kinds.size > 0)
    await eachCommit(space, (events) => {
      for (const event of events)
        if (event.kind === 'memory-added' && kinds.has(event.memory.kind)) ids.add(event.memory.id)
    })
  return (event) =>
    event.kind === 'memory-added'
      ? kinds.has(event.memory.kind)
      : event.kind === 'memory-dropped' || event.kind === 'memory-changed'
        ? ids.has(event.memoryId)
        : 'of' in event && kinds.has(event.of)
}

/** Follows a history that goes on behind an earlier bundle, commit by commit. */
function followed({ manifest, sha256, lines }: CheckedBundle) {
  const { commits, since: before } = manifest
  const beforeCount = before?.commits ?? 0
  const end = beforeCount + (commits ?? 0)
  const tail = lines(HISTORY)
  const hash = createHash('sha256')
  let [count, isEarlier] = [0, commits !== null]
  return {
    /** Whether a commit is among the earlier ones. */
    async isThere(line: string): Promise<boolean> {
      if (count >= end) return false
      hash.update(`${count === 0 ? '' : '\n'}${line}`)
      if (count >= beforeCount && (await tail.next()).value !== line) isEarlier = false
      count++
      if (before && count === before.commits && hash.copy().digest('hex') !== before.sha256) isEarlier = false
      return true
    },
    /** Where the history goes on. @throws LoamError `BAD_INPUT` when that is no earlier version of it */
    async end(): Promise<NonNullable<BundleManifest['since']>> {
      await tail.return(undefined)
      if (isEarlier && count === end) return { bundle: sha256, commits: end, sha256: hash.digest('hex') }
      throw new LoamError('BAD_INPUT', 'The earlier bundle is no earlier version of this memory.', {
        suggestion:
          'Name one that was written of this memory, whole, and redacted the same way; or write a whole bundle.',
      })
    },
  }
}

/** The public part of a private key: SPKI, DER, base64. */
export const publicKeyOf = (key: KeyObject): string =>
  createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64')

function signatureOf(manifest: Uint8Array, key: KeyObject, rotations: readonly Rotation[]): string {
  return JSON.stringify({
    algorithm: 'ed25519',
    publicKey: publicKeyOf(key),
    signature: sign(null, manifest, key).toString('base64'),
    ...(rotations.length > 0 && { rotations }),
  })
}

/** Calls `each` for every commit of a memory, in order. */
export async function eachCommit(
  { path }: Pick<StoredMemory, 'path'>,
  each: (events: readonly MemoryEvent[]) => void | Promise<void>,
): Promise<void> {
  await replayJournal<MemoryEvent>(join(path, 'journal'), {
    parse: parseMemoryEvent,
    onRecord: ({ events }) => each(events),
  })
}

/** Every commit of a memory, in order. */
export async function commitsOf(memory: Pick<StoredMemory, 'path'>): Promise<MemoryEvent[][]> {
  const commits: MemoryEvent[][] = []
  await eachCommit(memory, (events) => void commits.push([...events]))
  return commits
}

const fileNameOf = (id: string): string =>
  id.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 80) || sha256Of(id).slice(0, 16)

/** A private key from its PEM. @throws Error for text that holds none */
export const keyIn = (pem: string): KeyObject => createPrivateKey(pem)

/** A person's key, made where there is none yet. @throws LoamError `BAD_INPUT` when the file holds another one */
export async function signingKey(path: string): Promise<KeyObject> {
  try {
    const key = keyIn(await readFile(path, 'utf8'))
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') {
      const { privateKey } = generateKeyPairSync('ed25519')
      await writeFile(path, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' })
      return privateKey
    }
  }
  throw new LoamError('BAD_INPUT', `${path} holds no Ed25519 key.`, {
    suggestion: 'Name a file that is not there; a key is made in it.',
  })
}
