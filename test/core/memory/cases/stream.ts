import { createRng, type Rng } from '../../../../src/core/ground/random'
import { deepSelector } from '../../../../src/core/memory/cases/deep-q'
import { episodicSelector } from '../../../../src/core/memory/cases/episodic'
import { openLearner, type LearnerOptions } from '../../../../src/core/memory/cases/learner'
import { parametricSelector } from '../../../../src/core/memory/cases/parametric'
import { traitsOf } from '../../../../src/core/memory/cases/relations'
import type { CaseSelector } from '../../../../src/core/memory/cases/selector'
import { tabularSelector } from '../../../../src/core/memory/cases/tabular-q'
import { lexicalEmbedder, lexicalVector } from '../../../../src/core/retrieval/lexical-embedder'
import type { CaseWrite, Embedder } from '../../../../src/core/ground/ports'
import { defaultsOf } from '../../../../src/core/ground/settings'
import { SETTINGS as NEC } from '../../../../src/core/methods/case-bank-nec/settings'
import { SETTINGS as Q } from '../../../../src/core/methods/case-bank-q/settings'
import { SETTINGS as SOFT_Q } from '../../../../src/core/methods/case-bank-softq/settings'
import { caseOf, trajectoryOf } from '../../../main/memory-store/fixtures'

const [q, soft, nec] = [defaultsOf(Q), defaultsOf(SOFT_Q), defaultsOf(NEC)]

/** Memento's non-parametric memory (eq. 12 and 13): similarity alone. */
export const similaritySelector: CaseSelector = {
  alpha: 0,
  nextCases: 0,
  acrossTasks: false,
  readsPlans: false,
  estimator: () => () => ({ value: 0, weight: 0 }),
  learn: () => undefined,
  save: () => ({}),
}

/** All of table 7. */
export const MECHANISMS: Readonly<Record<string, LearnerOptions['create']>> = {
  'non-parametric': () => similaritySelector,
  parametric: (input) => parametricSelector(input, q),
  'parametric, relations alone': (input) => parametricSelector(input, { ...q, embedding: false }),
  'soft Q, network': (input) => deepSelector(input, soft),
  'deep Q': (input) => deepSelector(input, { ...soft, alpha: 0 }),
  'soft Q, table': (input) => tabularSelector(input, soft),
  'episodic control': (input) => episodicSelector(input, nec),
}

/** The same where Q is trusted at once, as in the paper. */
export const AT_ONCE: Readonly<Record<string, LearnerOptions['create']>> = {
  parametric: (input) => parametricSelector(input, { ...q, coldStart: 0 }),
  'soft Q, network': (input) => deepSelector(input, { ...soft, coldStart: 0 }),
  'soft Q, table': (input) => tabularSelector(input, { ...soft, coldStart: 0 }),
  'episodic control': (input) => episodicSelector(input, { ...nec, coldStart: 0 }),
}

/** Cases in memory, as a memory would hand them out. */
export function memoryHistory(writes: CaseWrite[] = [], files = new Map<string, Uint8Array>()) {
  const bank: LearnerOptions['bank'] = {
    async *writes(from) {
      yield* writes.slice(from)
    },
    artifacts: {
      read: (name) => Promise.resolve(files.get(name) ?? null),
      replace: (name, bytes) => {
        files.set(name, bytes)
        return Promise.resolve()
      },
    },
  }
  return { bank, writes, files }
}

export const learnerOptions = (
  bank: LearnerOptions['bank'],
  create: LearnerOptions['create'],
  key = 'test',
  { dimension, embed }: Pick<Embedder, 'dimension' | 'embed'> = lexicalEmbedder,
): LearnerOptions => ({
  bank,
  create,
  key,
  dimension,
  embed: (texts, how) => embed(texts, how),
  artifact: 'test',
  candidates: 512,
})

const PLACES = ['Harbor', 'Linden', 'Raven']
const THINGS = ['visits', 'courses', 'bookings', 'orders']
const PEOPLE = ['Kai', 'Dina', 'Pia', 'Quinn', 'Sven', 'Rosa', 'Ben', 'Lena']
const PHRASES = [
  'How many {t} does {w} have?',
  'Count the {t} of {w}.',
  'Delete all {t} of {w}.',
  'Add up the {t} of {w}.',
]

export interface PlayedStream {
  /** Share of recalled cases from the right place, over the last third of the tasks. */
  readonly rightPlace: number
  /** Share solved of the last third. */
  readonly lastRate: number
}

/**
 * Plays a stream in which a case helps when it comes from the same place and is about the same thing, and cases from elsewhere mislead:
 * an attempt is solved with probability 0.3, plus 0.2 per helpful case among the K recalled, minus 0.1 per case from another place.
 */
