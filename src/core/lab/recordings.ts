import type { RecordingFigure } from '../../shared/domain/recording'
import type { Trajectory } from '../../shared/domain/trajectory'
import { NO_USAGE } from '../../shared/domain/trajectory'
import type { CaseLearnerSpec } from '../ground/method'
import type { CaseWrite, Embedder } from '../ground/ports'
import { createRng } from '../ground/random'
import { openLearner, type CaseLearner } from '../memory/cases/learner'
import { learnerOptions } from '../memory/cases/learned-recall'
import { traitsOf } from '../memory/cases/relations'
import { emptyCuration } from '../memory/cases/curation'
import type { Act, Lived } from '../recall/acts'
import { createBeliefs } from '../recall/beliefs'
import { agreedIn, mostShown, type Refusal } from '../recall/refusals'
import { sift } from '../retrieval/floor'
import { ALPHA, fuse } from '../retrieval/fuse'
import { vectorsOf } from '../retrieval/rank'
import { SearchCore } from '../retrieval/search-core'

/** A graded attempt that was made before, by whatever agent: nothing was recalled for it that is asked about here. */
export interface Recording {
  /** Its reward says how it ended. */
  readonly lived: Lived & { readonly reward: 0 | 1 }
  /** The task in words, as it is looked for. */
  readonly text: string
}

/** How recordings are played. */
export interface PlayOptions {
  readonly embedder: Embedder
  /** What learns which cases help. */
  readonly learners: readonly CaseLearnerSpec[]
  /** Items recalled. */
  readonly k: number
  /** Random orders, and where chance begins. */
  readonly orders: number
  readonly seed: number
  /** Lets others work in between, and rejects where this is to stop. */
  pause(order: number): Promise<void>
}

/** Cosine from which an attempt that ended alike says nothing new: Agent KB's tau. */
const TAU = 0.8
/** How much further than K is looked before words and meaning are added up. */
const DEPTH = 4
/** Attempts between two pauses. */
const SLICE = 4

/** What happened to one attempt in one order: pairs of what is counted and how often it came out. */
type Tally = Map<string, { hits: number; of: number }>

/**
 * Plays graded attempts in random orders, without a model: each is met knowing those before it, and counted from the second half of an order on. Tells how
 * often the same task is found, how well what is recalled foretells the outcome (area under the curve: .5 knows nothing), how the floor speaks, what dropping
 * near copies costs, what learners of case values foretell, and how often a complaint of the tools was known. The interval is that of the orders, which share
 * their attempts: it says how much the order matters, not how other tasks would go.
 */
export async function playRecordings(
  recordings: readonly Recording[],
  options: PlayOptions,
): Promise<RecordingFigure[]> {
  const texts = recordings.map(({ text }) => text)
  const vectors = await vectorsOf(options.embedder, texts)
  const orders: Map<string, number>[] = []
  const counts = new Map<string, number>()
  for (let order = 0; order < options.orders; order++) {
    const indexes = [...recordings.keys()]
    const shuffled = createRng(`recordings ${options.seed} ${order}`).sample(indexes, indexes.length)
    const tally = await playOrder(
      shuffled.flatMap((i) => {
        const [recording, vector] = [recordings[i], vectors[i]]
        return recording && vector ? [{ ...recording, vector, name: String(i) }] : []
      }),
      options,
      order,
    )
    orders.push(tally.values)
    for (const [name, n] of tally.counts) counts.set(name, (counts.get(name) ?? 0) + n / options.orders)
  }
  return [...counts].flatMap(([name, n]): RecordingFigure[] => {
    const values = orders.flatMap((order) => order.get(name) ?? []).sort((a, b) => a - b)
    if (values.length === 0) return []
    const at = (share: number): number => values[Math.round(share * (values.length - 1))] ?? 0
    const [part = '', what = ''] = name.split('\n')
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    return [{ part, what, mean, low: at(0.025), high: at(0.975), n: Math.ceil(n) }]
  })
}

type Placed = Recording & { readonly vector: Float32Array; readonly name: string }
type Expectation = { readonly expected: number; readonly solved: boolean }

