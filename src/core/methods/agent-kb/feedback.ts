import { addUsage, NO_USAGE } from '../../../shared/domain/trajectory'
import type { MethodContext, ReviseInput, Revision } from '../../ground/method'
import { promptAbout, dialogText } from '../../ground/prompt'
import { readSettings } from '../../ground/settings'
import { write } from '../../ground/writing'
import { CRITIC_FORM, experienceText, refineForm, TROUBLE_FORM } from './forms'
import { domainOf } from '../../tasks'
import { SETTINGS } from './settings'
import { runStage, shownTask, toolsLine } from './stages'
import { CRITIC, FEEDBACK_REASON, FEEDBACK_REFINE } from './templates'

/** Feedback stages in one attempt. */
const MOST_REVISIONS = 2

/** The last rounds of an attempt are what went wrong; the beginning of a long one is left out. */
const LONGEST_LOG = 6_000
const logSoFar = (input: ReviseInput): string =>
  `${toolsLine(input)}Task: ${input.task.instruction}\n${dialogText(input.rounds).slice(-LONGEST_LOG)}`

/** A text without what differs only in layout. */
const plain = (text: string): string => text.trim().replace(/\s+/g, ' ')

/** Whether the last round did what an earlier one did, and was answered the same. */
export function isGoingInCircles(rounds: ReviseInput['rounds']): boolean {
  const last = rounds.at(-1)
  if (!last || last.observation === null) return false
  const sign = (round: typeof last): string =>
    `${plain(round.completion)}\n\n${plain(round.observation ?? '')}`
  return rounds.slice(0, -1).some((round) => round.observation !== null && sign(round) === sign(last))
}

/** What the world itself shows of trouble: an error, a step that was done before and changed nothing, a cycle without an answer. */
function evidenceOf({ failed, rounds, cycle }: ReviseInput): 'environment' | 'no-progress' | 'cycle' | null {
  if (failed) return 'environment'
  if (cycle === true) return 'cycle'
  return isGoingInCircles(rounds) ? 'no-progress' : null
}

/** Whether a critic, who sees the log alone, calls for another plan. */
const criticSays = (input: ReviseInput, context: MethodContext) =>
  write(
    {
      role: `${CRITIC}/${input.rounds.length}`,
      messages: promptAbout(context.prompts.text(CRITIC), logSoFar(input)),
      form: CRITIC_FORM,
      taskIndex: input.task.index,
      maxTokens: 24,
    },
    context,
    input.signal,
  )

/**
 * The feedback stage (paper, section 3.3): Reason-Retrieve-Refine over the log of the attempt so far, held by the disagreement gate. Set off by what
 * the world shows (an error, a step that repeats an earlier one and its answer, a planner's cycle that ended), and by a critic where there is one and
 * the world shows nothing. Null where nothing sets it off.
 */
export async function reviseAttempt(input: ReviseInput, context: MethodContext): Promise<Revision | null> {
  const settings = readSettings(SETTINGS, context.settings)
  if (context.k === 0 || settings.feedback === 'off' || input.revisions >= MOST_REVISIONS) return null
  const evidence = evidenceOf(input)
  let criticUsage = NO_USAGE
  if (evidence === null) {
    if (settings.feedback !== 'critic') return null
    const verdict = await criticSays(input, context)
    criticUsage = verdict.usage
    if (verdict.value?.inTrouble !== true) return { guidance: null, usage: criticUsage }
  }
  const { task, rounds, signal } = input
  const last = rounds.at(-1)
  const { decision, hits, usage } = await runStage(
    {
      stage: 'feedback',
      round: last?.index ?? 0,
      trigger: evidence ?? 'critic',
      taskIndex: task.index,
      domain: domainOf(task.environment),
      tools: input.tools ?? [],
      task: shownTask(input),
      about: logSoFar(input),
      bareQuery: `${task.instruction} ${last?.observation ?? ''}`,
      plan: input.plan,
      reasonRole: FEEDBACK_REASON,
      reasonForm: TROUBLE_FORM,
      refineRole: FEEDBACK_REFINE,
      refineForm: refineForm('suggestions'),
      gated: true,
      signal,
    },
    context,
  )
  const spentCost = addUsage(criticUsage, usage)
  const { promptTokens, completionTokens } = criticUsage
  const cost =
    evidence === null ? { ...decision.cost, critic: { promptTokens, completionTokens } } : decision.cost
  const recorded = { ...decision, cost }
  if (!decision.applied) return { guidance: null, decision: recorded, usage: spentCost }
  const guidance =
    decision.refined === ''
      ? hits.map(({ experience }) => experienceText(experience)).join('\n\n')
      : [...decision.adaptations.map((line) => `Suggestion: ${line}`), `Plan:\n${decision.refined}`].join(
          '\n',
        )
  const plan = decision.refined === '' ? input.plan : decision.refined
  return { guidance, plan, decision: recorded, usage: spentCost }
}
