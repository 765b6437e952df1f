import type { KbDecision } from '../../../shared/domain/experience'
import { addUsage, NO_USAGE, type Usage } from '../../../shared/domain/trajectory'
import { cosine } from '../../retrieval/cosine'
import type { ExperienceHit } from '../../ground/ports'
import type { MethodContext, RecallInput } from '../../ground/method'
import { onScaleOfPlans } from '../../retrieval/plan-scale'
import { readSettings } from '../../ground/settings'
import { SETTINGS } from './settings'
import { write, type OutputForm, type WritingOrder } from '../../ground/writing'
import { beliefIn, believed, isBelieved } from './evidence'
import { promptAbout } from '../../ground/prompt'
import { experienceText, REASON_FORM, type Reasoned, type Refined } from './forms'
import { REASON, templateOf } from './templates'
import { isForeign, isUnproven } from './trust'

/** One pass of Reason-Retrieve-Refine: what it is about, and how the model is asked. */
export interface StageInput {
  readonly stage: KbDecision['stage']
  readonly round: number | null
  readonly trigger: KbDecision['trigger']
  readonly taskIndex: number
  readonly domain: string
  /** Names of the tools at hand; empty where the agent acts in its world's own way. */
  readonly tools: readonly string[]
  /** The task as the agent is shown it. */
  readonly task: string
  /** The task, or the log of the attempt so far. */
  readonly about: string
  /** Searched for when nothing is reasoned. */
  readonly bareQuery: string
  /** rho; empty when there is no plan yet. */
  readonly plan: string
  readonly reasonRole: string
  readonly reasonForm: OutputForm<Reasoned>
  readonly refineRole: string
  readonly refineForm: OutputForm<Refined>
  /** Whether the gate decides here. */
  readonly gated: boolean
  readonly signal?: AbortSignal
}

export interface StageOutput {
  readonly decision: KbDecision
  readonly hits: readonly ExperienceHit[]
  readonly usage: Usage
}

/** The names of an agent's tools in a line, so that those of other frameworks can be put in their place; empty where it has none of its own. */
export const toolsLine = ({ tools = [] }: RecallInput): string =>
  tools.length === 0 ? '' : `Tools at hand: ${tools.join(', ')}\n`

/** A task as the agent is shown it, with its tools. */
export const shownTask = (input: RecallInput): string =>
  `${input.context}\n${toolsLine(input)}Task: ${input.task.instruction}`

const costOf = ({ promptTokens, completionTokens }: Usage) => ({ promptTokens, completionTokens })

/** Runs one pass. What the model fails to write is left out: the bare query takes the place of queries, retrieved texts of a plan. */
export async function runStage(input: StageInput, context: MethodContext): Promise<StageOutput> {
  const settings = readSettings(SETTINGS, context.settings)
  const { reason, retrieve, refine } = settings.raw
    ? { reason: false, retrieve: true, refine: false }
    : settings
  const cost: KbDecision['cost'] = {}
  let usage = NO_USAGE
  const order = <T>(role: string, form: OutputForm<T>, ...parts: string[]): WritingOrder<T> => ({
    role: input.round === null ? role : `${role}/${input.round}`,
    messages: promptAbout(context.prompts.text(templateOf(role, settings.prompts, input.domain)), ...parts),
    form,
    taskIndex: input.taskIndex,
    maxTokens: 400,
  })

  const reasoned = reason
    ? await write(order(input.reasonRole, input.reasonForm, input.about), context, input.signal)
    : null
  if (reasoned) {
    usage = addUsage(usage, reasoned.usage)
    cost.reason = costOf(reasoned.usage)
  }
  const queries = reasoned?.value?.queries ?? [input.bareQuery]
  const hits = retrieve ? await find(queries, input, context) : []
  const reasonedPlan = input.stage === 'planning' ? (reasoned?.value?.said ?? '') : ''
  const planned = input.plan === '' ? reasonedPlan : input.plan
  const summary = input.stage === 'feedback' ? (reasoned?.value?.said ?? '') : ''

  // Without retrieval the model refines by its instructions alone (table 3, w/o Retrieve).
  const refined =
    refine && (hits.length > 0 || !retrieve)
      ? await write(
          order(
            input.refineRole,
            input.refineForm,
            input.about,
            summary === '' ? '' : `What went wrong: ${summary}`,
            planned === '' ? '' : `Plan so far:\n${planned}`,
            ...hits.map(({ experience }) => experienceText(experience)),
          ),
          context,
          input.signal,
        )
      : null
  if (refined) {
    usage = addUsage(usage, refined.usage)
    cost.refine = costOf(refined.usage)
  }
  const rewritten = refined?.value?.plan ?? ''
  const own = planned === '' && rewritten !== '' && input.gated ? await ownPlan(input, context) : null
  if (own) usage = addUsage(usage, own.usage)
  const rho = planned === '' ? (own?.value?.said ?? '') : planned
  const near = rho === '' || rewritten === '' ? null : await likeness(rho, rewritten, input, context)
  const beta = await onScaleOfPlans(context.embedder, settings.beta, input.signal)
  const passes = !input.gated || near === null || near >= beta
  const nothing = hits.length === 0 && rewritten === ''
  const unusable = refined !== null && refined.value === null
  const applied = !nothing && !(unusable && input.stage === 'feedback') && passes
  return {
    hits,
    usage,
    decision: {
      stage: input.stage,
      round: input.round,
      trigger: input.trigger,
      queries: [...queries],
      retrieved: hits.map(({ experience: { id, question, meta }, score, textScore, semanticScore }) => ({
        id,
        title: question,
        framework: meta.framework,
        score,
        textScore,
        semanticScore,
      })),
      summary,
      adaptations: [...(refined?.value?.adaptations ?? [])],
      plan: rho,
      refined: rewritten,
      cosine: near,
      beta,
      applied,
      why: applied ? 'applied' : nothing ? 'nothing-found' : passes ? 'unusable' : 'gate',
      cost,
    },
  }
}

