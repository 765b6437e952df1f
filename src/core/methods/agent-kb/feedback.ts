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
 * The feedback stage (paper, section 3.3): Reason-Retrieve-Refine over the log of the attempt so far, held by the disagreement gate. Set off by an error
 * of the environment, by the end of a planner's cycle, or by a critic. Null where nothing sets it off.
 */
export async function reviseAttempt(input: ReviseInput, context: MethodContext): Promise<Revision | null> {
  const settings = readSettings(SETTINGS, context.settings)
  if (context.k === 0 || settings.feedback === 'off' || input.revisions >= MOST_REVISIONS) return null
  let criticUsage = NO_USAGE
  if (settings.feedback === 'critic') {
    const verdict = await criticSays(input, context)
    criticUsage = verdict.usage
    if (verdict.value?.inTrouble !== true) return { guidance: null, usage: criticUsage }
  } else if (!input.failed && input.cycle !== true) return null
  const { task, rounds, signal } = input
  const last = rounds.at(-1)
  const { decision, hits, usage } = await runStage(
    {
      stage: 'feedback',
      round: last?.index ?? 0,
      trigger: settings.feedback === 'critic' ? 'critic' : input.failed ? 'environment' : 'cycle',
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
    settings.feedback === 'critic'
      ? { ...decision.cost, critic: { promptTokens, completionTokens } }
      : decision.cost
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
