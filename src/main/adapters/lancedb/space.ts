import { join, resolve } from 'node:path'
import type { CaseRecord, CaseVersion, FoundCase, ScoredCase } from '../../../shared/domain/case'
import type { SpaceInfo } from '../../../shared/domain/space'
import type { Trajectory } from '../../../shared/domain/trajectory'
import { newEvents, unknownCase } from '../../../core/memory/new-events'
import { parseSpaceEvent, type SpaceEvent } from '../../../core/memory/events'
import { EXPERIENCE_KIND } from '../../../core/memory/experiences/fold'
import { curatedOf } from '../../../core/memory/items/curated'
import type { MemorySource } from '../../../core/memory/items/kind'
import type { CaseEntry, TrajectoryEntry } from '../../../core/memory/entries'
import { applyEvents, emptySpaceState } from '../../../core/memory/space-state'
import type { BuildLog, CaseBank, Clock, Embedder } from '../../../core/ground/ports'
import { createSerial } from '../../../core/ground/serial'
import { openBuildLog } from '../journal/build-log'
import type { CutTail } from '../journal/cut-torn-tail'
import { openJournal, type RecordPlace } from '../journal/journal'
import { diskError } from '../../ground/atomic-file'
import { closeAll } from '../../ground/close-all'
import { lockFolder } from '../../ground/lock'
import { openArtifacts } from './artifacts'
import { rankCases, type CasePageQuery } from './rank-cases'
import { rebuildIndex, toRows, type BuildOptions } from './build-index'
import {
  INDEX_TUNING,
  type CaseIndex,
  type CaseIndexOptions,
  type IndexTuning,
  type ScoredId,
} from './case-index'
import { caseEdits, type CaseEdits } from './case-edits'
import { caseReader } from './case-reader'
import { caseWrites } from './case-writes'
import { curatedSearch } from './curated-search'
import { PASSAGE_KIND } from '../../../core/memory/passages/passage'
import { contentHash } from './content-hash'
import { passageIndex } from './passage-index'
import { experienceStore } from './experience-store'
import { memoryReader } from './memory-reader'
import { openIndex, type OpenedIndex } from './open-index'
import { indexedSeq } from './index-note'
import {
  claimSpaceFolder,
  createSpaceFile,
  folderBytes,
  JOURNAL_HEAD,
  readSpaceFile,
  renameSpaceFile,
  requireSpaceFile,
} from './space-folder'

export type { CasePageQuery }

export interface OpenSpaceOptions extends BuildOptions {
  /** The space's own folder; made when it does not exist. */
  readonly folder: string
  readonly embedder: Embedder
  /** Only used when the space is new. Default: the folder's name. */
  readonly id?: string
  readonly name?: string
  /** Default: the system's clock. */
  readonly clock?: Clock
  readonly tuning?: Partial<IndexTuning>
  /** Default 16 MiB; see `JournalOptions`. */
  readonly segmentBytes?: number
}

/** What opening found and put right. */
export interface SpaceOpening extends Pick<OpenedIndex, 'rebuilt' | 'caughtUp'> {
  /** A commit that a crash had left unfinished, that was cut off, and where it is kept. */
  readonly tornTail: CutTail | null
}

/** One memory: journal, case bank, and what can be asked of them. */
export interface Space extends CaseBank, CaseEdits {
  readonly id: string
  readonly name: string
  readonly path: string
  readonly createdAt: string
  readonly embedder: Embedder
  readonly opening: SpaceOpening
  info(): Promise<SpaceInfo>
  /** A page of cases for people: newest first, or best first when there is text. `total` counts all pages. */
  page(query: CasePageQuery): Promise<{ hits: FoundCase[]; total: number; ms: number }>
  /** How a case read, oldest first; the last one counts. @throws LoamError `NOT_FOUND` */
  caseVersions(caseId: string): Promise<CaseVersion[]>
  /** All trajectories in order of arrival. */
  trajectories(): AsyncGenerator<Trajectory>
  /** All cases in order of arrival; deleted ones only when asked. */
  cases(options?: { includeDeleted?: boolean }): AsyncGenerator<CaseRecord>
  rename(name: string): Promise<void>
  /** SHA-256 of everything the space holds, whatever its history and its index. */
  contentHash(): Promise<string>
  /** What the kinds of memory read from and write to; soft prompts are files beside the space. */
  readonly memorySource: Omit<MemorySource, 'softPrompts'>
  /** Makes the search index anew, with another embedder when one is given. Cancelled, the old one stays. */
  reindex(options?: BuildOptions & { embedder?: Embedder }): Promise<void>
  /** Writes everything to LanceDB and compacts it. */
  tidy(): Promise<void>
  /** Writes the index out and gives the lock free. */
  close(): Promise<void>
}

