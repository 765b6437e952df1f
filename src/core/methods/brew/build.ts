import type { GuideVersion, Insight } from '../../../shared/domain/guide'
import type { Build, BuildOutcome, BuildProgress } from '../../../shared/domain/guide-build'
import type { Task } from '../../../shared/domain/task'
import { canonicalJson } from '../../ground/canonical-json'
import type { MemoryStore, MemoryEvent } from '../../ground/ports'
import { currentVersion } from '../../memory/guides/fold'
import { playsUser } from '../../tasks'
import { assignQueries, clusterConcepts, type KnownConcept } from './concepts'
import { workOnAll } from './gate'
import type { KbDocument } from './retrieve'
import { scoreKb, type SearchInput } from './score'
import { bestGuides, documentOf, iterate, plantTrees, winners, type Grown } from './search'
import { openWork, type WorkInput } from './work'

export interface BuildInput extends Omit<
  WorkInput,
  'buildId' | 'log' | 'shown' | 'retrieveAt' | 'prompts' | 'keep'
> {
  readonly build: Build
  readonly bank: Pick<MemoryStore, 'concepts' | 'commit' | 'buildLog'>
  readonly train: readonly Task[]
  readonly evaluation: readonly Task[]
  /** Stops at the concepts, for a person to look at them. */
  readonly stopAtConcepts: boolean
  /**
   * What won is read at once, unless it solves fewer held-out tasks than what is read now; else it is proposed, and read when a person
   * accepts it.
   */
  readonly useAtOnce: boolean
  readonly now: () => Date
  readonly signal: AbortSignal
  progress?(progress: BuildProgress): void
  /** Asked at every checkpoint: whether to stop there, to be taken up later. Default: never. */
  pauseRequested?(): boolean
}

export type BuildEnd =
  | { readonly kind: 'done'; readonly outcome: BuildOutcome }
  | { readonly kind: 'concepts' }
  | { readonly kind: 'paused' }

/**
 * BREW (algorithm 1): rollouts of the training tasks with the documents there are, insights, meta-concepts, a tree of documents for
 * each, and a search by the strategy of the settings. What asks the model is in the build's log, what came of it in the journal.
 * Begun again after any interruption it ends as if there had been none.
 *
 * The winners become what agents read, or are proposed. Budgets are looked at between iterations; the best so far is what such a build ends with.
 * @throws LoamError what the engine or disk failed with; AbortError when `signal` fires
 */
export async function runBuild(input: BuildInput): Promise<BuildEnd> {
  const { build, bank, train, evaluation, signal } = input
  const { settings } = build
  const commit = (...events: MemoryEvent[]): Promise<void> => bank.commit(events)
  const at = (): string => input.now().toISOString()
  const report = (stage: BuildProgress['stage'], doneCount: number, total: number, activity: string): void =>
    input.progress?.({ stage, done: doneCount, total, activity })
  const pausing = (): boolean => input.pauseRequested?.() === true

  await commit({ kind: 'build-started', build })
  const ending = bank.concepts.builds.get(build.id)?.outcome
  if (ending) return { kind: 'done', outcome: ending }
  const start = build.start.flatMap((id) => bank.concepts.versions.get(id) ?? [])
  const documents = start.map(documentOf)
  const work = await openWork({
    ...input,
    buildId: build.id,
    log: bank.buildLog(build.id),
    shown: settings.shown,
    prompts: settings.prompts,
    keep: settings.keep,
    retrieveAt: playsUser(build.environment) ? settings.retrieveAt : 'start',
  })
  const began = performance.now()
  const isSpent = (): boolean => {
    const { promptTokens, completionTokens } = work.usage()
    const { tokenBudget, minuteBudget } = settings
    return (
      (tokenBudget > 0 && promptTokens + completionTokens >= tokenBudget) ||
      (minuteBudget > 0 && performance.now() - began >= minuteBudget * 60_000)
    )
  }

  let rolled = 0
  let paused = false
  report('rollouts', 0, train.length, 'Trying the training tasks')
  const groupedMatches = await workOnAll(train, signal, async (task, own): Promise<readonly Insight[]> => {
    paused ||= pausing()
    if (paused) return []
    const trajectory = await work.rollout(task, documents, own)
    const insights = trajectory.ungraded === undefined ? (await work.findings(trajectory, own)).insights : []
    report('rollouts', ++rolled, train.length, `Learned from ${rolled} of ${train.length} training tasks`)
    return insights
  })
  if (paused) return { kind: 'paused' }
  const insights = new Map(groupedMatches.flat().map((insight) => [insight.id, insight]))
  await commit({ kind: 'insights-added', buildId: build.id, insights: [...insights.values()] })

  const buildState = bank.concepts.builds.get(build.id)
  if (!buildState?.concepts) {
    report('concepts', 0, 1, 'Putting concepts together')
    const cores = await clusterConcepts(
      input.context.embedder,
      [...insights.values()],
      start.map((version) => knownConcept(bank, version)),
      {
        environment: build.environment,
        mergeBelow: settings.mergeBelow,
        most: settings.concepts,
        idOf: (n) => `${build.id}-c${n}`,
      },
      signal,
    )
    const all = [...insights.values()]
    const concepts = await assignQueries(input.context.embedder, cores, all, evaluation, settings, signal)
    await commit({ kind: 'concepts-found', buildId: build.id, concepts, at: at() })
  }
  if (input.stopAtConcepts && !bank.concepts.builds.get(build.id)?.frozen) return { kind: 'concepts' }
  await commit({ kind: 'concepts-frozen', buildId: build.id, at: at() })

  const concepts = bank.concepts.builds.get(build.id)?.concepts ?? []
  const search: SearchInput = {
    buildId: build.id,
    settings,
    concepts,
    documents: new Map(start.map((version) => [version.conceptId, version])),
    beside: documents.filter(({ conceptId }) => !concepts.some(({ id }) => id === conceptId)),
    tasks: new Map([...train, ...evaluation].map((task) => [task.id, task])),
    insights,
    work,
    embedder: input.context.embedder,
    now: input.now,
  }
  const record = ({ nodes, versions, insights: fresh }: Grown): Promise<void> =>
    commit(
      ...(fresh.length > 0
        ? [{ kind: 'insights-added' as const, buildId: build.id, insights: [...fresh] }]
        : []),
      ...versions.map((version): MemoryEvent => ({ kind: 'document-written', version })),
      ...nodes.map((node): MemoryEvent => ({ kind: 'node-scored', buildId: build.id, node })),
    )

  report('roots', 0, concepts.length, `Writing ${concepts.length} documents`)
  const { growing, grown } = await plantTrees(search, signal)
  await record(grown)
  const before = bestGuides(growing, settings)

  const steps = settings.iterations * concepts.length
  let expanded = 0
  let iterations = 0
  let stop: BuildOutcome['stopped'] = 'done'
  while (iterations < settings.iterations) {
    if (pausing()) return { kind: 'paused' }
    if (isSpent()) {
      stop = 'budget'
      break
    }
    const next = await iterate(search, growing, iterations + 1, signal, () => {
      report('search', ++expanded, steps, `Iteration ${iterations + 1} of ${settings.iterations}`)
    })
    if (!next) break
    await record(next)
    iterations++
  }

  report('scoring', 0, 3, 'Comparing the documents before and after the search')
  return {
    kind: 'done',
    outcome: await concluded(input, search, {
      started: documents,
      before,
      growing,
      iterations,
      stopped: stop,
    }),
  }
}

