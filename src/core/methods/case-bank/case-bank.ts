import { ofTasks } from '../../memory/cases/same-task'
import { caseParts, keepCase } from '../../memory/cases/recalled-case'
import type { CaseFilter, FusedCase, MemoryStore } from '../../ground/ports'
import { NOTHING_RECALLED, type Method, type MethodContext, type RecallInput } from '../../ground/method'
import { readSettings } from '../../ground/settings'
import { withPlacesForMeaning } from '../../retrieval/fuse'
import { PAPER } from './paper'
import { SETTINGS } from './settings'

/** How much further than K is looked where words and meaning are added up, or attempts at tasks already found are left out. */
const DEPTH = 4

const SCORE_KINDS = { semantic: 'cosine', text: 'bm25', hybrid: 'hybrid' } as const

async function find({ task, signal }: RecallInput, context: MethodContext): Promise<Found[]> {
  const { bank, embedder, k } = context
  const { retrieval, solved, failed, ...sameTask } = readSettings(SETTINGS, context.settings)
  if (!solved && !failed) return []
  const filter: CaseFilter = {
    environment: task.environment,
    ...(solved && failed ? {} : { reward: solved ? 1 : 0 }),
  }
  const withVector = async (look: (vector: Float32Array) => Promise<Found[]>): Promise<Found[]> => {
    const [vector] = await embedder.embed([task.instruction], { signal })
    return vector ? look(vector) : []
  }
  const everyAttempt = sameTask.perTask === 'all' && sameTask.ownTask
  const depth = retrieval === 'hybrid' || !everyAttempt ? k * DEPTH : k
  const match = {
    semantic: () => withVector((vector) => bank.nearest(vector, depth, filter)),
    text: () => bank.search(task.instruction, depth, filter),
    hybrid: () => withVector((vector) => bank.find(task.instruction, vector, depth, filter)),
  }
  const ranked = ofTasks(weighed(await match[retrieval]()), attemptOf, task.instruction, sameTask)
  return (retrieval === 'hybrid' ? placed(ranked, k) : ranked).slice(0, k)
}

type Found = Awaited<ReturnType<MemoryStore['search']>>[number] & Partial<FusedCase>

/** What nobody has confirmed counts less; without such cases the order stays as it is. */
const weighed = (cases: readonly Found[]): readonly Found[] =>
  cases.every(({ case: { probation } }) => probation === undefined)
    ? cases
    : cases
        .map((one) => ({ ...one, score: one.score * (one.case.probation ?? 1) }))
        .sort((a, b) => Number(isPinned(b)) - Number(isPinned(a)) || b.score - a.score)

const isPinned = ({ case: { mark } }: Found): boolean => mark === 'pinned'

const placed = (ranked: readonly Found[], k: number): Found[] =>
  withPlacesForMeaning(
    ranked.map((one) => ({ ...one, cosine: one.cosine ?? null })),
    k,
  )

const attemptOf = ({ case: { state, reward, createdAt } }: Found) => ({ state, reward, at: createdAt })

/**
 * Memento's non-parametric case memory (eq. 12, 13): every attempt, solved or failed, is written as a case;
 * the K cases most similar to the new task are read back, best last so that it stands next to the task; pinned ones count as the best.
 * Settings: retrieval by meaning (the paper's), by words (BM25) or by both; solved or failed cases only.
 */
export const caseBank: Method = {
  info: {
    id: 'case-bank',
    title: 'Case bank',
    description: 'Keeps every attempt and recalls the ones most like the new task, failures included.',
    source: 'Memento, non-parametric case memory (eq. 12 and 13), K = 4',
    usesK: true,
    defaultK: 4,
    colour: 2,
    keeps: ['case'],
    recalls: [{ kind: 'case', what: 'the K most like the task, the best one last', place: 'task' }],
    suggested: ['run', 'experiment', 'demo'],
    everyday: 'compared',
  },
  settings: SETTINGS,
  paper: PAPER,
  async recall(input, context) {
    if (context.k === 0) return NOTHING_RECALLED
    const scoreKind = SCORE_KINDS[readSettings(SETTINGS, context.settings).retrieval]
    const bestFirst = await find(input, context)
    const choices = bestFirst
      .toReversed()
      .map(({ case: record, score }) => ({ record, why: { score, scoreKind } }))
    const retrieved = await caseParts(choices, input, context.bank)
    return { errorLessons: [], successLessons: [], retrieved }
  },
  learn: keepCase,
}
