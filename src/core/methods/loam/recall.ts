import { createRng } from '../../ground/random'
import type { Method, MethodContext, PromptParts, RecalledPart, RecallInput } from '../../ground/method'
import { readSettings, type SettingsOf } from '../../ground/settings'
import { MEMORY_KINDS } from '../../memory'
import { CASE_KIND } from '../../memory/cases/kind'
import { caseParts } from '../../memory/cases/recalled-case'
import type { MemoryKindModule } from '../../memory/items/kind'
import { gatherCandidates, type Candidate, type Still } from '../../recall/candidates'
import { choose, type Choice, type Valued } from '../../recall/choose'
import { FEATURE_GROUPS, prepare, type FeatureGroup } from '../../recall/features'
import { beliefsOf } from '../../recall/belief-fold'
import { itemKey, policyOf, type PolicyContext, type RecallPolicy } from '../../recall/policy'
import { withOneInDoubt } from '../../recall/verify'
import { placeOf } from '../../recall/acts'
import { vectorsOf } from '../../retrieval/rank'
import { termsOf, TERM_WEIGHTS } from '../../retrieval/terms'
import { refusalParts } from '../../recall/with-beliefs'
import { needsOf, provenCandidates, readItem, worthOf, sayingsOf } from './belief-candidates'
import { SETTINGS } from './settings'
import { placeWords } from '../../../shared/domain/files'
import { PASSAGE_KIND, passageText } from '../../memory/passages/passage'

type Settings = SettingsOf<typeof SETTINGS>

/** What the policy of a context's memory follows. */
export const policyContext = ({ bank, embedder, settings }: MethodContext): PolicyContext => ({
  bank,
  embedder,
  settings: { drift: readSettings(SETTINGS, settings).drift },
})

/** Names of the features that are left out. */
const featuresOff = (settings: Settings): ReadonlySet<string> =>
  new Set(
    (Object.keys(FEATURE_GROUPS) as FeatureGroup[]).flatMap((group) =>
      settings[group] ? [] : [...FEATURE_GROUPS[group]],
    ),
  )

/** Kinds whose items are candidates: by where they stand in a prompt. */
function kindsOf({ cases, lessons, documents }: Settings): ReadonlySet<string> {
  const kinds: readonly MemoryKindModule[] = MEMORY_KINDS
  return new Set(
    kinds
      .filter(({ info: { id }, shownAs = 'lesson' }) =>
        shownAs === 'apart' ? false : id === CASE_KIND ? cases : shownAs === 'document' ? documents : lessons,
      )
      .map(({ info: { id } }) => id),
  )
}

/** Chooses what to recall for a task: candidates of every kind, valued together, under one budget. */
export async function recallByPolicy(
  input: Parameters<Method['recall']>[0],
  context: MethodContext,
): Promise<PromptParts> {
  const { task, world, signal } = input
  const { bank, embedder, seed } = context
  const settings = readSettings(SETTINGS, context.settings)
  const policy = await policyOf(policyContext(context), signal)
  await policy.catchUp(signal)
  const [vector = new Float32Array()] = await vectorsOf(embedder, [task.instruction], signal)
  const beliefs = await beliefsOf(bank, signal)
  const needs = needsOf(input, beliefs)
  const doubtedSince = policy.doubtedSince(placeOf(world))
  const read = (item: Still) => {
    const sayings = readItem(item, beliefs, doubtedSince)
    return { sayings, worth: worthOf(sayings, needs) }
  }
  const candidates = [
    ...(await gatherCandidates(input, read, vector, bank, embedder, kindsOf(settings), signal)),
    ...(settings.beliefs
      ? await provenCandidates(input, beliefs, needs, vector, embedder, doubtedSince)
      : []),
    ...(settings.files ? await passageCandidates(input, context, settings.passages, vector) : []),
  ]
  const refusals = settings.beliefs ? refusalParts(input, context, beliefs, settings.budget / 2) : []
  const solved = policy.cases.reduce((sum, { case: one }) => sum + one.reward, 0)
  const view = {
    needs,
    terms: new Map(termsOf(task.instruction).map(({ term, kind }) => [term, TERM_WEIGHTS[kind]] as const)),
    vector,
    place: placeOf(world),
    environment: task.environment,
    base: (solved + 1) / (policy.cases.length + 2),
    times: policy.cases.map(({ case: one }) => one.createdAt),
  }
  const off = featuresOff(settings)
  const prepared = prepare(candidates, view, policy, off)
  const choice = choose(settings.verify ? withOneInDoubt(prepared) : prepared, policy.model, {
    ...{ budget: settings.budget, price: settings.price, most: settings.items, attempts: context.k, off },
    explore: { rng: createRng(`${seed}/${task.index}/recall`), scale: settings.explore },
  })
  const softPrompt = input.softPrompt && {
    key: itemKey('soft-prompt', input.softPrompt.id),
    features: { item: 1, 'kind:soft-prompt': 1 },
  }
  const parts = await asParts(choice, input, context, policy)
  return {
    ...parts,
    errorLessons: [...refusals, ...parts.errorLessons],
    choice: getNotice(choice, policy, settings.budget, candidates.length),
    ...(softPrompt && {
      softPrompt: settings.softPrompt && policy.model.effect(softPrompt.key).mean > WORST_SOFT_PROMPT,
    }),
  }
}

