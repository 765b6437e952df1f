import type { Experience, ExperienceStep } from '../../../shared/domain/experience'
import { callsOf, type PlanCycle, type Subtask, type ToolCall } from '../../../shared/domain/plan'
import type { Round, Trajectory } from '../../../shared/domain/trajectory'
import { hasActed } from '../../ground/method'
import { verbOf, verbOfCommand } from '../../memory/experiences/actions'
import { stepOfCall as callStep } from '../../memory/experiences/import/dialog'
import { planOfSteps, shorten, step } from '../../memory/experiences/import/log'
import { callOf, reasonOf } from '../../recall/acts'
import { domainOf } from '../../tasks'
import { complaintOfRound } from '../../verdict/round-complaint'

/** The framework experiences made here carry, and as which they are used. */
export const LOAM_FRAMEWORK = 'loam'

const LONGEST_ACTION = 2_000
const LONGEST_OBSERVATION = 1_000

/** What an experience is made of. */
export type Experienced = Pick<Trajectory, 'id' | 'task' | 'reward' | 'model' | 'usage' | 'finishedAt'> & {
  readonly rounds: readonly (Pick<Round, 'completion' | 'action' | 'observation'> & Partial<Round>)[]
} & Partial<Pick<Trajectory, 'cycles'>>

/** Whether there is anything to learn from: something was done in a world, or a tool was called for a question. */
export const hasExperience = (trajectory: Pick<Trajectory, 'rounds' | 'reward' | 'cycles'>): boolean =>
  trajectory.cycles === undefined
    ? hasActed(trajectory)
    : callsOf(trajectory.cycles).some(({ answer }) => answer !== null)

/** The attempt as an experience, before a model has looked at it: S holds the calls that were really made. */
export function experienceOfAttempt(trajectory: Experienced): Experience {
  const { task, reward, model, usage, cycles } = trajectory
  const steps = cycles ? cycles.flatMap(stepsOfCycle) : trajectory.rounds.map(stepOfRound)
  return {
    id: `exp-${trajectory.id}`,
    createdAt: trajectory.finishedAt,
    question: task.instruction,
    constraints: [],
    steps,
    omittedSteps: 0,
    agentPlan: (cycles && lastPlan(cycles)) ?? planOfSteps(steps),
    agentExperience: '',
    searchAgentPlan: '',
    searchAgentExperience: '',
    repair: null,
    origin: 'log',
    derivedFrom: null,
    trajectoryId: trajectory.id,
    meta: {
      framework: LOAM_FRAMEWORK,
      frameworkVersion: null,
      tools: [...new Set(steps.map(({ tool }) => tool).filter((tool) => tool !== ''))],
      domain: domainOf(task.environment),
      model,
      outcome: reward === 1 ? 'success' : 'failure',
      promptTokens: usage.promptTokens,
      completionTokens: usage.completionTokens,
      sourceId: task.id,
      sourceFile: null,
      contentHash: `trajectory:${trajectory.id}`,
      client: null,
      extra: {},
    },
  }
}

type ExperiencedRound = Experienced['rounds'][number]

function stepOfRound(round: ExperiencedRound): ExperienceStep {
  const { completion, action, observation } = round
  const visit = observation === null ? null : shorten(observation, LONGEST_OBSERVATION)
  if (action.kind === 'invalid')
    return step({
      verb: 'other',
      content: shorten(completion, LONGEST_ACTION),
      observation: visit,
      failed: true,
    })
  if (action.kind !== 'operation')
    return step({
      verb: action.kind === 'answer' ? 'answer' : 'ask',
      content: shorten(action.content, LONGEST_ACTION),
      observation: visit,
    })
  const { tool, content } = callOf(round, action.content)
  const reason = shorten(reasonOf(round), LONGEST_OBSERVATION)
  return step({
    verb: doneBy(tool, content),
    tool,
    content: shorten(content, LONGEST_ACTION),
    reason,
    observation: visit,
    failed: round.failed === true || complaintOfRound({ action, observation }) !== null,
  })
}

const doneBy = (tool: string, content: string): ExperienceStep['verb'] => {
  const verb = verbOf(tool)
  return verb === 'run' ? verbOfCommand(content) : verb
}

/** The calls of a cycle, each with the subtask it was made for, and an answer's place without the answer. */
const stepsOfCycle = ({ subtasks, answer }: PlanCycle): ExperienceStep[] => [
  ...subtasks.flatMap((subtask) => subtask.calls.map((call) => stepOfCall(call, subtask))),
  ...(answer === null ? [] : [step({ verb: 'answer', content: 'Gave the final answer.' })]),
]

const stepOfCall = (
  { tool, arguments: input, answer }: ToolCall,
  { description }: Subtask,
): ExperienceStep => {
  const product = callStep({ tool, given: input }, shorten(description, LONGEST_OBSERVATION))
  return {
    ...product,
    content: shorten(product.content, LONGEST_ACTION),
    observation: answer && shorten(answer.text, LONGEST_OBSERVATION),
    failed: answer?.failed ?? true,
  }
}

/** The newest plan that was written, as numbered steps; null when there was none. */
function lastPlan(cycles: readonly PlanCycle[]): string | null {
  const planned = cycles.findLast(({ subtasks }) => subtasks.length > 0)?.subtasks
  return planned ? planned.map(({ description }, i) => `${i + 1}. ${description}`).join('\n') : null
}
