import { addUsage, NO_USAGE } from '../../../shared/domain/trajectory'
import { agentKb } from '../agent-kb/agent-kb'
import { brew } from '../brew/brew'
import { evosc } from '../evosc/evosc'
import { caseBankQ } from '../case-bank-q/case-bank-q'
import {
  NOTHING_LEARNED,
  NOTHING_RECALLED,
  type Learned,
  type Method,
  type MethodContext,
  type Preparation,
  type PromptParts,
  type RecalledPart,
} from '../../ground/method'
import { readSettings } from '../../ground/settings'
import { PASSAGE_KIND } from '../../memory/passages/passage'
import { passageParts } from './passage-parts'
import { SETTINGS } from './settings'

/** The parts as `loam` uses them: cases take the place of EvoSC's recent successes, and experiences are kept as they were. */
const forParts = (context: MethodContext): MethodContext => ({
  ...context,
  settings: {
    ...context.settings,
    evosc: { ...context.settings.evosc, attempts: false },
    'agent-kb': { abstract: false, dedup: false, ...context.settings['agent-kb'], planning: false },
  },
})

/**
 * Keeps what fits into `budget` tokens: whole items, documents before lessons before cases, and of each kind the best ones.
 * Cases and lessons come with the best last, documents with the best first.
 */
export async function fitBudget(
  parts: PromptParts,
  budget: number,
  countTokens: (texts: readonly string[]) => Promise<number[]>,
): Promise<PromptParts> {
  const { documents = [], errorLessons, successLessons, retrieved } = parts
  const ordered = [
    documents,
    [...errorLessons].reverse(),
    [...successLessons].reverse(),
    [...retrieved].reverse(),
  ].flat()
  const counts = await countTokens(ordered.map(({ text }) => text))
  let left = budget
  const kept = new Set<RecalledPart>()
  ordered.forEach((part, i) => {
    const tokens = counts[i] ?? 0
    if (tokens > left) return
    left -= tokens
    kept.add(part)
  })
  const fits = (list: readonly RecalledPart[]): RecalledPart[] => list.filter((part) => kept.has(part))
  return {
    ...parts,
    documents: fits(documents),
    errorLessons: fits(errorLessons),
    successLessons: fits(successLessons),
    retrieved: fits(retrieved),
  }
}

/** Concept documents are searched with documents alone, so no attempt of the run stands in for a rollout. */
const preparation: Preparation = {
  split: (settings, count) =>
    readSettings(SETTINGS, settings).documents ? (brew.prepare?.split(settings, count) ?? 0) : 0,
  again: (settings, count) =>
    readSettings(SETTINGS, settings).documents ? (brew.prepare?.again?.(settings, count) ?? []) : [],
  run(input, context) {
    if (!brew.prepare) throw new Error('Method brew builds nothing.')
    return brew.prepare.run({ ...input, attempted: () => Promise.resolve(null) }, context)
  },
}

/**
 * Everything together under one token budget: EvoSC's soft prompt and lessons, BREW's concept documents, cases by Memento's learned Q,
 * and Agent KB's advice after an error, which its disagreement gate lets through or not. Each part is a setting, so that what it
 * contributes is measured by leaving it out; how each works is set in its own method's settings.
 */
export const loam: Method = {
  info: {
    id: 'loam',
    title: 'Everything together',
    description: 'Documents, lessons, learned cases, a soft prompt and gated advice, under one token budget.',
    source: 'Memento, EvoSC, Agent KB and BREW combined',
    usesK: true,
    defaultK: 4,
    colour: 9,
    keeps: ['lesson', 'soft-prompt', 'document', 'case', 'experience'],
    recalls: [
      { kind: 'soft-prompt', what: 'the one in use in the space or trained by the run', place: 'first' },
      { kind: 'document', what: 'the concept documents most like the task', place: 'system' },
      { kind: PASSAGE_KIND, what: 'passages of own files that fit the task', place: 'system' },
      { kind: 'lesson', what: 'lessons from mistakes and from successes', place: 'task' },
      { kind: 'case', what: 'the K that helped most in similar tasks', place: 'task' },
      {
        kind: 'experience',
        what: 'advice after an error, as far as the gate lets it through',
        place: 'round',
      },
    ],
  },
  settings: SETTINGS,
  softPrompt: {
    serves: (settings) => readSettings(SETTINGS, settings).softPrompt,
    trains: (settings) =>
      readSettings(SETTINGS, settings).softPrompt && (evosc.softPrompt?.trains(settings) ?? false),
  },
  ...(caseBankQ.learner && { learner: caseBankQ.learner }),
  prompts: (environment) => [evosc, brew, agentKb].flatMap((part) => part.prompts?.(environment) ?? []),
  prepare: preparation,
  defaultsFor: (environment) => brew.defaultsFor?.(environment) ?? {},
  async recall(input, given) {
    const context = forParts(given)
    const { lessons, documents, files, passages, cases, budget } = readSettings(SETTINGS, context.settings)
    const fromLessons = lessons ? await evosc.recall(input, context) : NOTHING_RECALLED
    const fromDocuments = documents ? await brew.recall(input, context) : NOTHING_RECALLED
    const fromCases = cases ? await caseBankQ.recall(input, context) : NOTHING_RECALLED
    const all: PromptParts = {
      errorLessons: fromLessons.errorLessons,
      successLessons: fromLessons.successLessons,
      documents: [
        ...(fromDocuments.documents ?? []),
        ...(files ? await passageParts(input, context, passages) : []),
      ],
      retrieved: fromCases.retrieved,
    }
    return fitBudget(all, budget, (texts) =>
      context.model.countTokens(texts, input.signal ? { signal: input.signal } : {}),
    )
  },
  async revise(input, context) {
    if (!readSettings(SETTINGS, context.settings).gate) return null
    return (await agentKb.revise?.(input, forParts(context))) ?? null
  },
  async learn(trajectory, given, signal) {
    const context = forParts(given)
    const { lessons, cases, gate } = readSettings(SETTINGS, context.settings)
    const learned: Learned[] = [
      cases ? await caseBankQ.learn(trajectory, context, signal) : NOTHING_LEARNED,
      lessons ? await evosc.learn(trajectory, context, signal) : NOTHING_LEARNED,
      gate ? await agentKb.learn(trajectory, context, signal) : NOTHING_LEARNED,
    ]
    const events = learned.flatMap((one) => one.events)
    const usage = learned.reduce(
      (sum, one) => (one.usage === NO_USAGE ? sum : addUsage(sum, one.usage)),
      NO_USAGE,
    )
    return { events, usage }
  },
  distil: (progress, settings) =>
    readSettings(SETTINGS, settings).softPrompt ? (evosc.distil?.(progress, settings) ?? null) : null,
}
