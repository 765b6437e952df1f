import type { Experience, ExperienceStep, GoalConstraint } from '../../../shared/domain/experience'
import { goalConstraintSchema, guidanceText } from '../../../shared/domain/experience'
import { declareForm, declareForms, isRecord, listField, textField } from '../../ground/writing'
import { exactObject } from '../../ground/exact-object'

const LINE = 240
const text = (maxLength: number) => ({ type: 'string', maxLength })
const list = (maxItems: number, maxLength = LINE) => ({ type: 'array', items: text(maxLength), maxItems })

/** Steps as a numbered plan. */
export const planText = (steps: readonly string[]): string =>
  steps.map((line, i) => `${i + 1}. ${line.replace(/^\d+[.)]\s*/, '')}`).join('\n')

export interface Reasoned {
  /** The steps it would take, or the log in short. */
  readonly said: string
  readonly queries: readonly string[]
}

/** A form of something said, read by `saidIn`, and at most 3 queries. */
const reasonedForm = (
  role: string,
  message: Readonly<Record<string, unknown>>,
  saidIn: (value: unknown) => string | undefined,
) =>
  declareForm<Reasoned>(role, {
    schema: exactObject({ ...message, queries: list(3, 160) }),
    read(value) {
      const text = saidIn(value)
      const queries = listField(value, 'queries')
      if (text === undefined || queries === undefined) return undefined
      return queries.length === 0 ? null : { said: text, queries }
    },
  })

/** `{"plan": [...], "queries": [...]}`: at most 8 steps. */
export const REASON_FORM = reasonedForm('agent-kb-reason', { plan: list(8) }, (value) => {
  const plan = listField(value, 'plan')
  return plan && planText(plan)
})

/** `{"summary": text, "queries": [...]}`. */
export const TROUBLE_FORM = reasonedForm('agent-kb-feedback-reason', { summary: text(400) }, (value) =>
  textField(value, 'summary'),
)

export interface Refined {
  readonly adaptations: readonly string[]
  readonly plan: string
}

/** `{"<notes>": [...], "plan": [...]}`: adaptations while planning, suggestions at feedback. */
export const refineForm = declareForms<Refined, [notes: 'adaptations' | 'suggestions']>(
  'agent-kb-refine',
  (notes) => ({
    schema: exactObject({ [notes]: list(6), plan: list(8) }),
    read(value) {
      const adaptations = listField(value, notes)
      const plan = listField(value, 'plan')
      if (adaptations === undefined || plan === undefined) return undefined
      return plan.length === 0 ? null : { adaptations, plan: planText(plan) }
    },
  }),
  () => [['adaptations'], ['suggestions']],
)

/** `{"verdict": "on-track" | "in-trouble"}`; true when in trouble. */
export const CRITIC_FORM = declareForm<{ readonly inTrouble: boolean }>('agent-kb-critic', {
  schema: exactObject({ verdict: { enum: ['on-track', 'in-trouble'] } }),
  read(value) {
    const verdict = textField(value, 'verdict')
    return verdict === 'on-track' || verdict === 'in-trouble'
      ? { inTrouble: verdict === 'in-trouble' }
      : undefined
  },
})

const PREDICATES = goalConstraintSchema.shape.predicate.options
const CONSTRAINTS = {
  type: 'array',
  maxItems: 4,
  items: exactObject({ predicate: { enum: PREDICATES }, argument: text(120) }),
}

const constraintsIn = (value: unknown): GoalConstraint[] => {
  const inputs =
    isRecord(value) && Array.isArray(value['constraints']) ? (value['constraints'] as unknown[]) : []
  return inputs.flatMap((each) => {
    const argument = textField(each, 'argument') ?? ''
    const read = goalConstraintSchema.safeParse({
      predicate: isRecord(each) ? each['predicate'] : undefined,
      arguments: argument === '' ? [] : [argument],
    })
    return read.success ? [read.data] : []
  })
}