/**
 * Opens a space by its folder, which may lie anywhere.
 * Missing index rows are added from the journal; a missing, damaged or foreign index is rebuilt (`signal`, `onProgress`).
 * @throws LoamError `DATA_DIR_LOCKED`, `DATA_FORMAT_NEWER`, `DATA_CORRUPT`, `BAD_INPUT`, or what the embedder throws
 */
export async function openSpace(options: OpenSpaceOptions): Promise<Space> {
  const folder = resolve(options.folder)
  await readSpaceFile(folder)
  await claimSpaceFolder(folder)
  const lock = await lockFolder(folder)
  try {
    return await openLocked(folder, options, () => lock.release())
  } catch (error) {
    await lock.release()
    throw error
  }
}

// eslint-disable-next-line max-lines-per-function -- one space: journal, fold, indexes and their turns change together or not at all
async function openLocked(
  folder: string,
  options: OpenSpaceOptions,
  release: () => Promise<void>,
): Promise<Space> {
  const now = (): Date => options.clock?.now() ?? new Date()
  let file =
    (await requireSpaceFile(folder)) ??
    (await createSpaceFile(folder, { ...options, createdAt: now().toISOString() }))
  const state = emptySpaceState<RecordPlace>()
  const successes: string[] = []
  let appliedSeq = 0
  let embedder = options.embedder

  function apply(events: readonly SpaceEvent[], seq: number, at: RecordPlace): void {
    for (const event of events) {
      if (event.kind !== 'trajectory-added' || event.trajectory.reward !== 1) continue
      if (event.trajectory.heldOut) continue
      if (!state.trajectories.has(event.trajectory.id)) successes.push(event.trajectory.id)
    }
    applyEvents(state, events, at)
    appliedSeq = seq
  }

  const journal = await openJournal<SpaceEvent>(join(folder, 'journal'), {
    parse: parseSpaceEvent,
    onRecord: (record) => apply(record.events, record.seq, record.at),
    now,
    head: join(folder, JOURNAL_HEAD),
    knownSeq: await indexedSeq(folder),
    ...(options.segmentBytes === undefined ? {} : { segmentBytes: options.segmentBytes }),
  })

  const texts = caseReader(state, (at, part) => journal.readOne(at, part))
  const readCase = (entry: CaseEntry<RecordPlace>): Promise<CaseRecord> => texts.read(entry)

  async function readTrajectory(entry: TrajectoryEntry<RecordPlace>): Promise<Trajectory> {
    const event = await journal.readOne(entry.at, entry.part)
    if (event?.kind !== 'trajectory-added')
      throw new Error(`Trajectory ${entry.id} is not where the journal had it`)
    return event.trajectory
  }

  async function trajectory(id: string): Promise<Trajectory | null> {
    const entry = state.trajectories.get(id)
    return entry ? readTrajectory(entry) : null
  }

  const buildLogs = new Map<string, BuildLog>()
  /** One log per build, so that its writes stay in line. */
  function buildLog(buildId: string): BuildLog {
    const log = buildLogs.get(buildId) ?? openBuildLog(join(folder, 'builds'), buildId)
    buildLogs.set(buildId, log)
    return log
  }

  const memoryTexts = memoryReader(state, journal)
  const experiences = experienceStore({
    folder,
    entries: state.experiences,
    curated: curatedOf(state.curated, EXPERIENCE_KIND),
    read: ({ at, part }) => journal.readOne(at, part),
    embedder: () => embedder,
    appliedSeq: () => appliedSeq,
    tuning: { ...INDEX_TUNING, ...options.tuning },
  })

  const passages = passageIndex({
    folder,
    entries: state.memories,
    curated: curatedOf(state.curated, PASSAGE_KIND),
    read: (id) => memoryTexts.byId(id),
    embedder: () => embedder,
    appliedSeq: () => appliedSeq,
    tuning: { ...INDEX_TUNING, ...options.tuning },
  })

  function entryOf(id: string): CaseEntry<RecordPlace> {
    const entry = state.cases.get(id)
    if (entry) return entry
    throw unknownCase(id)
  }

  const curated = curatedSearch(state, () => index)
  const caseById = async (id: string): Promise<CaseRecord> => readCase(entryOf(id))

  const indexOptions = (): CaseIndexOptions => ({
    folder: join(folder, 'lance'),
    dimension: embedder.dimension,
    createdAt: (id) => state.cases.get(id)?.createdAt ?? null,
    note: () => ({
      format: 2,
      embedder: { id: embedder.id, dimension: embedder.dimension },
      appliedSeq,
      cases: state.live,
      trajectories: state.trajectories.size,
    }),
    tuning: { ...INDEX_TUNING, ...options.tuning },
  })

  async function rebuild(beforeSwap: () => Promise<void>, build: BuildOptions): Promise<CaseIndex> {
    return rebuildIndex(indexOptions(), [...state.cases.keys()], caseById, embedder, beforeSwap, build)
  }

  const cases = { entries: state.cases, corrected: state.curation.corrections, read: caseById }
  const opened = await openIndex(indexOptions(), cases, embedder, options).catch(async (error: unknown) => {
    await journal.close()
    throw diskError(error, folder)
  })
  let index: Promise<CaseIndex> = Promise.resolve(opened.index)
  const serial = createSerial()
  let closing: Promise<void> | null = null
  const asDiskError = (error: unknown): never => {
    throw diskError(error, folder)
  }

  async function commit(events: readonly SpaceEvent[]): Promise<void> {
    const parsed = events.map(parseSpaceEvent)
    await serial(async () => {
      const fresh = await newEvents(
        parsed,
        state,
        async (place) => (await journal.readOne(place.at, place.part)) ?? undefined,
      )
      if (fresh.length === 0) return
      // Embedded before anything is written: a faulty encoder must leave no half-made commit.
      const added = fresh.flatMap((event) => (event.kind === 'case-added' ? [event.case] : []))
      const rows = await toRows(added, embedder)
      const corrected = await toRows(await texts.corrected(fresh), embedder)
      const indexExperiences = await experiences.prepare(fresh)
      const record = await journal.append(fresh)
      apply(fresh, record.seq, record.at)
      const target = await index
      if (rows.length > 0) await target.add(rows)
      if (corrected.length > 0) await target.replace(corrected)
      for (const event of fresh) {
        if (event.kind === 'case-deleted') await target.setDeleted(event.caseId, true)
        if (event.kind === 'case-restored') await target.setDeleted(event.caseId, false)
      }
      await indexExperiences()
    }).catch(asDiskError)
  }

  async function load(hits: readonly ScoredId[]): Promise<ScoredCase[]> {
    return Promise.all(hits.map(async ({ id, score }) => ({ case: await caseById(id), score })))
  }

  async function page(query: CasePageQuery): Promise<{ hits: FoundCase[]; total: number; ms: number }> {
    const begun = performance.now()
    const { ids, total } = await rankCases(query, [...state.cases.values()], await index, embedder)
    const hits = await Promise.all(ids.map(async ({ id, score }) => ({ case: await caseById(id), score })))
    return { hits, total, ms: performance.now() - begun }
  }

  async function reindex(build: BuildOptions & { embedder?: Embedder }): Promise<void> {
    await serial(async () => {
      const before = embedder
      const old = await index
      embedder = build.embedder ?? embedder
      let next: Promise<CaseIndex> | null = null
      let settle: (value: Promise<CaseIndex>) => void = () => undefined
      try {
        next = rebuild(async () => {
          // From here on readers wait for the new index.
          index = new Promise((resolveIndex) => (settle = resolveIndex))
          await old.close().catch(() => undefined)
        }, build)
        await next
        index = next
        await experiences.reindex(build)
        await passages.reindex(build)
      } catch (error) {
        embedder = before
        throw error
      } finally {
        if (next) settle(next)
      }
    })
  }

  async function shut(): Promise<void> {
    await serial(() =>
      closeAll([
        async () => (await index).close(),
        () => experiences.close(),
        () => passages.close(),
        () => journal.close(),
        release,
      ]),
    ).catch(asDiskError)
  }

  return {
    id: file.id,
    get name() {
      return file.name
    },
    path: folder,
    createdAt: file.createdAt,
    rename: (name) => serial(async () => void (file = await renameSpaceFile(folder, name))),
    get embedder() {
      return embedder
    },
    opening: { tornTail: journal.tornTail, rebuilt: opened.rebuilt, caughtUp: opened.caughtUp },
    commit,
    nearest: async (vector, k, filter) => load(await curated.nearest(vector, k, filter)),
    writes: caseWrites({ state, index: () => index, readCase, trajectory }),
    artifacts: openArtifacts(join(folder, 'artifacts')),
    curation: state.curation,
    concepts: state.concepts,
    buildLog,
    search: async (text, k, filter) => load(await curated.match(text, k, filter)),
    memories: memoryTexts.memories,
    experiences,
    passages,
    async recentSuccesses(limit, filter) {
      const found: TrajectoryEntry<RecordPlace>[] = []
      for (let i = successes.length - 1; i >= 0 && found.length < limit; i--) {
        const entry = state.trajectories.get(successes[i] ?? '')
        if (entry && (filter?.environment === undefined || entry.environment === filter.environment))
          found.push(entry)
      }
      return Promise.all(found.map(readTrajectory))
    },
    async get(caseId) {
      const entry = state.cases.get(caseId)
      return entry ? readCase(entry) : null
    },
    trajectory,
    info: async () => ({
      id: file.id,
      name: file.name,
      path: folder,
      createdAt: file.createdAt,
      cases: state.live,
      trajectories: state.trajectories.size,
      embedder: embedder.id,
      bytes: await folderBytes(folder),
    }),
    page,
    ...caseEdits(commit, caseById, now),
    caseVersions: async (caseId) => texts.versions(entryOf(caseId)),
    async *trajectories() {
      for (const entry of [...state.trajectories.values()]) yield readTrajectory(entry)
    },
    async *cases(which) {
      for (const entry of [...state.cases.values()]) {
        if (which?.includeDeleted === true || entry.deletedAt === null) yield readCase(entry)
      }
    },
    contentHash: () =>
      contentHash(state, {
        trajectory: readTrajectory,
        case: readCase,
        memory: memoryTexts.read,
        experience: experiences.read,
      }),
    memorySource: {
      state,
      commit,
      memory: (id) => memoryTexts.byId(id),
      caseOf: async (id) => (state.cases.has(id) ? caseById(id) : null),
      caseVersions: (id) => texts.versions(entryOf(id)),
      experience: (id) => experiences.get(id),
      matchCases: async (text, limit) =>
        idsOf(await (await index).match(text, limit, { includeDeleted: true })),
      matchExperiences: (text, limit) => experiences.match(text, limit),
    },
    reindex: (build) => reindex(build ?? {}),
    tidy: async () => {
      await (await index).tidy()
      await experiences.tidy()
      await passages.tidy()
    },
    close: () => (closing ??= shut()),
  }
}

const idsOf = (hits: readonly ScoredId[]): string[] => hits.map(({ id }) => id)
