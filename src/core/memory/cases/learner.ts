import { createRng, type Rng } from '../../ground/random'
import type { WeighedCase } from '../../../shared/domain/case'
import { LoamError } from '../../../shared/errors'
import type { MemoryStore, CaseWrite, Embedder } from '../../ground/ports'
import { createSerial } from '../../../shared/serial'
import { drawOrder } from './policy'
import { plansFromRows, plansToRows, planVector, vectorOf, type PlanVector } from './plan-vectors'
import { createPool, type Candidate } from './pool'
import { traitsOf, type Traits } from './relations'
import { rowsOf, transitionsAlong, transitionsFrom, type Transition } from './replay'
import { ofTasks, type SameTask } from './same-task'
import { laterStates, laterTraits } from './steps'
import { decodeCheckpoint, encodeCheckpoint, type Checkpoint, type Saved } from './saved'
import { blended, type CaseSelector, type Estimate, type SelectorInput } from './selector'

/** What a learner says of a case it found: why it stands where it does. The case itself is the bank's. */
export type RankedCase = { readonly id: string } & Readonly<
  Pick<WeighedCase, 'score' | 'similarity' | 'value' | 'weight'>
>

/** A selector that follows one memory: everything it knows comes from the memory's journal, in the order of the journal. */
export interface CaseLearner {
  /** Takes in what was committed since, one update per write. Cut short by `signal` it goes on from there the next time. */
  catchUp(signal?: AbortSignal): Promise<void>
  /** The candidates in the order in which they are to be recalled; those in `always` are candidates however unlike they are. */
  rank(state: Traits, environment: string, rng: Rng, always?: ReadonlySet<string>): RankedCase[]
  /** Cases are drawn (alpha above 0), not the best taken. */
  readonly draws: boolean
  /** Cases taken in so far. */
  readonly writes: number
  /** Transitions completed so far and everything learned from them. */
  save(): Checkpoint
}

export interface LearnerOptions {
  readonly bank: Pick<MemoryStore, 'writes' | 'artifacts'>
  readonly dimension: number
  /** Embeds plans, for a selector that reads them. */
  readonly embed: Embedder['embed']
  /** Names everything the selector depends on: mechanism, settings, seed, encoder. Its first part names the artifact. */
  readonly key: string
  readonly artifact: string
  readonly create: (input: SelectorInput) => CaseSelector
  /** Cases considered per task, the most similar ones. */
  readonly candidates: number
  /** Which of several attempts at one task may be recalled. Default: all. */
  readonly sameTask?: SameTask
}

const EVERY_ATTEMPT: SameTask = { perTask: 'all', ownTask: true }
const rankedBy = ({ case: { id }, similarity }: Candidate, estimate: Estimate): RankedCase => ({
  id,
  similarity,
  ...estimate,
  score: blended(similarity, estimate),
})
const attemptOf = ({ case: { text, reward, index } }: Candidate) => ({ state: text, reward, at: index })

const stateOf = ({ case: output, attempt, vector }: CaseWrite): Traits =>
  traitsOf(output.state, attempt?.task.context ?? '', vector)

/** Writes with the embeddings of their plans and of the states after the first, where these are wanted. */
async function embedWrites(
  writes: readonly CaseWrite[],
  {
    embed,
    plans,
    later,
  }: Pick<LearnerOptions, 'embed'> & { readonly plans: boolean; readonly later: boolean },
  signal?: AbortSignal,
) {
  const planned = plans ? writes.map((each) => each.case.plan) : []
  const states = later ? writes.map(laterStates) : []
  const all = [...planned, ...states.flat()]
  const vectors = all.length === 0 ? [] : (await embed(all, { signal })).map(planVector)
  const ofStates = vectors.splice(planned.length)
  return writes.map((incoming, i) => ({
    incoming,
    plan: vectors[i] ?? null,
    later: ofStates.splice(0, states[i]?.length ?? 0),
  }))
}

/** Writes taken in at once, so that their plans are embedded together. */
const WRITES_AT_ONCE = 64

/** Writes between two checkpoints. A checkpoint only saves time: the journal holds everything it is made from. */
export const CHECKPOINT_EVERY = 64

/** The recalled cases that an attempt's reward says something about: none where nobody judged or confirmed it, or the model never saw them. */
export function creditedCases({ attempt }: Pick<CaseWrite, 'attempt'>): string[] {
  if (!attempt || attempt.ungraded !== undefined || attempt.rounds.length === 0) return []
  if (attempt.probation !== undefined) return []
  return [...new Set(attempt.recalled.flatMap((item) => (item.kind === 'case' ? [item.id] : [])))]
}

/**
 * Follows a memory from its last checkpoint, or from its beginning where there is none that fits. Minibatches are drawn from a
 * generator made from the key and the number of the write, so a learner that was stopped anywhere and made again is equal to one that never
 * stopped, to the last bit.
 */