/**
 * The plan that the agent would make by itself, asked for where the gate has a refined plan to judge and the agent was given none: a plan
 * is compared with a plan, never with a list of statements.
 */
const ownPlan = (input: StageInput, context: MethodContext) =>
  write(
    {
      role: input.round === null ? `${REASON}/own` : `${REASON}/own/${input.round}`,
      messages: promptAbout(context.prompts.text(REASON), input.task),
      form: REASON_FORM,
      taskIndex: input.taskIndex,
      maxTokens: 400,
    },
    context,
    input.signal,
  )

/** How many times k is looked at first, since of some nothing may be left, and how much further where too few are. */
const LOOK = 3
const FURTHER = 4
const MOST_LOOKED_AT = 500
/** How much lower an experience stands of which nothing was borne out: one of about the same score goes before it. */
const UNPROVEN_WEIGHT = 0.1

/**
 * Searches for each query and keeps the best k of all of which anything is believed, each once and as far as it is. Those of frameworks that have not
 * earned trust stand a little lower, those of frameworks that lost it behind all others.
 */
async function find(
  queries: readonly string[],
  { domain, tools, signal }: StageInput,
  context: MethodContext,
): Promise<ExperienceHit[]> {
  const settings = readSettings(SETTINGS, context.settings)
  const { retrieval: mode, alpha, anyDomain } = settings
  const { experiences } = context.bank
  const fits = { domains: [domain], ...(tools.length > 0 && { tools }) }
  const belief = await beliefIn(experiences, settings)
  for (let look = context.k * LOOK; ; look *= FURTHER) {
    const best = new Map<string, ExperienceHit>()
    let more = false
    for (const text of queries) {
      const query = { text, mode, alpha, k: look, fits, ...(!anyDomain && { domains: [domain] }) }
      const hits = await experiences.search(query, { signal })
      more ||= hits.length === look
      for (const hit of hits) {
        const before = best.get(hit.experience.id)
        if (!before || before.score < hit.score) best.set(hit.experience.id, hit)
      }
    }
    const place = (hit: ExperienceHit): number =>
      hit.score - (isUnproven(hit, belief.tested, belief.trust) ? UNPROVEN_WEIGHT : 0)
    const rest = [...best.values()]
      .map((hit) => ({ hit, place: place(hit) }))
      .sort((a, b) => b.place - a.place)
      .flatMap(({ hit }) => {
        const experience = believed(hit, belief)
        return isBelieved(hit, experience) ? [{ ...hit, experience }] : []
      })
    // What is left of those says nothing that attempts here did not find out, and would only take their place.
    const distrusted = rest.filter(
      ({ experience }) => isForeign(experience) && belief.trust.of(experience.meta.framework) === 'lost',
    )
    const first = rest.filter((hit) => !distrusted.includes(hit))
    if (first.length >= context.k || !more || look >= MOST_LOOKED_AT)
      return [...first, ...distrusted].slice(0, context.k)
  }
}

/** cos(phi(rho), phi(rho')) with the configured encoder. */
async function likeness(
  plan: string,
  refined: string,
  { signal }: StageInput,
  { embedder }: MethodContext,
): Promise<number | null> {
  const [a, b] = await embedder.embed([plan, refined], { signal })
  return a && b ? cosine(a, b) : null
}
