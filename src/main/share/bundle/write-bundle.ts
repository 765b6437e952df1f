import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import { MEMORY_KINDS } from '../../../core/memory'
import { parseMemoryEvent, type MemoryEvent } from '../../../core/memory/events'
import { writeVectors } from '../../../core/formats/parquet/table'
import { documents } from '../../../core/memory/guides/kind'
import { ATTEMPTS, leavingKinds, RUBRICS } from '../../../core/memory/kind-words'
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
  linesOf,
  MANIFEST,
  sha256Of,
  SIGNATURE,
  type BundleManifest,
  type CheckedBundle,
} from './manifest'
import { readmeText } from './readme'

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
  /** An earlier bundle of this memory, whole or itself since another: only what is new since then is written. Default: everything. */
  readonly since?: CheckedBundle
  readonly signal?: AbortSignal
}

/** A bundle that was written, or would be. */
export interface WrittenBundle {
  readonly bytes: Uint8Array
  readonly manifest: BundleManifest
  /** Secrets of each kind that were found, whether they were taken out or not. */
  readonly found: Redactions
}

/** Zip has no earlier time; a fixed one makes equal memories equal files. */
const LONG_AGO = new Date(1980, 0, 1)

/** A memory as one file. The whole of it is in memory while it is made. */
export async function writeBundle(space: StoredMemory, choice: BundleChoice): Promise<WrittenBundle> {
  const { kinds, includes, redact = false, vectors = true, key, signal } = choice
  const source = memorySourceOf(space)
  const isWanted = (name: string): boolean => kinds?.includes(name) ?? true
  const modules = leavingKinds(kinds)
  const whole = !includes && [ATTEMPTS, RUBRICS, ...leavingKinds().map(({ info }) => info.id)].every(isWanted)
  const files: Record<string, Uint8Array> = {}
  const counts: Record<string, number> = {}
  let match: Redactions = {}
  const clean = <T>(value: T): T => {
    const { value: without, redactions } = redactAll(value)
    match = addRedactions(match, redactions)
    return redact ? without : value
  }
  const fresh = choice.since ? linesBeyond(choice.since) : (_: string, lines: readonly string[]) => [...lines]
  const put = (path: string, lines: readonly string[]): void => {
    if (lines.length > 0) files[path] = Buffer.from(lines.map((line) => `${line}\n`).join(''))
  }
  const count = (kind: string, all: readonly string[]): void => {
    const lines = fresh(dataFile(kind), all)
    put(dataFile(kind), lines)
    counts[kind] = lines.length
  }
  const models = new Set<string>()
  const encoded: { id: string; kind: string; text: string }[] = []

  if (isWanted(ATTEMPTS)) {
    const lines: string[] = []
    for await (const attempt of space.trajectories()) {
      signal?.throwIfAborted()
      if (includes?.(ATTEMPT, attempt.id) === false) continue
      models.add(attempt.model)
      lines.push(JSON.stringify(clean(attempt)))
    }
    count(ATTEMPTS, lines)
  }
  for (const kind of modules) {
    const lines: string[] = []
    for (const head of await kind.heads(source)) {
      signal?.throwIfAborted()
      if (includes?.(kind.info.id, head.id) === false) continue
      const line = await kind.toLine(source, head.id)
      if (line) lines.push(JSON.stringify(clean(line)))
      const saidText = head.gone === null ? await kind.read(source, head.id) : null
      if (saidText === null) continue
      const text = redact ? redactAll(saidText.text).value : saidText.text
      encoded.push({ id: head.id, kind: kind.info.id, text })
      if (kind === documents) files[`documents/${fileNameOf(head.id)}.md`] = Buffer.from(clean(saidText.text))
    }
    count(kind.info.id, lines)
  }
  if (vectors && encoded.length > 0)
    files[VECTORS] = await writeVectors(encoded, formatSource(space, source), signal)
  if (isWanted(RUBRICS) && !includes) {
    const lines = Array.from(source.state.concepts.rubrics, ([environment, rubrics]) =>
      JSON.stringify(clean({ environment, rubrics })),
    )
    count(RUBRICS, lines)
  }
  let commits: number | null = null
  let since: BundleManifest['since']
  if (whole) {
    const staying = new Set(
      MEMORY_KINDS.map(({ info }) => info.id).filter((id) => modules.every(({ info }) => info.id !== id)),
    )
    const all = without(staying, await commitsOf(space)).map((events) => JSON.stringify(clean(events)))
    since = choice.since && behind(choice.since, all)
    const lines = all.slice(since?.commits ?? 0)
    put(HISTORY, lines)
    commits = lines.length
  }
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
    commits,
    ...(since && { since }),
    redacted: redact ? match : {},
  }
  files['report.html'] = Buffer.from(await reportPage(space, about))
  files['README.md'] = Buffer.from(readmeText(about, Object.keys(files)))
  const manifest: BundleManifest = {
    ...about,
    files: Object.entries(files)
      .map(([path, data]) => ({ path, bytes: data.length, sha256: sha256Of(data) }))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
  }
  const raw = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
  const signed: Record<string, Uint8Array> = key ? { [SIGNATURE]: Buffer.from(signatureOf(raw, key)) } : {}
  return {
    manifest,
    found: match,
    bytes: zipSync({ [MANIFEST]: raw, ...signed, ...files }, { mtime: LONG_AGO, level: 6 }),
  }
}

