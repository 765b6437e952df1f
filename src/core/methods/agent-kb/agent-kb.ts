import type { KbDecision } from '../../../shared/domain/experience'
import { addUsage, NO_USAGE } from '../../../shared/domain/trajectory'
import { NOTHING_LEARNED, NOTHING_RECALLED, type Method, type RecalledPart } from '../../ground/method'
import type { MemoryEvent } from '../../ground/ports'
import { readSettings } from '../../ground/settings'
import { failedWriting } from '../../ground/writing'
import { ABSTRACT_ROLE, writeAbstraction } from './abstract'
import { admission, admitExperience, compareRecalled } from './admit'
import { beliefIn, borneOut, rulesBorneOut, rulesGiven, usesOf } from './evidence'
import { reviseAttempt } from './feedback'
import { experienceText, REASON_FORM, refineForm } from './forms'
import { domainOf } from '../../tasks'
import { experienceOfAttempt, hasExperience } from './from-attempt'
import { PAPER } from './paper'
import { SETTINGS } from './settings'
import { runStage, shownTask } from './stages'
import { REASON, REFINE, TEMPLATES } from './templates'

const scoreKinds = { text: 'bm25', semantic: 'cosine', hybrid: 'hybrid' } as const

const partOf = (hit: KbDecision['retrieved'][number], text: string, scoreKind: string): RecalledPart => ({
  text,
  item: {
    kind: 'experience',
    id: hit.id,
    trajectoryId: null,
    title: hit.title,
    score: hit.score,
    scoreKind,
    reward: null,
  },
})

/** A plan that was written without any experience, as the agent is given it. */
const ownPlanPart = (taskId: string, text: string): RecalledPart => ({
  text,
  item: {
    kind: 'plan',
    id: taskId,
    trajectoryId: null,
    title: 'A plan made without experiences',
    score: null,
    scoreKind: 'written',
    reward: null,
  },
})

/**
 * Agent KB: before the attempt and after an error within it, the model reasons out queries, retrieves experiences of any
 * framework and refines them into a plan (Reason-Retrieve-Refine); a refined plan that disagrees with the plan before it,
 * cos(phi(rho), phi(rho')) < beta, is not applied. Afterwards the attempt becomes an experience, is compared with the most
 * similar one, and what was used gains or loses utility, statement by statement.
 *
 * Simplified: plans are told apart by the configured encoder instead of always all-MiniLM-L6-v2.
 */
export const agentKb: Method = {
  info: {
    id: 'agent-kb',
    title: 'Agent KB',
    description: 'Plans with experiences of all agents and takes advice from them when something goes wrong.',
    source: 'Agent KB: Reason-Retrieve-Refine with a disagreement gate, k = 3',
    usesK: true,
    defaultK: 3,
    colour: 9,
    keeps: ['experience'],
    assumesMeaning: 'When two experiences are near enough (τ), and when a plan is (β),',
    recalls: [
      { kind: 'experience', what: 'the K that fit, refined into a plan', place: 'task' },
      { kind: 'experience', what: 'a new plan after an error', place: 'round' },
    ],
  },
  settings: SETTINGS,
  paper: PAPER,
  recallCost: 'critic',
  prompts: () => TEMPLATES,
  async recall(input, context) {
    const { task, signal } = input
    const settings = readSettings(SETTINGS, context.settings)
    if (context.k === 0 || !settings.planning) return NOTHING_RECALLED
    const label = shownTask(input)
    const { decision, hits, usage } = await runStage(
      {
        stage: 'planning',
        round: null,
        trigger: 'task',
        taskIndex: task.index,
        domain: domainOf(task.environment),
        tools: input.tools ?? [],
        task: label,
        about: label,
        bareQuery: task.instruction,
        plan: '',
        reasonRole: REASON,
        reasonForm: REASON_FORM,
        refineRole: REFINE,
        refineForm: refineForm('adaptations'),
        gated: settings.gatePlanning,
        signal,
      },
      context,
    )
    const plan = decision.applied && decision.refined !== '' ? decision.refined : decision.plan
    const kind = scoreKinds[settings.retrieval]
    const about = { decisions: [decision], usage, plan }
    if (!decision.applied) return { ...NOTHING_RECALLED, ...about }
    const [best] = decision.retrieved
    const text = `Plan:\n${plan}`
    if (decision.refined !== '')
      return {
        ...NOTHING_RECALLED,
        ...about,
        successLessons: [best ? partOf(best, text, kind) : ownPlanPart(task.id, text)],
      }
    // Best last, next to the task.
    const retrieved = decision.retrieved
      .map((hit, i) => partOf(hit, hits[i] ? experienceText(hits[i].experience) : '', kind))
      .reverse()
    return { ...NOTHING_RECALLED, ...about, retrieved }
  },
  revise: reviseAttempt,
  async learn(trajectory, context, signal) {
    if (context.k === 0 || !hasExperience(trajectory)) return NOTHING_LEARNED
    const settings = readSettings(SETTINGS, context.settings)
    const raw = experienceOfAttempt(trajectory)
    const output = settings.abstract
      ? await writeAbstraction(raw, trajectory.task.index, context, signal, trajectory.cycles !== undefined)
      : null
    const { experiences } = context.bank
    const givenRules = await rulesGiven(trajectory, experiences, await beliefIn(experiences, settings))
    const candidate = output?.value
      ? borneOut({ ...raw, ...output.value, origin: 'abstraction' }, trajectory, givenRules)
      : raw
    const options = admission(settings, trajectory.task.index, trajectory.finishedAt)
    const rules = rulesBorneOut(candidate, trajectory.reward, settings.eta)
    const admitted = await admitExperience(candidate, options, context, signal, rules)
    const later = await compareRecalled(givenRules.keys(), options, context, signal)
    const events: MemoryEvent[] = [
      ...admitted.events,
      ...usesOf(trajectory, givenRules, settings.eta),
      ...later.events,
    ]
    const ranker = addUsage(admitted.usage, later.usage)
    if (output && output.value === null)
      events.push(failedWriting(trajectory, ABSTRACT_ROLE, [trajectory.id], output))
    return {
      events,
      usage: addUsage(output?.usage ?? NO_USAGE, ranker),
      modules: { ...(output && { abstraction: output.usage }), ranker },
    }
  },
}
