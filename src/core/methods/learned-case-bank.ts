import { hash32, createRng } from '../random'
import { canonicalJson } from '../canonical-json'
import { deepSelector } from '../memory/cases/deep-q'
import { episodicSelector } from '../memory/cases/episodic'
import { openLearner, type CaseLearner } from '../memory/cases/learner'
import { parametricSelector } from '../memory/cases/parametric'
import { traitsOf } from '../memory/cases/relations'
import type { CaseSelector, SelectorInput } from '../memory/cases/selector'
import { tabularSelector } from '../memory/cases/tabular-q'
import type { MethodInfo } from '../../shared/domain/run'
import type { CaseBank } from '../ports'
import { caseBank, casePart } from './case-bank'
import { NOTHING_RECALLED, type Method, type MethodContext, type RecalledPart } from './method'
import { settingsOf } from './settings'

type Id = 'case-bank-q' | 'case-bank-softq' | 'case-bank-nec'

/** How a method's selector is made from its settings. */
type Create = (context: MethodContext) => (input: SelectorInput) => CaseSelector

const learners = new WeakMap<CaseBank, Map<string, Promise<CaseLearner>>>()

/** The learner of a method in a space; runs with other settings, another seed or another encoder have one of their own. */
function learnerOf(
  id: Id,
  create: Create,
  context: MethodContext,
  signal?: AbortSignal,
): Promise<CaseLearner> {
  const { bank, embedder, seed } = context
  const settings = settingsOf(id, context.settings)
  const key = canonicalJson({
    id,
    version: 1,
    settings,
    seed,
    embedder: embedder.id,
    dimension: embedder.dimension,
  })
  const known = learners.get(bank) ?? new Map<string, Promise<CaseLearner>>()
  learners.set(bank, known)
  const opened =
    known.get(key) ??
    openLearner(
      {
        bank,
        dimension: embedder.dimension,
        key,
        artifact: `${id}-${hash32(key).toString(16).padStart(8, '0')}`,
        create: create(context),
        candidates: settings.candidates,
      },
      signal,
    )
  known.set(key, opened)
  opened.catch(() => known.delete(key))
  return opened
}

/** Recalls with a learned case selector and keeps what `case-bank` keeps; the selector learns from the journal. */
function learnedCaseBank(
  info: Omit<MethodInfo, 'id' | 'usesK' | 'defaultK'> & { id: Id },
  create: Create,
): Method {
  return {
    info: { ...info, usesK: true, defaultK: 4 },
    async recall({ task, context: shown, signal }, context) {
      if (context.k === 0) return NOTHING_RECALLED
      const learner = await learnerOf(info.id, create, context, signal)
      await learner.catchUp(signal)
      const [vector] = await context.embedder.embed([task.instruction], signal ? { signal } : {})
      if (!vector) return NOTHING_RECALLED
      const rng = createRng(`${context.seed}/${task.index}/recall`)
      const chosen: { readonly part: RecalledPart; readonly score: number }[] = []
      for (const ranked of learner.rank(traitsOf(task.instruction, shown, vector), task.environment, rng)) {
        if (chosen.length === context.k) break
        const found = await context.bank.get(ranked.id)
        if (!found || found.deletedAt !== null) continue
        const { score, similarity, value, weight } = ranked
        const blend = { similarity, value, weight }
        chosen.push({ score, part: casePart(found, { score, scoreKind: 'q', blend }) })
      }
      // The best stands last, next to the task.
      chosen.sort((a, b) => a.score - b.score)
      return { ...NOTHING_RECALLED, retrieved: chosen.map(({ part }) => part) }
    },
    learn: caseBank.learn,
  }
}

/** Memento's parametric case memory (eq. 15, 16). */
export const caseBankQ = learnedCaseBank(
  {
    id: 'case-bank-q',
    title: 'Case bank that learns what helps',
    description: 'Learns from every attempt which kept cases help with which tasks, and recalls those.',
    source: 'Memento, parametric case memory (eq. 15 and 16), K = 4',
  },
  (context) => (input) => parametricSelector(input, settingsOf('case-bank-q', context.settings)),
)

/** Memento's soft Q-learning (eq. 7, 8, 24), with a network or a table. */
export const caseBankSoftQ = learnedCaseBank(
  {
    id: 'case-bank-softq',
    title: 'Case bank with soft Q-learning',
    description: 'Learns the worth of cases and draws among the good ones, so that it keeps trying others.',
    source: 'Memento, soft Q-learning (eq. 7 and 8, table 7), K = 4',
  },
  (context) => (input) => {
    const settings = settingsOf('case-bank-softq', context.settings)
    return settings.form === 'deep' ? deepSelector(input, settings) : tabularSelector(input, settings)
  },
)

/** Memento's neural episodic control (eq. 9 to 11, algorithm 1). */
export const caseBankNec = learnedCaseBank(
  {
    id: 'case-bank-nec',
    title: 'Case bank with episodic control',
    description: 'Remembers what each case led to and expects the same of it in similar tasks.',
    source: 'Memento, neural episodic control (eq. 9 to 11, algorithm 1), K = 4',
  },
  (context) => (input) => episodicSelector(input, settingsOf('case-bank-nec', context.settings)),
)