/** One order: every figure's value, and over how many attempts. */
async function playOrder(list: readonly Placed[], options: PlayOptions, order: number) {
  const tally: Tally = new Map()
  const count = (part: string, what: string, isHit: boolean): void => {
    const entry = tally.get(`${part}\n${what}`) ?? { hits: 0, of: 0 }
    entry.of++
    if (isHit) entry.hits++
    tally.set(`${part}\n${what}`, entry)
  }
  const areas = new Map<string, Expectation[]>()
  const expect = (part: string, expectation: Expectation): unknown =>
    areas.set(part, [...(areas.get(part) ?? []), expectation])
  const parts = await Promise.all([
    Promise.resolve(searching(list, options, count, expect)),
    ...options.learners.map((spec) => foretelling(spec, options, expect)),
    Promise.resolve(believing(count)),
  ])
  for (const [n, attempt] of list.entries()) {
    if (n % SLICE === 0) await options.pause(order)
    for (const part of parts) await part(attempt, n >= list.length / 2)
  }
  const values = new Map<string, number>()
  const counts = new Map<string, number>()
  for (const [name, { hits, of }] of tally) {
    values.set(name, hits / of)
    counts.set(name, of)
  }
  for (const [part, rows] of areas) {
    const name = `${part}\n${FORETOLD}`
    const area = areaOf(rows)
    if (area !== null) values.set(name, area)
    counts.set(name, rows.length)
  }
  return { values, counts }
}

const FORETOLD = 'foretells the outcome (area)'

/** Meets an attempt, counts where it is to be counted, then takes it in. */
type Part = (attempt: Placed, counts: boolean) => Promise<void> | void
type Count = (part: string, what: string, isHit: boolean) => void
type Expect = (part: string, expectation: Expectation) => unknown

/** Retrieval by words, by meaning and by both; the floor over both; and a memory that drops near copies. */
function searching(
  list: readonly Placed[],
  { embedder, k }: PlayOptions,
  count: Count,
  expect: Expect,
): Part {
  const all = new Map(list.map((one) => [one.name, one]))
  const full = new SearchCore(embedder.dimension)
  const thin = new SearchCore(embedder.dimension)
  const tasks = new Set<string>()
  const best = (hits: readonly { readonly id: string; readonly score: number }[]): Placed[] =>
    [...hits]
      .sort((a, b) => b.score - a.score)
      .slice(0, k)
      .flatMap(({ id }) => all.get(id) ?? [])
  const both = (
    core: SearchCore,
    { text, vector, lived }: Placed,
    accepts?: (id: string) => boolean,
  ): Placed[] => {
    const filter = { environment: lived.environment, accepts }
    const withVectors = (hits: ReturnType<SearchCore['match']>) =>
      hits.map((hit) => ({ ...hit, vector: core.vectorOf(hit) }))
    const byWords = withVectors(core.match(text, k * DEPTH, filter)).sort((a, b) => b.score - a.score)
    const byMeaning = withVectors(core.nearest(vector, k * DEPTH, filter)).sort((a, b) => b.score - a.score)
    return best(fuse({ mode: 'hybrid', byWords, byMeaning, fullBm25: core.full(text), vector, alpha: ALPHA }))
  }
  const tell = (part: string, attempt: Placed, near: readonly Placed[]): void => {
    const { lived } = attempt
    if (tasks.has(lived.task))
      count(
        part,
        'finds the same task',
        near.some((one) => one.lived.task === lived.task),
      )
    expect(part, { expected: meanOf(near.map((one) => one.lived.reward)), solved: lived.reward === 1 })
  }
  return async (attempt, counts) => {
    const { name, text, vector, lived } = attempt
    const filter = { environment: lived.environment }
    if (counts) {
      tell('retrieval by words', attempt, best(full.match(text, k, filter)))
      tell('retrieval by meaning', attempt, best(full.nearest(vector, k, filter)))
      const near = both(full, attempt)
      tell('retrieval by both', attempt, near)
      const items = near.map((one) => ({ text: one.text, task: one.lived.task }))
      const verdicts = await sift(embedder, text, [{ items, total: full.size }], 'usual')
      const passing = verdicts.filter(({ passes }) => passes)
      const isThere = tasks.has(lived.task)
      count(
        'floor',
        isThere ? 'speaks where the same task is there' : 'speaks where it is not',
        passing.length > 0,
      )
      if (isThere && passing.length > 0)
        count(
          'floor',
          'then shows the same task',
          passing.some(({ item }) => item.task === lived.task),
        )
      tell('without near copies', attempt, both(thin, attempt))
      const elsewhere = both(full, attempt, (id) => all.get(id)?.lived.task !== lived.task)
      expect('retrieval by both, other tasks alone', {
        expected: meanOf(elsewhere.map((one) => one.lived.reward)),
        solved: lived.reward === 1,
      })
    }
    tasks.add(lived.task)
    const row = {
      id: name,
      text,
      vector,
      environment: lived.environment,
      reward: lived.reward,
      deleted: false,
    }
    full.set(row)
    const [nearest] = thin.nearest(vector, 1, { ...filter, reward: lived.reward })
    const isCopy = nearest !== undefined && nearest.score >= TAU
    if (!isCopy) thin.set(row)
    if (counts) count('without near copies', 'keeps of what came', !isCopy)
  }
}

