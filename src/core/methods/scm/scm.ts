import type { Summary } from '../../memory/summaries/summary'
import { learnedFrom } from '../../memory/items/learned-from'
import { NO_USAGE } from '../../../shared/domain/trajectory'
import { retellingOf, retellTrajectory } from '../../ground/prompt'
import { hasActed, NOTHING_LEARNED, type Method } from '../../ground/method'
import { SUMMARY_FORM, summaryMessages } from './messages'
import { ENOUGH, NEED, recallTurns } from './recall'
import { readSettings } from '../../ground/settings'
import { SETTINGS } from './settings'
import { failedWriting, write } from '../../ground/writing'

const ROLE = 'scm-summary'

/**
 * Self-Controlled Memory (Wang et al. 2025, arXiv 2304.13343). Every attempt is a turn of the memory stream; a long one
 * (over 300 tokens, as in the authors' code) also gets a summary. Before a task: the newest turn is flash memory and always
 * shown; the controller (the model) says whether the task needs more; if so, the turns with the highest activation,
 * similarity plus recency, are added up to K in all. When they take more than `budget` tokens (the code's 2,500) the
 * controller is asked, least active first, whether a turn's summary is enough; when that does not save enough, summaries
 * replace turns from the least active on. Turns are shown oldest first.
 *
 * Simplified: recency fades by 0.99 per attempt instead of with the clock, so that results repeat; only the task's words are
 * compared; turns are never dropped altogether; a question the model cannot answer counts as yes. At K = 0 nothing is shown
 * or written.
 */
export const scm: Method = {
  info: {
    id: 'scm',
    title: 'Self-controlled memory',
    description: 'Lets the model decide when it needs memory, and shortens old attempts to summaries.',
    source: 'SCM, self-controlled memory: controller, activation and flash memory',
    usesK: true,
    defaultK: 4,
    colour: 6,
    keeps: ['summary'],
    recalls: [
      { kind: 'trajectory', what: 'the newest attempt and those near and recent, K in all', place: 'task' },
      { kind: 'summary', what: 'in the place of attempts that are too long', place: 'task' },
    ],
  },
  settings: SETTINGS,
  prompts: () => [ROLE, ENOUGH, NEED],
  async recall(input, context) {
    const { parts, usage } = await recallTurns(input, context)
    return {
      errorLessons: [],
      successLessons: [],
      retrieved: parts,
      ...(usage === NO_USAGE ? {} : { usage }),
    }
  },
  async learn(trajectory, context, signal) {
    if (context.k === 0 || !hasActed(trajectory)) return NOTHING_LEARNED
    const { summaries, summaryOver } = readSettings(SETTINGS, context.settings)
    const turn: Summary = {
      ...learnedFrom('summary', trajectory),
      title: trajectory.task.instruction,
      text: null,
    }
    const options = { signal }
    const [tokens = 0] = summaries
      ? await context.model.countTokens([retellTrajectory(trajectory)], options)
      : []
    if (tokens <= summaryOver) return { events: [{ kind: 'memory-added', memory: turn }], usage: NO_USAGE }
    const messages = summaryMessages(context.prompts.text(ROLE), retellingOf(trajectory))
    const order = { role: ROLE, messages, form: SUMMARY_FORM, taskIndex: trajectory.task.index, quotes: true }
    const output = await write(order, context, signal)
    const { usage } = output
    const memory = { ...turn, text: output.value }
    if (output.value !== null) return { events: [{ kind: 'memory-added', memory }], usage }
    const failure = failedWriting(trajectory, ROLE, [trajectory.id], output)
    return { events: [{ kind: 'memory-added', memory }, failure], usage }
  },
}
