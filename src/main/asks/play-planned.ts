import {
  dialogMessages,
  fittedOf,
  openDialog,
  shorter,
  type Dialog,
  type Earlier,
} from '../../core/agent/dialog'
import { runQuestion, type QuestionEvents, type QuestionInput } from '../../core/agent/question-attempt'
import { UNJUDGED, type AgentResult, type StraightEvents } from '../../core/agent/straight'
import type { Trajectory } from '../../shared/domain/trajectory'

/** The planner reads what was said before with the task; while that does not fit, the older half of it becomes a summary. */
export async function playPlanned(
  input: QuestionInput,
  earlier: Earlier,
  instructions: string,
  events: StraightEvents & QuestionEvents,
): Promise<AgentResult> {
  const { task, context, signal } = input
  let dialog: Dialog = openDialog('', earlier, task.instruction)
  for (;;) {
    const before = dialogMessages({ ...dialog, now: [] }).slice(1)
    const notices = before.map(({ role, content }) => `${role === 'user' ? 'Person' : 'You'}: ${content}`)
    const instruction = [
      task.instruction,
      instructions,
      notices.length === 0 ? '' : `We said before:\n${notices.join('\n')}`,
    ]
      .filter((part) => part !== '')
      .join('\n\n')
    const played = await runQuestion({ ...input, task: { ...task, instruction }, noteRead: true }, events)
    const less =
      played.finish === 'context-overflow' && dialog.before.length > 0
        ? await shorter(dialog, context.model, { signal })
        : null
    if (!less) {
      const selection = { ...played.task, instruction: task.instruction }
      const trajectory: Trajectory = { ...played, task: selection, reward: 0, ungraded: UNJUDGED }
      return { trajectory, fitted: fittedOf(dialog) }
    }
    dialog = less
    const fit = fittedOf(less)
    if (fit) events.fitted?.(fit)
  }
}