export async function openLearner(options: LearnerOptions, signal?: AbortSignal): Promise<CaseLearner> {
  const { bank, dimension, key } = options
  const pool = createPool()
  /** The run whose attempt a last state is of. */
  const runs = new Map<number, string>()
  let backlog: readonly Transition[] = []
  let checkpointed = 0

  /** Embeddings of the states on the way through attempts, in their order. */
  const steps: PlanVector[] = []

  /** Takes a case in, with the states on the way to it; answers the places of all states of its attempt. */
  function admit(incoming: CaseWrite, plan: PlanVector | null, later: readonly PlanVector[]): number[] {
    const { id, environment, reward, runId } = incoming.case
    const { place } = pool.add({ ...stateOf(incoming), id, environment, reward, plan })
    // What nobody judged changes no value, and so not where the middle is.
    if (plan && incoming.attempt?.ungraded === undefined) pool.centre(plan)
    const texts = laterStates(incoming)
    const places = later.map((each, i) =>
      pool.addState(laterTraits(texts[i] ?? '', incoming, vectorOf(each))),
    )
    steps.push(...later)
    const all = [place, ...places]
    runs.set(all.at(-1) ?? place, runId)
    return all
  }

  const restored = await restore(options)
  if (restored) {
    const plans = plansFromRows(restored.saved, dimension)
    const later = plansFromRows(restored.saved, dimension, 'state')
    for await (const write of bank.writes(0)) {
      signal?.throwIfAborted()
      const own = later?.splice(0, laterStates(write).length) ?? []
      admit(write, plans?.[pool.size] ?? null, own)
      if (pool.size === restored.writes) break
    }
    backlog = transitionsFrom(restored.saved['waiting'])
    checkpointed = pool.size
  }
  const selector = options.create({
    pool,
    dimension,
    rng: createRng(`${key}/weights`),
    ...(restored ? { saved: restored.saved } : {}),
  })

  const looksAhead = selector.nextCases > 0

  function write(incoming: CaseWrite, plan: PlanVector | null, later: readonly PlanVector[]): void {
    const cases = creditedCases(incoming).flatMap((id) => pool.find(id) ?? [])
    const { environment, runId, reward } = incoming.case
    const index = pool.size
    // M' is the bank as it was while the task was worked on: its own case is written when it is over.
    const near = (state: Traits): number[] =>
      looksAhead ? pool.nearest(state, environment, selector.nextCases).map((each) => each.case.index) : []
    const texts = laterStates(incoming)
    const following = later.map((each, i) => near(laterTraits(texts[i] ?? '', incoming, vectorOf(each))))
    const goesOn = backlog[0] !== undefined && runs.get(backlog[0].state) === runId
    const first = goesOn ? near(stateOf(incoming)) : []
    const places = admit(incoming, plan, later)
    const completed = backlog.map((each) => ({
      ...each,
      next: goesOn ? { state: places[0] ?? 0, cases: first } : null,
    }))
    const transitions = transitionsAlong(
      places,
      following,
      cases.map((knownCase) => knownCase.index),
      reward,
    )
    backlog = selector.acrossTasks && looksAhead ? transitions.filter(({ next }) => next === null) : []
    const whole = backlog.length > 0 ? transitions.filter(({ next }) => next !== null) : transitions
    selector.learn([...completed, ...whole], createRng(`${key}/write ${index}`))
  }

  async function takeIn(writes: readonly CaseWrite[], stop?: AbortSignal): Promise<void> {
    const read = await embedWrites(
      writes,
      { ...options, plans: selector.readsPlans, later: looksAhead },
      stop,
    )
    for (const { incoming, plan, later } of read) write(incoming, plan, later)
  }

  const save = (): Checkpoint => {
    const plans = Array.from({ length: pool.size }, (_, i) => pool.at(i).plan).filter((plan) => plan !== null)
    const saved: Saved = {
      ...selector.save(),
      waiting: rowsOf(backlog),
      ...(selector.readsPlans && plansToRows(plans, dimension)),
      ...(steps.length > 0 && plansToRows(steps, dimension, 'state')),
    }
    return { key, writes: pool.size, lastCase: pool.size > 0 ? pool.at(pool.size - 1).id : '', saved }
  }

  const serial = createSerial()
  return {
    catchUp: (stop) =>
      serial(async () => {
        let fresh: CaseWrite[] = []
        for await (const incoming of bank.writes(pool.size)) {
          stop?.throwIfAborted()
          fresh.push(incoming)
          if (fresh.length < WRITES_AT_ONCE) continue
          await takeIn(fresh, stop)
          fresh = []
        }
        await takeIn(fresh, stop)
        if (pool.size - checkpointed < CHECKPOINT_EVERY) return
        await bank.artifacts.replace(options.artifact, encodeCheckpoint(save()))
        checkpointed = pool.size
      }),
    get writes() {
      return pool.size
    },
    draws: selector.alpha > 0,
    rank(state, environment, rng, always) {
      const near = pool.nearest(state, environment, options.candidates, always)
      const allowed = ofTasks(near, attemptOf, state.text, options.sameTask ?? EVERY_ATTEMPT)
      const estimateOf = selector.estimator(state)
      const ranked = allowed.map((each) => rankedBy(each, estimateOf(each.case)))
      const order = drawOrder(
        ranked.map(({ score }) => score),
        selector.alpha,
        rng,
      )
      return order.map((at) => ranked[at] as RankedCase)
    },
    save,
  }
}

/** The checkpoint, when it was made by the same learner from the same journal. A damaged one is left aside: the journal has it all. */
async function restore({ bank, key, artifact }: LearnerOptions): Promise<Checkpoint | null> {
  const bytes = await bank.artifacts.read(artifact)
  if (!bytes) return null
  try {
    const checkpoint = decodeCheckpoint(bytes)
    if (checkpoint.key !== key) return null
    for await (const { case: output } of bank.writes(checkpoint.writes - 1)) {
      return output.id === checkpoint.lastCase ? checkpoint : null
    }
    return null
  } catch (error) {
    if (error instanceof LoamError && error.code === 'DATA_CORRUPT') return null
    throw error
  }
}
