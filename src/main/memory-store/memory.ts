import { join, resolve } from 'node:path'
import type { CaseRecord, CaseVersion, FoundCase, ScoredCase } from '../../shared/domain/case'
import type { Trajectory } from '../../shared/domain/trajectory'
import { newEvents } from '../../core/memory/new-events'
import { keptItems } from '../../core/memory/kept-items'
import { parseMemoryEvent, type MemoryEvent } from '../../core/memory/events'
import { drawnBeliefs } from '../../core/recall/belief-fold'
import type { MemorySource } from '../../core/memory/items/kind'
import type { BuildLog, MemoryStore, Clock, Embedder, CaseWrite } from '../../core/ground/ports'
import { createSerial } from '../../shared/serial'
import { openBuildLog } from '../journal/build-log'
import type { CutTail } from '../journal/cut-torn-tail'
import { diskError } from '../ground/atomic-file'
import { closeAll } from '../ground/close-all'
import { lockFolder } from '../ground/lock'
import { openArtifacts } from './artifacts'
import { awakeMemories, type AwakeMemories } from './awake-memories'
import type { BuildOptions } from '../adapters/lancedb/build-index'
import type { IndexTuning, ScoredId, CaseIndex } from '../adapters/lancedb/case-index'
import { curatedSearch } from './curated-search'
import { rankCases, searchCases, searchExperiences, type CasePageQuery } from './rank-cases'
import type { OpenedIndex } from '../adapters/lancedb/open-index'
import {
  claimMemoryFolder,
  createMemoryFile,
  folderBytes,
  type MemoryFacts,
  readMemoryFile,
  renameMemoryFile,
  requireMemoryFile,
} from './memory-folder'
import { openMemoryIndexes } from './memory-indexes'
import { openMemoryJournal } from './memory-journal'
import { createHash } from 'node:crypto'
import { LoamError } from '../../shared/errors'
import type { CaseEntry, MemoryState, LearnedEntry, TrajectoryEntry } from '../../core/memory/entries'
import { canonicalJson } from '../../core/ground/canonical-json'
import type { ExperienceEntry } from '../../core/memory/experiences/fold'
import type { StoredExperience } from '../../shared/domain/experience'
import type { LearnedText } from '../../shared/domain/memory'

/** Descriptors and memory belong to the process, so there is one of them. */
const AWAKE = awakeMemories()

interface CaseWriteSources {
  readonly state: MemoryState
  readonly index: () => Promise<CaseIndex>
  readCase(entry: CaseEntry): Promise<CaseRecord>
  trajectory(id: string): Promise<Trajectory | null>
}

/** Cases whose vectors are fetched at once. */
const READ_AHEAD = 256

/** `MemoryStore.writes`: texts from the journal, vectors from the index. @throws LoamError `DATA_CORRUPT` when the index lacks one */
function caseWrites({ state, index, readCase, trajectory }: CaseWriteSources) {
  return async function* writes(from: number): AsyncGenerator<CaseWrite> {
    const entries = [...state.cases.values()].slice(Math.max(0, from))
    for (let start = 0; start < entries.length; start += READ_AHEAD) {
      const batch = entries.slice(start, start + READ_AHEAD)
      const vectors = await (await index()).vectorsOf(batch.map(({ id }) => id))
      for (const entry of batch) {
        const vector = vectors.get(entry.id)
        if (!vector) throw missingVector(entry.id)
        const output = await readCase(entry)
        yield { case: output, attempt: await trajectory(output.trajectoryId), vector }
      }
    }
  }
}

const missingVector = (id: string): LoamError =>
  new LoamError('DATA_CORRUPT', `The search index has no vector for case ${id}.`, {
    suggestion: 'Rebuild the index. Nothing is lost: it is made from the journal.',
  })

export interface OpenMemoryOptions extends BuildOptions {
  /** The memory's own folder; made when it does not exist. */
  readonly folder: string
  readonly embedder: Embedder
  /** Only used when the memory is new. Default: the folder's name. */
  readonly id?: string
  readonly name?: string
  /** Default: the system's clock. */
  readonly clock?: Clock
  readonly tuning?: Partial<IndexTuning>
  /** Default 16 MiB; see `JournalOptions`. */
  readonly segmentBytes?: number
  /** Those among which it rests while it is not used. Default: all of this process. */
  readonly awake?: AwakeMemories
  /** Takes the lock of its folder, which closing gives free. Default: `lockFolder`. */
  readonly lock?: (folder: string) => Promise<{ release(): Promise<void> }>
}

/** What opening found and put right. */
export interface MemoryOpening extends Pick<OpenedIndex, 'rebuilt' | 'caughtUp'> {
  /** A commit that a crash had left unfinished, that was cut off, and where it is kept. */
  readonly tornTail: CutTail | null
}

type ChangeListener = (change: 'committed' | 'closed') => void

