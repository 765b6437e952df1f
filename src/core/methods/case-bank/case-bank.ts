import { ofTasks } from '../../memory/cases/same-task'
import { caseParts, keepCase } from '../../memory/cases/recalled-case'
import type { ScoredCase } from '../../../shared/domain/case'
import type { MemoryStore, CaseFilter } from '../../ground/ports'
import { NOTHING_RECALLED, type Method, type MethodContext, type RecallInput } from '../../ground/method'
import { readSettings } from '../../ground/settings'
import { fuseRankings } from '../../retrieval/fuse-rankings'
import { PAPER } from './paper'
import { SETTINGS } from './settings'

/** How much further than K a ranking is read before it is fused with another, or attempts at tasks already found are left out. */
const DEPTH = 4

const SCORE_KINDS = { semantic: 'cosine', text: 'bm25', hybrid: 'hybrid' } as const

async function find({ task, signal }: RecallInput, context: MethodContext): Promise<ScoredCase[]> {
  const { bank, embedder, k } = context
  const { retrieval, solved, failed, ...sameTask } = readSettings(SETTINGS, context.settings)
  if (!solved && !failed) return []
  const filter: CaseFilter = {
    environment: task.environment,
    ...(solved && failed ? {} : { reward: solved ? 1 : 0 }),
  }
  const byText = (depth: number): ReturnType<MemoryStore['search']> =>
    bank.search(task.instruction, depth, filter)
  const byMeaning = async (depth: number): Promise<ScoredCase[]> => {
    const [vector] = await embedder.embed([task.instruction], { signal })
    return vector ? bank.nearest(vector, depth, filter) : []
  }
  const everyAttempt = sameTask.perTask === 'all' && sameTask.ownTask
  const depth = retrieval === 'hybrid' || !everyAttempt ? k * DEPTH : k
  const match = {
    semantic: () => byMeaning(depth),
    text: () => byText(depth),
    hybrid: async () => fuseRankings([await byMeaning(depth), await byText(depth)]),
  }
  return ofTasks(await match[retrieval](), attemptOf, task.instruction, sameTask).slice(0, k)
}

const attemptOf = ({ case: { state, reward, createdAt } }: ScoredCase) => ({ state, reward, at: createdAt })

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
