import type { ChatMessage } from '../ground/chat'
import type { PromptParts, RecalledPart } from '../ground/method'
import type { MemoryStore } from '../ground/ports'
import { ATTEMPT_KINDS, type Presentation } from '../ground/presentation'
import { beyondLasting, cutContext, taskText } from '../ground/prompt'
import { isForeign } from '../../shared/domain/trust'
import type { Task } from '../../shared/domain/task'
import type { Round, Trajectory } from '../../shared/domain/trajectory'

/** Characters of an answer of the environment in an earlier turn. */
const LONGEST_OBSERVATION = 400

/** What is recalled as it stands in a prompt. */
export interface PresentedParts {
  /** What stands there as text. */
  readonly parts: PromptParts
  /** Turns of a dialog before the task. */
  readonly earlier: readonly ChatMessage[]
  /** All that is shown, in either form, each with its text. */
  readonly shown: PromptParts
}

/** A round that did something, and did not fail. */
const worked = ({ action, failed }: Round): boolean => action.kind !== 'invalid' && failed !== true

const saysTheSame = ({ action }: Round, before: Round | undefined): boolean =>
  before !== undefined && JSON.stringify(action) === JSON.stringify(before.action)

/** A solved attempt as turns of a dialog: the task, without what stands in front of the dialog, then what worked, step by step. */
export function turnsOf({ task, rounds }: Pick<Trajectory, 'task' | 'rounds'>, lasting = ''): ChatMessage[] {
  const steps = rounds.filter(worked).filter((round, i, all) => !saysTheSame(round, all[i - 1]))
  const turns: ChatMessage[] = [
    {
      role: 'user',
      content: taskText(task.instruction, cutContext(beyondLasting(task.context, lasting)), lasting),
    },
  ]
  steps.forEach(({ completion, observation }, i) => {
    turns.push({ role: 'assistant', content: completion })
    if (observation !== null && i < steps.length - 1)
      turns.push({ role: 'user', content: observation.slice(0, LONGEST_OBSERVATION) })
  })
  return steps.length === 0 ? [] : turns
}

/**
 * What was recalled, in the form that suits the model. As turns: solved attempts of the task's environment become earlier turns in their order, the
 * best last; attempts that failed are left out, since small models repeat what they read. With `none`, those at other tasks are left out too.
 * Everything else stays text. `lasting`: what of the task's context stands in front.
 */
export async function presentAttempts(
  parts: PromptParts,
  { attempts }: Pick<Presentation, 'attempts'>,
  { environment, instruction }: Pick<Task, 'environment' | 'instruction'>,
  bank: Pick<MemoryStore, 'trajectory'>,
  lasting = '',
): Promise<PresentedParts> {
  if (attempts === 'text') return { parts, earlier: [], shown: parts }
  const retrieved: RecalledPart[] = []
  const earlier: ChatMessage[] = []
  const visible: RecalledPart[] = []
  for (const part of parts.retrieved) {
    const { kind, trajectoryId, trust } = part.item
    // What others did is quoted, and not put into the agent's own mouth.
    const trajectory =
      !(trust && isForeign(trust)) && ATTEMPT_KINDS.has(kind) && trajectoryId !== null
        ? await bank.trajectory(trajectoryId)
        : null
    if (!trajectory || trajectory.cycles || trajectory.task.environment !== environment) {
      retrieved.push(part)
      visible.push(part)
    } else if (
      trajectory.reward === 1 &&
      (attempts === 'turns' || trajectory.task.instruction === instruction)
    ) {
      const turns = turnsOf(trajectory, lasting)
      earlier.push(...turns)
      if (turns.length > 0) visible.push({ ...part, text: turns.map(({ content }) => content).join('\n') })
    }
  }
  return { parts: { ...parts, retrieved }, earlier, shown: { ...parts, retrieved: visible } }
}