/** Lines of a data file that an earlier bundle does not hold. */
const linesBeyond = (since: CheckedBundle) => {
  return (path: string, lines: readonly string[]): string[] => {
    const knownSet = new Set(linesOf(since, path))
    return lines.filter((line) => !knownSet.has(line))
  }
}

/** Commits without what they say of learned texts of some kinds; a commit that says nothing else is left out. */
function without(kinds: ReadonlySet<string>, commits: readonly MemoryEvent[][]): MemoryEvent[][] {
  const ids = new Set(
    commits.flatMap((events) =>
      events.flatMap((event) =>
        event.kind === 'memory-added' && kinds.has(event.memory.kind) ? [event.memory.id] : [],
      ),
    ),
  )
  const stays = (event: MemoryEvent): boolean =>
    event.kind === 'memory-added'
      ? kinds.has(event.memory.kind)
      : event.kind === 'memory-dropped' || event.kind === 'memory-changed'
        ? ids.has(event.memoryId)
        : 'of' in event && kinds.has(event.of)
  return commits.map((events) => events.filter((event) => !stays(event))).filter(({ length }) => length > 0)
}

/** Where a history goes on behind an earlier bundle. @throws LoamError `BAD_INPUT` when that is no earlier version of it */
function behind(since: CheckedBundle, all: readonly string[]): NonNullable<BundleManifest['since']> {
  const { commits, since: before } = since.manifest
  const end = (before?.commits ?? 0) + (commits ?? 0)
  const tail = linesOf(since, HISTORY)
  const records = all.slice(0, end)
  const isEarlier =
    commits !== null &&
    records.length === end &&
    tail.every((line, i) => line === records[(before?.commits ?? 0) + i]) &&
    (before === undefined || historyHash(all.slice(0, before.commits)) === before.sha256)
  if (isEarlier) return { bundle: since.sha256, commits: end, sha256: historyHash(records) }
  throw new LoamError('BAD_INPUT', 'The earlier bundle is no earlier version of this memory.', {
    suggestion:
      'Name one that was written of this memory, whole, and redacted the same way; or write a whole bundle.',
  })
}

/** What a history is recognised by. */
export const historyHash = (lines: readonly string[]): string => sha256Of(lines.join('\n'))

function signatureOf(manifest: Uint8Array, key: KeyObject): string {
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64')
  return JSON.stringify({
    algorithm: 'ed25519',
    publicKey,
    signature: sign(null, manifest, key).toString('base64'),
  })
}

/** Every commit of a memory, in order. */
export async function commitsOf({ path }: Pick<StoredMemory, 'path'>): Promise<MemoryEvent[][]> {
  const commits: MemoryEvent[][] = []
  await replayJournal<MemoryEvent>(join(path, 'journal'), {
    parse: parseMemoryEvent,
    onRecord: ({ events }) => void commits.push([...events]),
  })
  return commits
}

const fileNameOf = (id: string): string =>
  id.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 80) || sha256Of(id).slice(0, 16)

/** Items of a kind that the page shows. */
const SHOWN = 20

const escaped = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)

/** A bundle for people to read in a browser: no script, nothing loaded from elsewhere. */
async function reportPage(space: StoredMemory, about: Omit<BundleManifest, 'files'>): Promise<string> {
  const source = memorySourceOf(space)
  const rows = Object.entries(about.counts)
    .map(([kind, count]) => `<tr><td>${escaped(kind)}</td><td>${count}</td></tr>`)
    .join('')
  const sections: string[] = []
  // Titles may hold what was taken out of the data.
  for (const kind of Object.keys(about.redacted).length > 0 ? [] : MEMORY_KINDS) {
    if (!(about.counts[kind.info.id] ?? 0)) continue
    const heads = (await kind.heads(source)).filter(({ gone }) => gone === null).slice(-SHOWN)
    const items = await Promise.all(
      heads.reverse().map(async ({ id }) => (await kind.read(source, id))?.title ?? id),
    )
    sections.push(
      `<h2>${escaped(kind.info.titleMany)}</h2><p>${escaped(kind.info.help)} The newest ${items.length}:</p><ul>${items
        .map((title) => `<li>${escaped(title.slice(0, 300))}</li>`)
        .join('')}</ul>`,
    )
  }
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(about.space.name)}</title><style>body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}td{padding:.1rem 1rem .1rem 0}</style></head>
<body><h1>${escaped(about.space.name)}</h1>
<p>A memory written by Loam ${escaped(about.loam)} on ${escaped(about.createdAt)}. Encoder: ${escaped(about.encoder.id)}. Models: ${escaped(about.models.join(', ') || 'none')}. Licence: ${escaped(about.licence ?? 'not named')}.</p>
${about.provenance === null ? '' : `<p>${escaped(about.provenance)}</p>`}
<table>${rows}</table>
${sections.join('\n')}
</body></html>
`
}

/** A person's key, made where there is none yet. @throws LoamError `BAD_INPUT` when the file holds another one */
export async function signingKey(path: string): Promise<KeyObject> {
  try {
    const key = createPrivateKey(await readFile(path, 'utf8'))
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