export async function playStream(
  create: LearnerOptions['create'],
  seed: number,
  tasks = 240,
  history = memoryHistory(),
  k = 4,
): Promise<PlayedStream> {
  const learner = await openLearner(learnerOptions(history.bank, create, `test ${seed}`))
  const rng = createRng(`stream ${seed}`)
  const drawn: { place: string; thing: string }[] = []
  let right = 0
  let shown = 0
  let solved = 0
  const late = Math.floor((tasks * 2) / 3)
  for (let n = 0; n < tasks; n++) {
    await learner.catchUp()
    const place = rng.pick(PLACES)
    const thing = rng.pick(THINGS)
    const state = `${place}: ${rng.pick(PHRASES).replace('{t}', thing).replace('{w}', rng.pick(PEOPLE))}`
    const context = `Table ${thing}(${thing}_id INT, person TEXT)`
    const vector = lexicalVector(state)
    const recalled = learner
      .rank(traitsOf(state, context, vector), 'lab-db', createRng(`${seed} ${n}`))
      .slice(0, k)
    const from = recalled.map(({ id }) => drawn[Number(id)])
    const helpful = from.filter((each) => each?.place === place && each.thing === thing).length
    const wrong = from.filter((each) => each?.place !== place).length
    const reward = rng.chance(0.3 + 0.2 * helpful - 0.1 * wrong) ? 1 : 0
    if (n >= late) {
      solved += reward
      shown += recalled.length
      right += recalled.length - wrong
    }
    drawn.push({ place, thing })
    history.writes.push(
      writeOf(
        n,
        state,
        context,
        vector,
        recalled.map(({ id }) => id),
        reward,
      ),
    )
  }
  return { rightPlace: right / shown, lastRate: solved / (tasks - late) }
}

/** What was done in a case of `playPlans`; `{t}` and `{w}` are the task's. */
const WAYS = {
  careful: [
    '1. Read the schema of {t}. 2. Select the rows of {w}. 3. Check the number against the table.',
    '1. Look up which columns {t} has. 2. Query them for {w}. 3. Verify the result before answering.',
    '1. Describe {t} first. 2. Filter by {w} and verify with a second query.',
  ],
  hasty: [
    '1. Guess the number for {w} from the question.',
    '1. Answer at once without a query about {t}.',
    '1. Assume that {t} has a column for {w} and answer from memory.',
  ],
} as const

/**
 * Plays a stream in which what was done in a case decides its worth, and neither its task nor its own reward tells: an attempt is solved
 * with probability 0.1, plus 0.8 times the share of recalled cases that were done carefully. Answers the share of tasks after the first
 * `learning` whose first case was a careful one.
 */
export async function playPlans(
  create: LearnerOptions['create'],
  seed: number,
  { learning = 200, tested = 100, k = 4, embedder = lexicalEmbedder as Embedder } = {},
): Promise<number> {
  const history = memoryHistory()
  const learner = await openLearner(learnerOptions(history.bank, create, `plans ${seed}`, embedder))
  const rng = createRng(`plans ${seed}`)
  const careful: boolean[] = []
  let useful = 0
  for (let n = 0; n < learning + tested; n++) {
    await learner.catchUp()
    const words = { t: rng.pick(THINGS), w: rng.pick(PEOPLE) }
    const inWords = (text: string) => text.replace('{t}', words.t).replace('{w}', words.w)
    const state = `${rng.pick(PLACES)}: ${inWords(rng.pick(PHRASES))}`
    const [vector = new Float32Array(embedder.dimension)] = await embedder.embed([state])
    const recalled = learner
      .rank(traitsOf(state, '', vector), 'lab-db', createRng(`${seed} ${n}`))
      .slice(0, k)
    const good = recalled.filter(({ id }) => careful[Number(id)]).length
    if (n >= learning && careful[Number(recalled[0]?.id)]) useful++
    const solved = rng.chance(0.1 + (recalled.length > 0 ? (0.8 * good) / recalled.length : 0.4)) ? 1 : 0
    const way = rng.pick(['careful', 'hasty'] as const)
    careful.push(way === 'careful')
    const write = writeOf(
      n,
      state,
      '',
      vector,
      recalled.map(({ id }) => id),
      solved,
    )
    history.writes.push({ ...write, case: { ...write.case, plan: inWords(rng.pick(WAYS[way])) } })
  }
  return useful / tested
}

/** A write whose attempt had recalled these cases. */
export function writeOf(
  n: number,
  state: string,
  context: string,
  vector: Float32Array,
  recalled: readonly string[],
  reward: 0 | 1,
  runId = 'r1',
): CaseWrite {
  const base = trajectoryOf(`t-${n}`)
  const usage = base.usage
  return {
    vector,
    case: caseOf(String(n), state, { reward, runId }),
    attempt: {
      ...base,
      runId,
      reward,
      task: { ...base.task, instruction: state, context },
      rounds: [
        { index: 0, completion: 'x', action: { kind: 'answer', content: 'x' }, observation: null, usage },
      ],
      recalled: recalled.map((id) => ({
        kind: 'case',
        id,
        trajectoryId: `t-${id}`,
        title: '',
        score: 0,
        scoreKind: 'q',
        reward: 1,
        tokens: 1,
      })),
    },
  }
}

/** A history with random states and random recalls, of two runs. */
export function randomHistory(count: number, seed = 'history', rng: Rng = createRng(seed)): CaseWrite[] {
  return Array.from({ length: count }, (_, n) => {
    const thing = rng.pick(THINGS)
    const state = `${rng.pick(PLACES)}: ${rng.pick(PHRASES).replace('{t}', thing).replace('{w}', rng.pick(PEOPLE))}`
    const recalled = rng.sample(
      Array.from({ length: n }, (_each, i) => String(i)),
      4,
    )
    const run = n < count / 2 ? 'r1' : 'r2'
    return writeOf(
      n,
      state,
      `Table ${thing}(id INT)`,
      lexicalVector(state),
      recalled,
      rng.chance(0.6) ? 1 : 0,
      run,
    )
  })
}
