import { randomBytes } from 'node:crypto'
import { currentVersion, type BuildState } from '../../core/memory/guides/fold'
import { rubricsOf } from '../../core/methods/brew/brew'
import type { BuildEnd } from '../../core/methods/brew/build'
import { assignQueries, editConcepts } from '../../core/methods/brew/concepts'
import { acceptedByHand, versionByHand } from '../../core/memory/guides/new-version'
import { viewTree } from '../../core/methods/brew/tree'
import { insightsOf } from '../../core/methods/brew/work'
import type { MemoryStore } from '../../core/ground/ports'
import type {
  ConceptEdit,
  ConceptTree,
  GuideInfo,
  GuideText,
  GuideVersion,
  Insight,
  TrajectoryView,
  Rubric,
  VersionView,
} from '../../shared/domain/guide'
import type { Build, BuildEstimate, BuildInfo, GuidesView } from '../../shared/domain/guide-build'
import { LoamError } from '../../shared/errors'
import { Feed, type Watch, type WatchOptions } from '../ground/feed'
import type { JobRegistry } from '../ground/jobs'
import type { StoredMemory } from '../memory-store/memory'
import { nameOfModel } from '../ground/model-file'
import {
  createBuilder,
  type BuildDeps,
  type BuildWatch,
  type EstimateInput,
  type StartBuildInput,
} from './builder'

/** Concept documents of a memory: their versions, the searches they come from, and what a person makes of both. */
export type Guides = ReturnType<typeof createGuides>

/** What they need of the host. */
export interface GuidesDeps extends BuildDeps {
  readonly jobs: JobRegistry
}

const getError = (what: string, id: string): LoamError =>
  new LoamError('NOT_FOUND', `There is no ${what} ${id} in this memory.`, {
    suggestion: 'Reload the guides.',
  })

const versionView = (bank: MemoryStore, version: GuideVersion): VersionView => {
  const standing = bank.concepts.standings.get(version.conceptId)
  const node =
    version.buildId === null ? undefined : bank.concepts.builds.get(version.buildId)?.nodes.get(version.id)
  return {
    version,
    state:
      standing?.accepted.at(-1) === version.id
        ? 'current'
        : standing?.proposed === version.id
          ? 'proposed'
          : standing?.accepted.includes(version.id)
            ? 'earlier'
            : standing?.rejected.has(version.id)
              ? 'rejected'
              : 'candidate',
    reward: node?.reward ?? null,
  }
}