/** A soft prompt is served as long as its effect is not clearly bad, in log-odds. */
const WORST_SOFT_PROMPT = -0.7

const round = (x: number): number => Math.round(x * 1000) / 1000
const rounded = (parts: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(parts).map(([name, x]) => [name, round(x)]))

function getNotice(
  { chosen, runnersUp }: Choice,
  { model }: RecallPolicy,
  budget: number,
  candidates: number,
): NonNullable<PromptParts['choice']> {
  const shownOf = ({ prepared: { key }, features }: Valued) => ({ key, features })
  return {
    budget,
    tokens: chosen.reduce((sum, { prepared }) => sum + prepared.candidate.tokens, 0),
    candidates,
    without: round(model.predict([])),
    expected: round(model.predict(chosen.map(shownOf))),
    runnersUp: runnersUp.map((one) => {
      const { kind, id, title, tokens } = one.prepared.candidate
      const parts = rounded(model.parts(shownOf(one)))
      return { kind, id, title: title.slice(0, 200), value: round(one.value), tokens, parts }
    }),
  }
}

/** The chosen items where each kind stands in a prompt, the best of each last. */
async function asParts(
  { chosen }: Choice,
  input: Parameters<Method['recall']>[0],
  { bank }: MethodContext,
  { model }: RecallPolicy,
): Promise<PromptParts> {
  const partOf = async ({ prepared: { candidate, key }, features, value }: Valued): Promise<RecalledPart> => {
    const why = { features: { ...features }, parts: rounded(model.parts({ key, features })) }
    const how = { score: round(value), scoreKind: 'value' } as const
    if (candidate.kind === CASE_KIND) {
      const record = await bank.get(candidate.id)
      const [part] = record ? await caseParts([{ record, why: how }], input, bank) : []
      if (part) return { ...part, item: { ...part.item, why } }
    }
    const { kind, id, trajectoryId, title, reward, text, pinned } = candidate
    return {
      text,
      item: { kind, id, trajectoryId, title, ...how, reward, why, ...(pinned && { pinned: true as const }) },
    }
  }
  const placed = await Promise.all(
    chosen
      .toReversed()
      .map(async (one) => ({ place: one.prepared.candidate.place, part: await partOf(one) })),
  )
  const at = (place: Candidate['place']): RecalledPart[] =>
    placed.filter((one) => one.place === place).map(({ part }) => part)
  return {
    documents: at('document'),
    errorLessons: at('mistake'),
    successLessons: at('advice'),
    retrieved: at('attempt'),
  }
}

/** Characters of a token: rather few, so that an estimate is rather too high. */
const CHARACTERS_PER_TOKEN = 3.5

/** The at most `most` passages of own files that fit a task best, as candidates. */
async function passageCandidates(
  { task, signal }: RecallInput,
  { bank }: Pick<MethodContext, 'bank'>,
  most: number,
  vector: Float32Array,
): Promise<Candidate[]> {
  const passages = await bank.passages.search(task.instruction, most, { signal })
  return passages.map(({ passage, score, cosine, ...hit }) => {
    const text = passageText(passage)
    return {
      kind: PASSAGE_KIND,
      id: passage.id,
      title: placeWords(passage),
      text,
      trajectoryId: null,
      reward: null,
      environment: task.environment,
      createdAt: passage.createdAt,
      origin: { from: 'person', by: null },
      pinned: hit.pinned,
      byPerson: true,
      vector,
      terms: new Map(termsOf(text).map(({ term, kind }) => [term, TERM_WEIGHTS[kind]])),
      sayings: sayingsOf(text, true),
      judged: 0,
      helped: 0,
      place: 'document',
      tokens: Math.ceil(text.length / CHARACTERS_PER_TOKEN),
      meaning: cosine ?? score,
    }
  })
}