/**
 * What a learner of case values foretells: as if the K nearest had been recalled for each attempt, and its outcome said something of them. Nothing was recalled
 * when these attempts were made, so the value learned is how outcomes go together with what lies near, not what showing it would have changed.
 */
async function foretelling(
  spec: CaseLearnerSpec,
  { embedder, k, seed }: PlayOptions,
  expect: Expect,
): Promise<Part> {
  const writes: CaseWrite[] = []
  const bank = {
    curation: emptyCuration(),
    artifacts: { read: () => Promise.resolve(null), replace: () => Promise.resolve() },
    async *writes(from: number) {
      await Promise.resolve()
      yield* writes.slice(from)
    },
  }
  const options = learnerOptions(spec, { bank, embedder, seed, settings: {} })
  const learner: CaseLearner = await openLearner(options)
  const rng = createRng(`recordings ${spec.id} ${seed}`)
  return async (attempt, counts) => {
    const { lived, text, vector } = attempt
    const ranked = learner.rank(traitsOf(text, '', vector), lived.environment, rng)
    const nearest = [...ranked].sort((a, b) => b.similarity - a.similarity).slice(0, k)
    if (counts) {
      const values = ranked.slice(0, k).flatMap(({ value }) => (value === null ? [] : [value]))
      expect(`values: ${spec.title}`, { expected: meanOf(values), solved: lived.reward === 1 })
    }
    writes.push(
      writeOf(
        attempt,
        writes.length,
        nearest.map(({ id }) => id),
      ),
    )
    await learner.catchUp()
  }
}

/** An attempt as a case, with what stands for having been recalled. */
function writeOf(
  { lived, text, vector, name }: Placed,
  index: number,
  caseIds: readonly string[],
): CaseWrite {
  const { environment, reward, acts, at } = lived
  const plan = acts.map(({ action }) => action).join('\n')
  const attempt: Trajectory = {
    ...{ id: name, memoryId: '', runId: '', method: '', model: '', seed: 0 },
    task: { id: lived.task, index, environment, instruction: text, context: '', skills: [] },
    recalled: caseIds.map((id) => ({
      ...{
        kind: 'case',
        id,
        trajectoryId: null,
        title: '',
        score: null,
        scoreKind: 'cosine',
        reward: null,
        tokens: 0,
      },
    })),
    rounds: acts.map(({ action, observation }, i) => ({
      ...{
        index: i,
        completion: action,
        action: { kind: 'operation', content: action },
        observation,
        usage: NO_USAGE,
      },
    })),
    ...{ finish: 'completed', reward, usage: NO_USAGE, startedAt: at, finishedAt: at },
  }
  return {
    case: {
      ...{ id: `case-${name}`, trajectoryId: name, runId: '', environment, state: text, plan, reward },
      ...{ createdAt: at, deletedAt: null },
    },
    attempt,
    vector,
  }
}

/** Whether the first complaint of an attempt's tools was known from other tasks. */
function believing(count: Count): Part {
  const beliefs = createBeliefs()
  return ({ lived }, counts) => {
    // What came of each step is not known of every attempt.
    const isTold = counts && lived.acts.some(({ observation }) => observation !== null)
    const first = isTold
      ? lived.acts.find(({ complaint }) => complaint && complaint.masked !== '')
      : undefined
    if (isTold) count('beliefs', 'a tool complained', first !== undefined)
    if (first) {
      const hit = beliefs
        .refusals(lived.environment)
        .find((one) => isSame(first, one) && [...one.tasks].some((task) => task !== lived.task))
      count('beliefs', 'its first complaint was known', hit !== undefined)
      count('beliefs', 'two tasks agreed on it', hit !== undefined && agreedIn(hit, lived.task))
      const best = mostShown(beliefs.agreed(lived.environment)).flat()
      count(
        'beliefs',
        'it was among those shown',
        best.some((one) => isSame(first, one)),
      )
    }
    beliefs.take(lived)
  }
}

const isSame = ({ tool, complaint }: Act, { tool: of, masked }: Refusal): boolean =>
  of === tool && masked === complaint?.masked

/** Nothing recalled foretells neither. */
const meanOf = (values: readonly number[]): number =>
  values.length === 0 ? 0.5 : values.reduce((sum, value) => sum + value, 0) / values.length

/** How often a solved attempt was expected to go better than a failed one; null where all ended alike. */
function areaOf(rows: readonly Expectation[]): number | null {
  const [solved, unsolved] = [rows.filter((row) => row.solved), rows.filter((row) => !row.solved)]
  if (solved.length === 0 || unsolved.length === 0) return null
  let wins = 0
  for (const a of solved)
    for (const b of unsolved) wins += a.expected > b.expected ? 1 : a.expected === b.expected ? 0.5 : 0
  return wins / (solved.length * unsolved.length)
}