/** Creates it. */
export function createGuides(deps: GuidesDeps) {
  const { memories, clock, jobs } = deps
  const builder = createBuilder(deps)
  /** Builds that are being worked on, with their jobs. */
  const working = new Map<string, string | null>()
  const feeds = new Set<Feed<GuidesView>>()
  const setWorking = (buildId: string, jobId: string | null | undefined): void => {
    if (jobId === undefined) working.delete(buildId)
    else working.set(buildId, jobId)
    for (const feed of feeds) feed.changed()
  }
  const at = (): string => clock.now().toISOString()

  const infoOf = (state: BuildState): BuildInfo => buildInfo(state, working)
  const listBuilds = (bank: MemoryStore): BuildInfo[] =>
    [...bank.concepts.builds.values()].map(infoOf).reverse()

  const unfinished = async (memoryId: string, buildId: string): Promise<Build> => {
    const { build, outcome } = stateOf(await memories.open(memoryId), buildId)
    const refuse = (why: string, suggestion: string): LoamError =>
      new LoamError('CONFLICT', why, { suggestion })
    if (working.has(buildId))
      throw refuse('This build is being worked on.', 'Wait for it, or cancel it first.')
    if (outcome) throw refuse('This build is done.', 'Start a new one.')
    if (build.stream === null)
      throw refuse('This build belongs to a run.', 'Resume the run; it goes on with its build.')
    return build
  }

  const startJob = (memoryId: string, build: Build, inFlight: number, isResumed: boolean) => {
    setWorking(build.id, null)
    const { id } = jobs.start(
      'build',
      `Guides from ${nameOfModel(build.stream ?? '')}`,
      async ({ signal, progress }) => {
        try {
          await builder.work(
            memoryId,
            build,
            { inFlight, isResumed },
            { signal, onProgress: ({ done, total, activity }) => progress({ done, total, activity }) },
          )
        } finally {
          setWorking(build.id, undefined)
        }
      },
      { activity: 'Waiting for its turn', subject: build.id },
    )
    setWorking(build.id, id)
    return { jobId: id, buildId: build.id }
  }

  /** Recorded before anything is worked on, so that a build that is cancelled early can be taken up. */
  const begin = async (input: StartBuildInput): Promise<Build> => {
    const build = await builder.plan(input)
    await (await memories.open(input.memoryId)).commit([{ kind: 'build-started', build }])
    return build
  }

  return {
    /** Newest first. */
    builds: async (memoryId: string): Promise<BuildInfo[]> => listBuilds(await memories.open(memoryId)),
    build: async (memoryId: string, buildId: string): Promise<BuildInfo> =>
      infoOf(stateOf(await memories.open(memoryId), buildId)),
    tree: async (memoryId: string, buildId: string): Promise<ConceptTree[]> =>
      treesOf(stateOf(await memories.open(memoryId), buildId)),
    /** All guides and builds, and the trees of one build, as they change. Ends when the memory closes. */
    async *watch(memoryId: string, buildId: string | null, options: WatchOptions) {
      const bank = await memories.open(memoryId)
      yield* watchGuides(bank, buildId, { feeds, listBuilds, options })
    },
    insights: async (memoryId: string, buildId: string): Promise<Insight[]> => [
      ...stateOf(await memories.open(memoryId), buildId).insights.values(),
    ],
    /** A rollout of a build with its rubric scores and insights. */
    rollout: async (memoryId: string, buildId: string, trajectoryId: string): Promise<TrajectoryView> =>
      rolloutOf(await memories.open(memoryId), buildId, trajectoryId),
    /** What a build would take. */
    estimate: (input: EstimateInput): Promise<BuildEstimate> => builder.estimate(input),
    /** Starts a build as a job. */
    async start(input: StartBuildInput): Promise<{ jobId: string; buildId: string }> {
      return startJob(input.memoryId, await begin(input), input.inFlight ?? 1, false)
    },
    /** Takes an unfinished build up again, also past the concepts a person has looked at. */
    async resume(
      memoryId: string,
      buildId: string,
      inFlight: number,
    ): Promise<{ jobId: string; buildId: string }> {
      return startJob(memoryId, await unfinished(memoryId, buildId), inFlight, true)
    },
    /** As `start` and `resume`, waiting for the end. */
    async run(
      how:
        | { readonly start: StartBuildInput }
        | { readonly resume: string; readonly memoryId: string; readonly inFlight: number },
      watch: BuildWatch,
    ): Promise<{ readonly end: BuildEnd; readonly info: BuildInfo }> {
      const isResumed = 'resume' in how
      const memoryId = isResumed ? how.memoryId : how.start.memoryId
      const build = isResumed ? await unfinished(memoryId, how.resume) : await begin(how.start)
      const inFlight = isResumed ? how.inFlight : (how.start.inFlight ?? 1)
      setWorking(build.id, null)
      try {
        const end = await builder.work(memoryId, build, { inFlight, isResumed }, watch)
        setWorking(build.id, undefined)
        return { end, info: infoOf(stateOf(await memories.open(memoryId), build.id)) }
      } finally {
        setWorking(build.id, undefined)
      }
    },
    async editConcepts(memoryId: string, buildId: string, edit: ConceptEdit): Promise<BuildInfo> {
      const bank = await memories.open(memoryId)
      const state = stateOf(bank, buildId)
      if (working.has(buildId) || state.concepts === null)
        throw new LoamError('CONFLICT', 'The concepts are not there yet, or are being searched.', {
          suggestion: 'Start a build that waits for you at its concepts.',
        })
      const insights = [...state.insights.values()]
      const { tasks } = await deps.streams.load(state.build.stream ?? '')
      const holdings = tasks.filter(({ id }) => state.build.evaluation.includes(id))
      const concepts = await assignQueries(
        await deps.embedder(),
        editConcepts(state.concepts, edit, insights),
        insights,
        holdings,
        state.build.settings,
      )
      await bank.commit([{ kind: 'concepts-edited', buildId, n: state.edits, edit, concepts, at: at() }])
      return infoOf(state)
    },
    ...documentsOf(deps),
  }
}

