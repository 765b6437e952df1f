import { hasActed, NOTHING_LEARNED, NOTHING_RECALLED, type Method } from '../../ground/method'
import type { Trajectory } from '../../../shared/domain/trajectory'
import type { MemoryEvent } from '../../ground/ports'
import { retellingOf, type Retelling } from '../../ground/prompt'
import { readSettings } from '../../ground/settings'
import { failedWriting, write } from '../../ground/writing'
import { learnedFrom } from '../../memory/items/learned-from'
import { leavesQueue } from '../../memory/items/leaves-queue'
import { bestLast } from '../../retrieval/best-last'
import { rankByCosine } from '../../retrieval/rank'
import type { Strategy } from '../../memory/strategies/strategy'
import { contrastMessages, STRATEGIES_FORM, strategyMessages, strategyText } from './messages'
import { PAPER } from './paper'
import { CHECK, CHOOSE, scaledAttempts } from './scaling'
import { SETTINGS } from './settings'

/** Templates for attempts that were solved, and for those that failed. */
const SUCCESS = 'reasoning-bank-success'
const FAILURE = 'reasoning-bank-failure'
/** For several attempts at one task. */
const CONTRAST = 'reasoning-bank-contrast'

/** All attempts at the task, as something to retell. */
const attemptsOf = (trajectory: Trajectory): Retelling[] => {
  const reported = retellingOf(trajectory)
  return (trajectory.scaling?.attempts ?? [reported]).map(({ reward, rounds }) => ({
    ...reported,
    reward,
    rounds,
  }))
}

/**
 * ReasoningBank (Ouyang et al. 2025, arXiv 2509.25140): from every attempt the model draws up to three strategies, each with title,
 * description and content; what carried a success, or what a failure should have watched out for. They are added to the bank as they are.
 * A task is shown those that were drawn from the tasks most like it.
 *
 * Simplified: the environment's verdict takes the place of the paper's judge; K counts strategies, where the paper takes all of the one
 * task most like the new one; beyond `capacity` the oldest leave.
 *
 * Memory-aware test-time scaling (MaTTS) makes several attempts at a task of a run: in parallel, with strategies drawn by comparing them, or one
 * after the other, each going over the one before. Their tokens are all counted; pass@1, the reported attempt and pass@k are told apart.
 */
export const reasoningBank: Method = {
  info: {
    id: 'reasoning-bank',
    title: 'Reasoning strategies',
    description:
      'Draws strategies from solved and failed attempts and shows those of the most similar tasks.',
    source: 'ReasoningBank (2025), with memory-aware scaling as a setting',
    usesK: true,
    defaultK: 3,
    colour: 5,
    keeps: ['strategy'],
    recalls: [
      { kind: 'strategy', what: 'the K drawn from the tasks most like it', place: 'task' },
      { kind: 'trajectory', what: 'its own attempt so far, with sequential scaling', place: 'task' },
    ],
  },
  settings: SETTINGS,
  paper: PAPER,
  prompts: () => [SUCCESS, FAILURE, CONTRAST, CHOOSE, CHECK],
  attempts: (input, context) => scaledAttempts(input, context, reasoningBank),
  async recall({ task, signal }, { bank, embedder, k }) {
    if (k === 0) return NOTHING_RECALLED
    const holdings = await bank.items('strategy', { environment: task.environment })
    const ranked = await rankByCosine(embedder, task.instruction, holdings, (each) => each.task, signal)
    const retrieved = bestLast('strategy', ranked, k, (item) => ({
      text: strategyText(item),
      title: item.title,
      reward: item.success ? 1 : 0,
    }))
    return { ...NOTHING_RECALLED, retrieved }
  },
  async learn(trajectory, context, signal) {
    const { failures, perAttempt, capacity } = readSettings(SETTINGS, context.settings)
    const attempts = attemptsOf(trajectory)
    const success = attempts.some(({ reward }) => reward === 1)
    if (context.k === 0 || !hasActed(trajectory) || (!success && !failures)) return NOTHING_LEARNED
    const { environment, index, instruction } = trajectory.task
    const [only, ...others] = attempts
    const role = others.length > 0 ? CONTRAST : success ? SUCCESS : FAILURE
    const template = context.prompts.text(role)
    const messages =
      only && others.length === 0 ? strategyMessages(template, only) : contrastMessages(template, attempts)
    const order = { role, messages, form: STRATEGIES_FORM, taskIndex: index, maxTokens: 480, quotes: true }
    const output = await write(order, context, signal)
    const { usage } = output
    if (output.value === null)
      return { events: [failedWriting(trajectory, role, [trajectory.id], output)], usage }
    const draws = output.value.slice(0, perAttempt).map((text, n): Strategy => {
      const from = learnedFrom('strategy', trajectory)
      return { ...from, id: `${from.id}-${n + 1}`, task: instruction, ...text, success }
    })
    const holdings = await context.bank.items('strategy', { environment })
    const dropped = leavesQueue(holdings, capacity - draws.length + 1)
    const events: MemoryEvent[] = [
      ...draws.map((memory): MemoryEvent => ({ kind: 'memory-added', memory })),
      ...dropped.map(({ id }): MemoryEvent => ({
        kind: 'memory-dropped',
        memoryId: id,
        at: trajectory.finishedAt,
      })),
    ]
    return { events, usage }
  },
}
