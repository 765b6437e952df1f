import { roundOf } from '../../core/agent/question-feedback'
import type { AgentResult } from '../../core/agent/straight'
import { DATA_NOT_INSTRUCTIONS, fenced } from '../../core/ground/quote'
import type { QuestionEvents } from '../../core/agent/question-attempt'
import type { ToolBox } from '../../core/ground/tools'
import { answerOf } from '../../shared/domain/ask'
import type { PlanCycle } from '../../shared/domain/plan'
import type { Finish, Trajectory } from '../../shared/domain/trajectory'
import { addUsage } from '../../shared/domain/usage'

/** What is said of an ask that was to be planned, by a model that is known not to use tools well, or too small for it. */
export const NO_PLANNER =
  'This model does not work well with plans and tools, so it answered directly. Choose tools for the ask to plan all the same.'

export const NO_TOOLS: ToolBox = {
  list: () => [],
  call: (name) => Promise.reject(new Error(`There is no tool ${name}.`)),
}

/** How an attempt ends that has led to nothing, though its model might say something. */
const ENDS: ReadonlySet<Finish> = new Set(['round-limit', 'invalid-action', 'context-overflow', 'budget'])

/** Answers of tools that are told, the last ones, and characters of each. */
const MOST_ANSWERS = 4
const ANSWER_TEXT = 1000
/** Characters of what a failed call said that a person is told. */
const FAILURE_TEXT = 200

/** An attempt with one more thing said of how it ended. */
export const withReason = (
  { trajectory, ...rest }: AgentResult,
  reason: string,
): AgentResult & { trajectory: Trajectory } => ({
  ...rest,
  trajectory: { ...trajectory, reason: [reason, trajectory.reason ?? ''].filter(Boolean).join(' ') },
})

/** What an attempt's tools gave back, as its model reads it without them; empty for nothing. What the model itself said on the way led nowhere. */
export function foundIn({ rounds, cycles = [] }: Pick<Trajectory, 'rounds' | 'cycles'>): string {
  const planned = cycles
    .flatMap(({ subtasks }) => subtasks.flatMap(({ calls }) => calls))
    .flatMap(({ tool, answer }) => (answer === null || answer.failed ? [] : [`${tool}: ${answer.text}`]))
  const straight = rounds.flatMap(({ call, observation, failed }) =>
    call === undefined || observation === null || failed === true ? [] : [`${call.name}: ${observation}`],
  )
  const texts = [...new Set([...planned, ...straight].map((text) => text.trim().slice(0, ANSWER_TEXT)))]
  return texts.length === 0
    ? ''
    : `What was found (${DATA_NOT_INSTRUCTIONS}):\n${fenced(texts.slice(-MOST_ANSWERS).join('\n'))}`
}

/** What the first call of an attempt came to whose every call failed, for its person; empty where one did not, or none was made. */
function failureOf({ rounds }: Pick<Trajectory, 'rounds'>): string {
  const calls = rounds.filter(({ call }) => call !== undefined)
  const first = calls[0]
  if (first === undefined || calls.some(({ failed }) => failed !== true)) return ''
  const words = (first.observation ?? '').trim().slice(0, FAILURE_TEXT)
  return ` ${first.call?.name}: ${words}${/[.!?]$/.test(words) ? '' : '.'}`
}

/** An attempt with a plan or tools; where it led to no answer, with the one that its model then gives without them, if it gives any. */
export async function orPlainly(
  played: AgentResult,
  plainly: (findings: string) => Promise<AgentResult>,
  events: QuestionEvents,
): Promise<AgentResult> {
  const before = played.trajectory
  if (!ENDS.has(before.finish)) return played
  const { trajectory: plain, unread } = await plainly(foundIn(before))
  const answer = answerOf({ trajectory: plain })
  const last = plain.rounds.at(-1)
  if (answer === null || !last) return played
  const { cycles } = before
  const cycle: PlanCycle = {
    ...{ index: cycles?.length ?? 0, reply: answer, repaired: null, thought: last.thought ?? null, answer },
    ...{ subtasks: [], usage: plain.usage },
  }
  const round = cycles ? roundOf(cycle) : { ...last, index: before.rounds.length }
  if (cycles) events.plan?.({ kind: 'planned', cycle })
  else events.round?.(round)
  // What was no answer stands among its steps.
  const why =
    before.finish === 'invalid-action' || before.reason === undefined
      ? `Its ${cycles ? 'plan' : 'calls of tools'} led to no answer.${failureOf(before)}`
      : before.reason
  const reason = `${why} So it answered without ${cycles ? 'a plan' : 'tools'}.`
  return withReason(
    {
      ...played,
      ...(unread !== undefined && { unread }),
      trajectory: {
        ...before,
        rounds: [...before.rounds, round],
        ...(cycles && { cycles: [...cycles, cycle] }),
        finish: plain.finish,
        reason: plain.reason ?? '',
        question: { ...{ level: null, dataset: null, grades: null }, ...before.question, answer },
        usage: addUsage(before.usage, plain.usage),
      },
    },
    reason,
  )
}