/** What a model adds to a log: the parts an abstraction replaces. */
export type Abstracted = Pick<
  Experience,
  'agentPlan' | 'agentExperience' | 'searchAgentPlan' | 'searchAgentExperience' | 'constraints' | 'repair'
>

/** Which exemplars and fields an abstraction uses: the paper's general, two-agent (GAIA) and code (SWE-bench) prompts. */
export type AbstractionKind = 'general' | 'search' | 'code'

const PLAN = text(1200)

export const abstractionForm = declareForms<Abstracted, [kind: AbstractionKind]>(
  'agent-kb-abstract',
  (kind) => ({
    schema:
      kind === 'code'
        ? exactObject({
            agent_plan: PLAN,
            hints: list(10),
            category: text(40),
            keywords: list(8, 40),
            summary: text(LINE),
            constraints: CONSTRAINTS,
          })
        : exactObject({
            agent_plan: PLAN,
            ...(kind === 'search' ? { search_agent_plan: PLAN } : {}),
            agent_experience: list(6),
            ...(kind === 'search' ? { search_agent_experience: list(6) } : {}),
            constraints: CONSTRAINTS,
            keywords: list(8, 40),
          }),
    read(value) {
      const agentPlan = textField(value, 'agent_plan')
      const guidance = listField(value, kind === 'code' ? 'hints' : 'agent_experience')
      const keywords = listField(value, 'keywords')
      if (agentPlan === undefined || guidance === undefined || keywords === undefined) return undefined
      if (agentPlan === '' || guidance.length === 0) return null
      const category = textField(value, 'category') ?? ''
      const summary = textField(value, 'summary') ?? ''
      return {
        agentPlan,
        agentExperience: guidance,
        searchAgentPlan: textField(value, 'search_agent_plan') ?? '',
        searchAgentExperience: listField(value, 'search_agent_experience') ?? '',
        constraints: constraintsIn(value),
        repair:
          kind === 'code' || keywords.length > 0
            ? { hints: kind === 'code' ? guidance : [], category, keywords, summary }
            : null,
      }
    },
  }),
  () => [['general'], ['search'], ['code']],
)

const quote = ({ verb, tool, content, reason, observation, failed }: ExperienceStep): string =>
  [
    ...(reason === '' ? [] : [`Reason: ${reason}`]),
    `Action (${tool === '' || tool === verb ? verb : `${verb}, ${tool}`}): ${content}`,
    ...(observation === null ? [] : [`${failed ? 'Error' : 'Observation'}: ${observation}`]),
  ].join('\n')

/** A log as the model reads it, cut in the middle when it is longer than `limit` characters. */
export function logText(experience: Experience, limit: number): string {
  const { question, steps, agentPlan, meta } = experience
  const head = `Task: ${question}\nOutcome: ${meta.outcome}. Tools: ${meta.tools.join(', ') || 'none'}.`
  const body = steps.length > 0 ? steps.map(quote).join('\n') : agentPlan
  if (body.length <= limit) return `${head}\n${body}`
  const half = Math.floor(limit / 2)
  return `${head}\n${body.slice(0, half)}\n[...]\n${body.slice(-half)}`
}

/** An experience as another agent reads it. */
export function experienceText(experience: Experience): string {
  const { question, agentPlan, searchAgentPlan, meta } = experience
  const notice = guidanceText(experience.agentExperience)
  const searched = guidanceText(experience.searchAgentExperience)
  return [
    `Similar task (${meta.outcome}): ${question}`,
    ...(agentPlan === '' ? [] : [`Plan:\n${agentPlan}`]),
    ...(notice === '' ? [] : [`Experience:\n${notice}`]),
    ...(searchAgentPlan === '' ? [] : [`Search plan:\n${searchAgentPlan}`]),
    ...(searched === '' ? [] : [`Search experience:\n${searched}`]),
  ].join('\n')
}