/** Who is told of changes. */
function createChanges() {
  const listeners = new Set<ChangeListener>()
  return {
    tell(change: Parameters<ChangeListener>[0]): void {
      for (const listener of [...listeners]) listener(change)
    },
    onChange(listener: ChangeListener): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** One memory: journal, case bank, and what can be asked of them. */
export interface StoredMemory extends MemoryStore {
  readonly id: string
  readonly name: string
  readonly path: string
  readonly createdAt: string
  readonly embedder: Embedder
  readonly opening: MemoryOpening
  info(): Promise<MemoryFacts>
  /** A page of cases for people: newest first, or best first when there is text. `total` counts all pages. */
  page(query: CasePageQuery): Promise<{ hits: FoundCase[]; total: number; ms: number }>
  /** How a case read, oldest first; the last one counts. @throws LoamError `NOT_FOUND` */
  caseVersions(caseId: string): Promise<CaseVersion[]>
  trajectories(from?: number): AsyncGenerator<Trajectory>
  /** All cases in order of arrival; deleted ones only when asked. */
  cases(options?: { includeDeleted?: boolean }): AsyncGenerator<CaseRecord>
  rename(name: string): Promise<void>
  /** Tells `listener` after each commit, and once when the memory closes, until the returned function is called. */
  onChange(listener: ChangeListener): () => void
  /** SHA-256 of everything the memory holds, whatever its history and its index. */
  contentHash(): Promise<string>
  /** What the kinds of memory read from and write to; soft prompts are files beside the memory. */
  readonly memorySource: Omit<MemorySource, 'softPrompts'>
  /** Makes the search index anew, with another embedder when one is given. Cancelled, the old one stays. */
  reindex(options?: BuildOptions & { embedder?: Embedder }): Promise<void>
  /** Writes everything to LanceDB and compacts it. */
  tidy(): Promise<void>
  /** Writes the index out and gives the lock free. */
  close(): Promise<void>
}

/**
 * Opens a memory by its folder, which may lie anywhere.
 * Missing index rows are added from the journal; a missing, damaged or foreign index is rebuilt (`signal`, `onProgress`).
 * @throws LoamError `DATA_DIR_LOCKED`, `DATA_FORMAT_NEWER`, `DATA_CORRUPT`, `BAD_INPUT`, or what the embedder throws
 */
export async function openMemory(options: OpenMemoryOptions): Promise<StoredMemory> {
  const folder = resolve(options.folder)
  await readMemoryFile(folder)
  await claimMemoryFolder(folder)
  const lock = await (options.lock ?? lockFolder)(folder)
  try {
    return await openLocked(folder, options, () => lock.release())
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function openLocked(
  folder: string,
  options: OpenMemoryOptions,
  release: () => Promise<void>,
): Promise<StoredMemory> {
  const now = (): Date => options.clock?.now() ?? new Date()
  let file =
    (await requireMemoryFile(folder)) ??
    (await createMemoryFile(folder, { ...options, createdAt: now().toISOString() }))
  const serial = createSerial()
  const place = (options.awake ?? AWAKE).place(() => serial(() => closeAll([indexes.rest, message.rest])))
  const onUse = place.use
  const message = await openMemoryJournal(folder, { now, segmentBytes: options.segmentBytes, onUse })
  const { state, caseById, entryOf, trajectory, readTrajectory } = message
  const indexes = await openMemoryIndexes(message, { ...options, folder, onUse }).catch(async (error) => {
    await message.close()
    throw diskError(error, folder)
  })
  const { experiences, passages, texts, index } = indexes
  const curated = curatedSearch(state, index)
  const changes = createChanges()
  let closing: Promise<void> | null = null
  const asDiskError = (error: unknown): never => {
    throw diskError(error, folder)
  }

  async function commit(events: readonly MemoryEvent[]): Promise<void> {
    const parsed = events.map(parseMemoryEvent)
    await serial(async () => {
      const fresh = await newEvents(parsed, state, message.readAt)
      if (fresh.length === 0) return
      const take = await indexes.prepare(fresh)
      await message.append(fresh)
      await take()
      changes.tell('committed')
    }).catch(asDiskError)
  }

  const load = <Hit extends ScoredId>(hits: readonly Hit[]): Promise<(Hit & ScoredCase)[]> =>
    Promise.all(hits.map(async (hit) => ({ ...hit, case: await caseById(hit.id) })))

  const tellClosed = (): void => changes.tell('closed')
  const closers = [place.leave, tellClosed, ...indexes.closing, () => message.close(), release]
  place.take()
  const memory: StoredMemory = {
    id: file.id,
    get name() {
      return file.name
    },
    path: folder,
    createdAt: file.createdAt,
    rename: (name) => serial(async () => void (file = await renameMemoryFile(folder, name))),
    get embedder() {
      return indexes.embedder
    },
    opening: { tornTail: message.tornTail, rebuilt: indexes.rebuilt, caughtUp: indexes.caughtUp },
    commit,
    nearest: async (vector, k, filter) => load(await curated.nearest(vector, k, filter)),
    writes: caseWrites({ state, index, readCase: message.cases.read, trajectory }),
    artifacts: openArtifacts(join(folder, 'artifacts')),
    curation: state.curation,
    concepts: state.concepts,
    buildLog: buildLogsIn(join(folder, 'builds')),
    search: async (text, k, filter) => load(await curated.match(text, k, filter)),
    find: async (text, vector, k, filter) => load(await curated.find(text, vector, k, filter)),
    items: message.items.items,
    experiences,
    passages,
    texts,
    recentSuccesses: message.recentSuccesses,
    get: async (caseId) => (state.cases.has(caseId) ? caseById(caseId) : null),
    trajectory,
    info: async () => ({
      ...{ id: file.id, name: file.name, path: folder, createdAt: file.createdAt },
      cases: state.live,
      items: keptItems(state),
      trajectories: state.trajectories.size,
      embedder: indexes.embedder.id,
      bytes: await folderBytes(folder),
    }),
    page: async (query) => pageOf(query, state, await index(), indexes.embedder, caseById),
    onChange: changes.onChange,
    caseVersions: async (caseId) => message.cases.versions(entryOf(caseId)),
    async *trajectories(from = 0) {
      for (const entry of [...state.trajectories.values()].slice(from)) yield readTrajectory(entry)
    },
    async *cases(which) {
      for (const entry of [...state.cases.values()]) {
        if (which?.includeDeleted === true || entry.deletedAt === null) yield message.cases.read(entry)
      }
    },
    contentHash: () =>
      contentHash(state, {
        trajectory: readTrajectory,
        case: message.cases.read,
        memory: message.items.read,
        experience: experiences.read,
      }),
    memorySource: {
      state,
      now,
      commit,
      memory: (id) => message.items.byId(id),
      caseOf: async (id) => (state.cases.has(id) ? caseById(id) : null),
      caseVersions: (id) => message.cases.versions(entryOf(id)),
      experience: (id) => experiences.get(id),
      memoryAsWritten: (id) => message.items.asWritten(id),
      searchCases: async (query, signal) => searchCases(await index(), indexes.embedder, query, signal),
      searchExperiences: (query, signal) => searchExperiences(experiences, query, signal),
      searchTexts: (kind, query, signal) => texts.search(kind, query, signal),
      beliefs: () => drawnBeliefs(memory),
    },
    reindex: (build) => serial(() => indexes.reindex(build ?? {})),
    tidy: indexes.tidy,
    close: () => (closing ??= serial(() => closeAll(closers)).catch(asDiskError)),
  }
  return memory
}

/** The page that a person asked for. */
async function pageOf(
  query: CasePageQuery,
  { cases }: Pick<MemoryState, 'cases'>,
  index: CaseIndex,
  embedder: Embedder,
  read: (id: string) => Promise<CaseRecord>,
): Promise<{ hits: FoundCase[]; total: number; ms: number }> {
  const startTime = performance.now()
  const { ids, total } = await rankCases(query, [...cases.values()], index, embedder)
  const hits = await Promise.all(ids.map(async ({ id, score }) => ({ case: await read(id), score })))
  return { hits, total, ms: performance.now() - startTime }
}

/** The log of each build, one per build, so that its writes stay in line. */
function buildLogsIn(folder: string): (buildId: string) => BuildLog {
  const logs = new Map<string, BuildLog>()
  return (buildId) => {
    const log = logs.get(buildId) ?? openBuildLog(folder, buildId)
    logs.set(buildId, log)
    return log
  }
}

/** Reads what the fold says where something is. */
interface ContentReaders {
  trajectory(entry: TrajectoryEntry): Promise<Trajectory>
  case(entry: CaseEntry): Promise<CaseRecord>
  memory(entry: LearnedEntry): Promise<LearnedText>
  experience(entry: ExperienceEntry): Promise<StoredExperience>
}

/** SHA-256 of all that a memory says, in order of ids: equal for memories that hold the same, however they came to it. */
async function contentHash(state: MemoryState, read: ContentReaders): Promise<string> {
  const hash = createHash('sha256')
  const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1)
  for (const entry of [...state.trajectories.values()].sort(byId))
    hash.update(canonicalJson(await read.trajectory(entry)) + '\n')
  for (const entry of [...state.cases.values()].sort(byId))
    hash.update(canonicalJson(await read.case(entry)) + '\n')
  for (const entry of [...state.items.values()].filter(({ droppedAt }) => droppedAt === null).sort(byId))
    hash.update(canonicalJson(await read.memory(entry)) + '\n')
  for (const entry of [...state.experiences.values()].sort(byId))
    hash.update(canonicalJson(await read.experience(entry)) + '\n')
  for (const version of [...state.concepts.versions.values()].sort(byId))
    hash.update(canonicalJson(version) + '\n')
  for (const [conceptId, { accepted }] of [...state.concepts.standings].sort())
    hash.update(canonicalJson([conceptId, accepted]) + '\n')
  for (const [kind, items] of [...state.curated].sort())
    for (const [id, { project }] of [...items].sort())
      if (project !== null) hash.update(canonicalJson([kind, id, project]) + '\n')
  return hash.digest('hex')
}
