import { METHODS } from '../../core/methods'
import type { CaseLearnerSpec } from '../../core/ground/method'
import { LoamError } from '../../shared/errors'
import { caseLandscape, readProposals } from '../../core/memory/cases/landscape'
import { traitsOf, type Traits } from '../../core/memory/cases/relations'
import {
  chooseCases,
  learnerOf,
  learnerOptions,
  pinnedIn,
  type LearnerContext,
} from '../../core/memory/cases/learned-recall'
import { createRng } from '../../core/ground/random'
import {
  type CaseLandscape,
  type CaseLandscapeQuery,
  type CaseWorth,
  type CaseWorthQuery,
  type ShownLearner,
  type WeighedCase,
} from '../../shared/domain/case'
import type { RunInfo } from '../../shared/domain/run'
import type { StoredMemory } from '../memory-store/memory'
import type { Memories } from '../memories/memories'

/** What learned case banks make of a memory's cases, for people to look into. Changes nothing. */
export interface CaseBrowser {
  /** Q beside similarity for a task in words. */
  worth(query: CaseWorthQuery, signal?: AbortSignal): Promise<CaseWorth>
  /** Q of the cases from the first write to the last. Learns from the whole journal, so it takes a while in a large memory. */
  landscape(query: CaseLandscapeQuery, signal?: AbortSignal): Promise<CaseLandscape>
}

export interface CaseBrowserDeps {
  readonly memories: Pick<Memories, 'open' | 'folder'>
  readonly runs: { list(): RunInfo[]; record(runId: string): { readonly memoryPath: string } }
}

/** Cases shown for a task, the best scored ones and those that are recalled. */
const SHOWN = 24
/** Cases of a landscape, the most recalled ones. */
const ROWS = 60
const DEFAULT_K = 4
const DEFAULT_SEED = 1

export function createCaseBrowser({ memories, runs }: CaseBrowserDeps): CaseBrowser {
  /** The learner that was asked for, as the newest run that used it here did, else with default settings. */
  function choose(
    memory: StoredMemory,
    memoryId: string,
    target: string | null,
  ): { context: LearnerContext; spec: CaseLearnerSpec; shown: Omit<ShownLearner, 'writes' | 'draws'> } {
    const folder = memories.folder(memoryId)
    const [newest] = runs
      .list()
      .flatMap((run) => {
        const spec = learnerOfRun(run)
        return spec && (target ?? spec.id) === spec.id && runs.record(run.id).memoryPath === folder
          ? [{ run, spec }]
          : []
      })
      .sort((a, b) => (a.run.createdAt < b.run.createdAt ? 1 : -1))
    const seed = newest?.run.config.seed ?? DEFAULT_SEED
    const spec = newest?.spec ?? findLearner(target)
    return {
      context: { bank: memory, embedder: memory.embedder, seed, settings: newest?.run.config.settings ?? {} },
      spec,
      shown: {
        method: spec.id,
        seed,
        k: newest?.run.config.k ?? DEFAULT_K,
        runId: newest?.run.id ?? null,
      },
    }
  }

  async function stateOf(memory: StoredMemory, text: string): Promise<Traits> {
    const [vector = new Float32Array(memory.embedder.dimension)] = await memory.embedder.embed([text])
    return traitsOf(text, '', vector)
  }

  /** That of the newest case; empty in a memory without cases. */
  async function environmentOf(memory: StoredMemory): Promise<string> {
    const { hits } = await memory.page({ limit: 1 })
    return hits[0]?.case.environment ?? ''
  }

  return {
    async worth({ memoryId, text, method, environment: target }, signal) {
      const memory = await memories.open(memoryId)
      const environment = target ?? (await environmentOf(memory))
      const { context, shown, spec } = choose(memory, memoryId, method)
      const learner = await learnerOf(spec, context, signal)
      await learner.catchUp(signal)
      const rng = createRng(`${shown.seed}/query/${text}`)
      const ranking = learner.rank(await stateOf(memory, text), environment, rng, pinnedIn(memory.curation))
      const chosenSet = new Set((await chooseCases(ranking, shown.k, memory)).map(({ record }) => record.id))
      const cases: WeighedCase[] = []
      for (const ranked of ranking.toSorted((a, b) => b.score - a.score)) {
        const { id, similarity, value, weight, score } = ranked
        if (cases.length >= SHOWN && !chosenSet.has(id)) continue
        const record = await memory.get(id)
        if (!record || record.deletedAt !== null) continue
        cases.push({ case: record, similarity, value, weight, score, recalled: chosenSet.has(id) })
      }
      return { learner: { ...shown, writes: learner.writes, draws: learner.draws }, environment, cases }
    },

    async landscape({ memoryId, text, method }, signal) {
      const memory = await memories.open(memoryId)
      const environment = await environmentOf(memory)
      const { context, shown, spec } = choose(memory, memoryId, method)
      const { total, uses, probes: attempts } = await readProposals(memory, environment, signal)
      const probes = text === '' ? attempts : [{ state: await stateOf(memory, text), ownCase: null }]
      const options = learnerOptions(spec, context)
      const { moments, values, trust } = await caseLandscape(options, { environment, probes, total }, signal)
      const rows: CaseLandscape['rows'] = []
      let remainingCount = 0
      // Newest first among equals, so that a memory whose cases were never recalled shows what it learned last.
      for (const [id, count] of [...uses].reverse().sort(([, a], [, b]) => b - a)) {
        const record = await memory.get(id)
        const row = values.get(id)
        if (!record || record.deletedAt !== null || !row) continue
        if (rows.length === ROWS) remainingCount++
        else rows.push({ case: record, uses: count, values: [...row] })
      }
      const last = (row: (typeof rows)[number]): number => row.values.at(-1) ?? -Infinity
      rows.sort((a, b) => last(b) - last(a))
      const learner = { ...shown, writes: total, draws: (await learnerOf(spec, context)).draws }
      return {
        learner,
        environment,
        moments: [...moments],
        trust: [...trust],
        probes: text === '' ? probes.length : 0,
        rows,
        left: remainingCount,
      }
    },
  }
}

/** The learner a run recalls cases with; null when its method has none. */
const learnerOfRun = ({ config }: RunInfo): CaseLearnerSpec | null =>
  METHODS.find(({ info }) => info.id === config.method)?.learner ?? null

/** A learner by the id of its method, the first there is for null. @throws LoamError `BAD_INPUT` for one that is not there */
function findLearner(id: string | null): CaseLearnerSpec {
  const learners = METHODS.flatMap(({ learner }) => learner ?? [])
  const learnerSpec = id === null ? learners[0] : learners.find((one) => one.id === id)
  if (learnerSpec) return learnerSpec
  throw new LoamError('BAD_INPUT', `There is no learner of cases called "${id ?? ''}".`, {
    suggestion: `Use one of: ${[...new Set(learners.map((one) => one.id))].join(', ')}.`,
  })
}