/** Scores the documents before and after the search, and makes the winners what agents read. */
async function concluded(
  { build, bank, evaluation, useAtOnce, signal, now }: BuildInput,
  search: SearchInput,
  {
    started,
    before,
    growing,
    iterations,
    stopped,
  }: {
    readonly started: readonly KbDocument[]
    readonly before: readonly KbDocument[]
    readonly growing: Parameters<typeof winners>[0]
    readonly iterations: number
    readonly stopped: BuildOutcome['stopped']
  },
): Promise<BuildOutcome> {
  const { settings } = build
  const { work, concepts } = search
  const at = (): string => now().toISOString()
  const score = (documents: readonly KbDocument[]) => scoreKb(search, documents, evaluation, signal)
  const without = await score([])
  const first = await score([...before, ...search.beside])
  const after = await score([...bestGuides(growing, settings), ...search.beside])
  // What agents read now: nothing before the first build.
  const standing = started.length === 0 ? without : await score(started)
  const isWorse = after.correctness < standing.correctness
  const won = winners(growing, settings)
  const usage = work.usage()
  const outcome: BuildOutcome = {
    stopped,
    iterations,
    without,
    ...(started.length > 0 && { standing }),
    before: first,
    after,
    concepts: concepts.length,
    documents: won.length,
    ...work.counts(),
    tokens: usage.promptTokens + usage.completionTokens,
    modelMs: usage.ms,
    at: at(),
  }
  const isNew = (version: GuideVersion): boolean =>
    canonicalJson(currentVersion(bank.concepts, version.conceptId)?.text ?? null) !==
    canonicalJson(version.text)
  await bank.commit([
    ...won.filter(isNew).map((version): MemoryEvent => {
      const about = { conceptId: version.conceptId, versionId: version.id, at: at() }
      return useAtOnce && !isWorse
        ? { kind: 'document-decided', ...about, accepted: true, by: 'search' }
        : { kind: 'document-proposed', ...about }
    }),
    { kind: 'build-ended', buildId: build.id, outcome },
  ])
  return bank.concepts.builds.get(build.id)?.outcome ?? outcome
}

/** A concept with the names an earlier build gave it. */
const knownConcept = (bank: Pick<MemoryStore, 'concepts'>, version: GuideVersion): KnownConcept => {
  const concepts = [...bank.concepts.builds.values()].flatMap((state) => state.concepts ?? [])
  const members = concepts.filter(({ id }) => id === version.conceptId).flatMap((concept) => concept.members)
  return { id: version.conceptId, name: version.concept, members }
}
