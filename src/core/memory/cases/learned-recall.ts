import { hash32, createRng } from '../../ground/random'
import { canonicalJson } from '../../ground/canonical-json'
import {
  NOTHING_RECALLED,
  type CaseLearnerSpec,
  type Method,
  type MethodContext,
  type PromptParts,
  type RecallInput,
} from '../../ground/method'
import type { MemoryStore } from '../../ground/ports'
import { readSettings, type SettingGroup } from '../../ground/settings'
import type { PaperNotes } from '../../ground/paper-notes'
import type { CaseRecord } from '../../../shared/domain/case'
import type { MethodWords } from '../../../shared/domain/method'
import type { SettingChanges } from '../../../shared/domain/setting'
import { openLearner, type CaseLearner, type LearnerOptions, type RankedCase } from './learner'
import { caseParts, keepCase } from './recalled-case'
import { traitsOf } from './relations'
import type { SameTask } from './same-task'
import type { CaseSelector, SelectorInput } from './selector'

/** What a learner follows and what it depends on. */
export type LearnerContext = Pick<MethodContext, 'embedder' | 'seed' | 'settings'> & {
  readonly bank: Pick<MemoryStore, 'writes' | 'artifacts' | 'curation'>
}

/** How a method's learner of a memory is opened. A correction changes what is learned from, and so the key, but not the artifact. */
export function learnerOptions(
  spec: CaseLearnerSpec,
  { bank, embedder, seed, settings: input }: LearnerContext,
): LearnerOptions {
  const { id } = spec
  const settings = readSettings(spec.settings, input)
  const { lastCorrection } = bank.curation
  const parts = { id, version: 4, settings, seed, embedder: embedder.id, dimension: embedder.dimension }
  return {
    bank,
    dimension: embedder.dimension,
    embed: (texts, how) => embedder.embed(texts, how),
    key: canonicalJson({ ...parts, ...(lastCorrection !== null && { corrected: lastCorrection }) }),
    artifact: `${id}-${hash32(canonicalJson(parts)).toString(16).padStart(8, '0')}`,
    create: spec.create(input),
    candidates: spec.candidates(input),
    sameTask: spec.sameTask(input),
  }
}

type Opened = { readonly key: string; readonly learner: Promise<CaseLearner> }
const learners = new WeakMap<LearnerContext['bank'], Map<string, Opened>>()

/** The learner of a method in a memory; runs with other settings, another seed or another encoder have one of their own. */
export function learnerOf(
  spec: CaseLearnerSpec,
  context: LearnerContext,
  signal?: AbortSignal,
): Promise<CaseLearner> {
  const options = learnerOptions(spec, context)
  const knownMap = learners.get(context.bank) ?? new Map<string, Opened>()
  learners.set(context.bank, knownMap)
  const before = knownMap.get(options.artifact)
  if (before?.key === options.key) return before.learner
  const handle: Opened = { key: options.key, learner: openLearner(options, signal) }
  knownMap.set(options.artifact, handle)
  handle.learner.catch(() => {
    if (knownMap.get(options.artifact) === handle) knownMap.delete(options.artifact)
  })
  return handle.learner
}

/** Those that are to be recalled whatever they score. */
export const pinnedIn = ({ marks }: MemoryStore['curation']): ReadonlySet<string> =>
  new Set([...marks].flatMap(([id, mark]) => (mark === 'pinned' ? [id] : [])))

/** The first k of a ranking that may be recalled: pinned ones before all others, the best of them first; muted and deleted ones never. */
export async function chooseCases(
  ranking: readonly RankedCase[],
  k: number,
  { get, curation }: Pick<MemoryStore, 'get' | 'curation'>,
): Promise<{ readonly ranked: RankedCase; readonly record: CaseRecord }[]> {
  const markOf = ({ id }: RankedCase) => curation.marks.get(id)
  const pinned = ranking.filter((each) => markOf(each) === 'pinned').sort((a, b) => b.score - a.score)
  const choices: { readonly ranked: RankedCase; readonly record: CaseRecord }[] = []
  for (const ranked of [...pinned, ...ranking.filter((each) => markOf(each) === undefined)]) {
    if (choices.length === k) break
    const record = await get(ranked.id)
    if (record && record.deletedAt === null) choices.push({ ranked, record })
  }
  return choices
}

/** The K cases that a learner recalls for a task, the best one last, next to the task; pinned ones count as the best. */
async function recallLearned(
  spec: CaseLearnerSpec,
  input: RecallInput,
  context: MethodContext,
): Promise<PromptParts> {
  const { task, context: label, signal } = input
  if (context.k === 0) return NOTHING_RECALLED
  const { bank } = context
  const learner = await learnerOf(spec, context, signal)
  await learner.catchUp(signal)
  const [vector] = await context.embedder.embed([task.instruction], { signal })
  if (!vector) return NOTHING_RECALLED
  const rng = createRng(`${context.seed}/${task.index}/recall`)
  const state = traitsOf(task.instruction, label, vector)
  const ranking = learner.rank(state, task.environment, rng, pinnedIn(bank.curation))
  const choices = await chooseCases(ranking, context.k, bank)
  const isPinned = (record: CaseRecord): number => (record.mark === 'pinned' ? 1 : 0)
  choices.sort((a, b) => isPinned(a.record) - isPinned(b.record) || a.ranked.score - b.ranked.score)
  const explained = choices.map(({ record, ranked: { score, similarity, value, weight } }) => ({
    record,
    why: { score, scoreKind: 'q', blend: { similarity, value, weight } },
  }))
  return { ...NOTHING_RECALLED, retrieved: await caseParts(explained, input, bank) }
}

/** A learner as its method declares it. */
interface LearnerOf<Settings> extends Pick<CaseLearnerSpec, 'title' | 'detail'> {
  read(changes: SettingChanges): Settings
  select(input: SelectorInput, settings: NoInfer<Settings>): CaseSelector
}

/** The learner of a method with these settings. */
export const caseLearner = <Settings extends SameTask & { readonly candidates: number }>(
  settings: SettingGroup,
  { title, detail, read, select }: LearnerOf<Settings>,
): CaseLearnerSpec => ({
  ...{ id: settings.id, title, detail, settings },
  candidates: (changes) => read(changes).candidates,
  sameTask: read,
  create: (changes) => (input) => select(input, read(changes)),
})

/** A method that recalls with a learner and keeps every attempt as a case; the learner follows the journal. */
export const learnedCaseBank = (
  words: Pick<MethodWords, 'title' | 'description' | 'source' | 'colour' | 'everyday'>,
  learner: CaseLearnerSpec,
  paper: PaperNotes,
): Method => ({
  info: {
    ...words,
    id: learner.id,
    usesK: true,
    defaultK: 4,
    keeps: ['case'],
    recalls: [
      { kind: 'case', what: 'the K that helped most in similar tasks, the best one last', place: 'task' },
    ],
  },
  settings: learner.settings,
  paper,
  learner,
  recall: (input, context) => recallLearned(learner, input, context),
  learn: keepCase,
})