async function rolloutOf(bank: MemoryStore, buildId: string, trajectoryId: string): Promise<TrajectoryView> {
  stateOf(bank, buildId)
  const units = await bank.buildLog(buildId).units()
  const rollout = units.find((unit) => unit.kind === 'rollout' && unit.trajectory.id === trajectoryId)
  if (rollout?.kind !== 'rollout') throw getError('rollout', trajectoryId)
  const match = units.find((unit) => unit.kind === 'findings' && unit.key === trajectoryId)
  const { trajectory } = rollout
  if (match?.kind !== 'findings') return { trajectory, findings: null }
  const { scores, problem } = match
  return { trajectory, findings: { scores, problem, insights: insightsOf(match, trajectory) } }
}

interface WatchDeps {
  /** Told when work on a build begins or ends. */
  readonly feeds: Set<Feed<GuidesView>>
  readonly listBuilds: (bank: MemoryStore) => BuildInfo[]
  readonly options: WatchOptions
}

async function* watchGuides(
  bank: StoredMemory,
  buildId: string | null,
  { feeds, listBuilds, options }: WatchDeps,
): Watch<GuidesView> {
  const feed = new Feed<GuidesView>(() => {
    const build = buildId === null ? undefined : bank.concepts.builds.get(buildId)
    return { documents: listDocuments(bank), builds: listBuilds(bank), trees: build ? treesOf(build) : null }
  })
  feeds.add(feed)
  const leave = bank.onChange((change) => (change === 'closed' ? feed.close() : feed.changed()))
  try {
    yield* feed.watch(options)
  } finally {
    leave()
    feeds.delete(feed)
    feed.close()
  }
}

const listDocuments = (bank: MemoryStore): GuideInfo[] =>
  [...bank.concepts.standings.keys()].map((conceptId) => documentInfo(bank, conceptId))

const treesOf = ({ build, concepts, nodes }: BuildState): ConceptTree[] =>
  (concepts ?? []).map((concept) => {
    const own = [...nodes.values()].filter((node) => node.conceptId === concept.id)
    return { concept, ...viewTree(own, build.settings) }
  })

/** A build as people see it; `working`: those that are worked on, with their jobs. */
function buildInfo(state: BuildState, working: ReadonlyMap<string, string | null>): BuildInfo {
  const { build, concepts, frozen, nodes, outcome } = state
  return {
    build,
    status:
      outcome !== null
        ? 'done'
        : working.has(build.id)
          ? 'running'
          : build.review && concepts !== null && !frozen
            ? 'concepts'
            : 'unfinished',
    jobId: working.get(build.id) ?? null,
    concepts: [...(concepts ?? [])],
    frozen,
    nodes: nodes.size,
    outcome,
  }
}

