import type { KbDecision } from '../../shared/domain/experience'
import { cycleUsage, type PlanCycle } from '../../shared/domain/plan'
import { addUsage, NO_USAGE, type Round, type Usage } from '../../shared/domain/trajectory'
import type { PromptParts, RecallInput } from '../ground/method'
import { planText } from '../ground/planner-reply'
import type { AttemptInput } from './actor'
import { historyText } from './planner-executor'

/** A cycle as other methods read an attempt: what the planner wrote. What came of it is in `cycles`. */
export function roundOf(cycle: PlanCycle): Round {
  const { index, answer, subtasks, reply } = cycle
  const action: Round['action'] =
    answer !== null
      ? { kind: 'answer', content: answer }
      : subtasks.length > 0
        ? { kind: 'operation', content: planText(subtasks) }
        : { kind: 'invalid', reason: 'Neither a plan nor a final answer.' }
  return { index, completion: reply, action, observation: null, usage: cycleUsage(cycle) }
}

/** What was planned, as numbered steps. */
const stepsText = (subtasks: PlanCycle['subtasks']): string =>
  subtasks.map(({ description }, i) => `${i + 1}. ${description}`).join('\n')

/** Asks the method after each cycle what to change, as the actor does after each round. */
export function feedbackStage(
  { task, method, context, signal }: Pick<AttemptInput, 'task' | 'method' | 'context' | 'signal'>,
  view: Pick<RecallInput, 'context' | 'tools'>,
  parts: PromptParts,
) {
  const decisions: KbDecision[] = [...(parts.decisions ?? [])]
  let plan = parts.plan ?? ''
  let usage = parts.usage
  let revisions = 0
  return {
    decisions,
    /** What recalling and advising took; undefined where nothing was asked. */
    usage: (): Usage | undefined => usage,
    /** After a cycle without an answer: what the planner is told; empty for nothing. */
    async advise(cycles: readonly PlanCycle[]): Promise<string> {
      const worked = cycles.at(-1)?.subtasks ?? []
      const revision = await method.revise?.(
        {
          task,
          ...view,
          rounds: cycles.map((cycle) => ({ ...roundOf(cycle), observation: historyText(cycle.subtasks) })),
          failed: worked.some(
            ({ status, calls }) => status === 'failed' || calls.some(({ answer }) => answer?.failed === true),
          ),
          cycle: true,
          // A planner that was given none has written one all the same.
          plan: plan === '' ? stepsText(worked) : plan,
          revisions,
          signal,
        },
        context,
      )
      if (!revision) return ''
      usage = addUsage(usage ?? NO_USAGE, revision.usage)
      plan = revision.plan ?? plan
      if (revision.decision) {
        decisions.push(revision.decision)
        revisions++
      }
      return revision.guidance ?? ''
    },
  }
}