/** The documents of a memory, and what a person decides about them. */
function documentsOf({ memories, clock, prompts }: GuidesDeps) {
  const at = (): string => clock.now().toISOString()
  return {
    list: async (memoryId: string): Promise<GuideInfo[]> => listDocuments(await memories.open(memoryId)),
    /** A concept's versions, newest first; with `candidates` also the nodes of searches that did not win. */
    async versions(memoryId: string, conceptId: string, candidates: boolean): Promise<VersionView[]> {
      const bank = await memories.open(memoryId)
      const own = [...bank.concepts.versions.values()].filter((version) => version.conceptId === conceptId)
      if (own.length === 0) throw getError('concept', conceptId)
      const views = own.map((version) => versionView(bank, version)).reverse()
      return candidates ? views : views.filter(({ state }) => state !== 'candidate')
    },
    /** Makes a version what agents read, or takes it back; the one accepted before it then stands again. */
    async decide(
      memoryId: string,
      conceptId: string,
      versionId: string,
      accepted: boolean,
    ): Promise<GuideInfo> {
      const bank = await memories.open(memoryId)
      if (bank.concepts.versions.get(versionId)?.conceptId !== conceptId) throw getError('version', versionId)
      await bank.commit([
        { kind: 'document-decided', conceptId, versionId, accepted, by: 'person', at: at() },
      ])
      return documentInfo(bank, conceptId)
    },
    /** Decides about everything that a build proposes and nobody decided about. Answers the concepts it was about. */
    async decideAll(memoryId: string, buildId: string, accepted: boolean): Promise<GuideInfo[]> {
      const bank = await memories.open(memoryId)
      stateOf(bank, buildId)
      const waiters = [...bank.concepts.standings.values()].flatMap(
        ({ proposed }) => bank.concepts.versions.get(proposed ?? '') ?? [],
      )
      const own = waiters.filter((version) => version.buildId === buildId)
      await bank.commit(
        own.map(({ conceptId, id: versionId }) => ({
          ...({ kind: 'document-decided', by: 'person' } as const),
          ...{ conceptId, versionId, accepted, at: at() },
        })),
      )
      return own.map(({ conceptId }) => documentInfo(bank, conceptId))
    },
    /** A person's version. It is read at once, and later searches keep what was added and leave out what was removed. */
    async edit(memoryId: string, conceptId: string, text: GuideText): Promise<VersionView> {
      const bank = await memories.open(memoryId)
      const { current, proposed } = documentInfo(bank, conceptId)
      const before = proposed ?? current
      const id = `hand-${randomBytes(8).toString('hex')}`
      const version = versionByHand(id, documentInfo(bank, conceptId), before, text, at())
      await bank.commit([
        // Whoever edits a proposal takes it, as it then reads.
        ...(proposed ? [acceptedByHand(conceptId, proposed.id, at())] : []),
        { kind: 'document-written', version },
        acceptedByHand(conceptId, version.id, at()),
      ])
      return versionView(bank, version)
    },
    async rubrics(memoryId: string, environment: string): Promise<Rubric[]> {
      return [...rubricsOf({ bank: await memories.open(memoryId), prompts: await prompts() }, environment)]
    },
    async saveRubrics(memoryId: string, environment: string, rubrics: readonly Rubric[]): Promise<Rubric[]> {
      const bank = await memories.open(memoryId)
      await bank.commit([{ kind: 'rubrics-changed', environment, rubrics: [...rubrics], at: at() }])
      return [...rubrics]
    },
  }
}

const stateOf = (bank: MemoryStore, buildId: string): BuildState => {
  const buildState = bank.concepts.builds.get(buildId)
  if (buildState) return buildState
  throw getError('build', buildId)
}

const documentInfo = (bank: MemoryStore, conceptId: string): GuideInfo => {
  const own = [...bank.concepts.versions.values()].filter((version) => version.conceptId === conceptId)
  const newest = own.at(-1)
  if (!newest) throw getError('concept', conceptId)
  const current = currentVersion(bank.concepts, conceptId) ?? null
  const { concept, environment } = current ?? newest
  const decided = own.filter((version) => versionView(bank, version).state !== 'candidate')
  const reward = current && versionView(bank, current).reward
  const proposed = bank.concepts.versions.get(bank.concepts.standings.get(conceptId)?.proposed ?? '') ?? null
  return { conceptId, concept, environment, current, proposed, reward, versions: decided.length }
}
