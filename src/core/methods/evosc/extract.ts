import type { Lesson } from '../../memory/lessons/lesson'
import { addUsage, NO_USAGE, type Trajectory } from '../../../shared/domain/trajectory'
import type { ChatMessage } from '../../ground/ports'
import { retellingOf } from '../../ground/prompt'
import { pushLesson, readQueue, type QueueName } from '../../memory/lessons/queues'
import { hasActed, NOTHING_LEARNED, type Learned, type MethodContext } from '../../ground/method'
import { readSettings } from '../../ground/settings'
import { SETTINGS } from './settings'
import { addsNothing } from '../../ground/text-gate'
import { failedWriting, write, type WritingOrder, type Written } from '../../ground/writing'
import { errorLessonMessages, lengthFor, lessonForm, successLessonMessages } from './messages'

/** P_c and P_s of an environment (EvoSC section 4.1). */
export const errorTemplate = (environment: string): string => `evosc-error-${environment}`
export const successTemplate = (environment: string): string => `evosc-success-${environment}`

/** How far back a second, different success is looked for. */
const SEARCHED_SUCCESSES = 16

const tellsWhole = ({ settings }: MethodContext): boolean =>
  readSettings(SETTINGS, settings).dialogs === 'complete'

/** A lesson as it is asked for: as long as who is shown it has room for, unless a length is set. */
function orderOf(
  queue: QueueName,
  { task }: Trajectory,
  messages: ChatMessage[],
  { settings, model }: MethodContext,
): WritingOrder<string> {
  const { lessonLength } = readSettings(SETTINGS, settings)
  const length = { '300': 300, '600': 600, '1200': 1200, context: lengthFor(model.contextSize) } as const
  const form = lessonForm(length[lessonLength])
  return { role: `evosc-${queue}`, messages, form, taskIndex: task.index, quotes: true }
}

/** Stores what was written, or records why not. */
async function keep(
  queue: QueueName,
  trajectory: Trajectory,
  sources: readonly Trajectory[],
  output: Written<string>,
  context: MethodContext,
): Promise<Learned> {
  const { environment } = trajectory.task
  const role = `evosc-${queue}`
  const trajectoryIds = [trajectory, ...sources].map(({ id }) => id)
  const { usage } = output
  if (output.value === null)
    return { events: [failedWriting(trajectory, role, trajectoryIds, output)], usage }
  const text = output.value
  const holdings = await readQueue(context.bank, environment, queue)
  const texts = holdings.map((lesson) => lesson.text)
  if (addsNothing(text, texts)) {
    const failure = { reason: 'duplicate', tries: 1 } as const
    return { events: [failedWriting(trajectory, role, trajectoryIds, failure)], usage }
  }
  const lesson: Lesson = {
    kind: 'lesson',
    id: `lesson-${queue}-${trajectory.id}`,
    runId: trajectory.runId,
    environment,
    trajectoryIds,
    createdAt: trajectory.finishedAt,
    queue,
    text,
  }
  return { events: pushLesson(holdings, lesson, readSettings(SETTINGS, context.settings).capacity), usage }
}

/**
 * Error-prone experience (eq. 3) from a failed attempt against the most recent successes: min(K, `contrast`) of them, at
 * least one; fewer, and then with contexts cut, when they do not fit into the model together. Nothing without a success or without a dialog.
 */
export async function extractErrorLesson(
  failure: Trajectory,
  context: MethodContext,
  signal?: AbortSignal,
): Promise<Learned> {
  if (!hasActed(failure)) return NOTHING_LEARNED
  const { environment } = failure.task
  const wantedCount = Math.max(1, Math.min(context.k, readSettings(SETTINGS, context.settings).contrast))
  let successes = await context.bank.recentSuccesses(wantedCount, { environment })
  if (successes.length === 0) return NOTHING_LEARNED
  const template = context.prompts.text(errorTemplate(environment))
  let usage = NO_USAGE
  let whole = tellsWhole(context)
  for (;;) {
    const views = [...successes].reverse().map(retellingOf)
    const failedFailure = { ...retellingOf(failure), finish: failure.finish }
    const output = await write(
      orderOf('error', failure, errorLessonMessages(template, views, failedFailure, whole), context),
      context,
      signal,
    )
    usage = addUsage(usage, output.usage)
    const tooLong = output.value === null && output.reason === 'context-overflow'
    if (!tooLong || (successes.length === 1 && !whole))
      return keep('error', failure, successes, { ...output, usage }, context)
    if (successes.length > 1) successes = successes.slice(0, Math.ceil(successes.length / 2))
    else whole = false
  }
}

/** Successful experience (eq. 4) from an attempt and the newest earlier success at a different task. Nothing without one. */
export async function extractSuccessLesson(
  success: Trajectory,
  context: MethodContext,
  signal?: AbortSignal,
): Promise<Learned> {
  const { environment, id, instruction } = success.task
  const earlier = await context.bank.recentSuccesses(SEARCHED_SUCCESSES, { environment })
  const other = earlier.find(({ task }) => task.id !== id && task.instruction !== instruction)
  if (!other) return NOTHING_LEARNED
  const template = context.prompts.text(successTemplate(environment))
  let usage = NO_USAGE
  let whole = tellsWhole(context)
  for (;;) {
    const messages = successLessonMessages(template, retellingOf(other), retellingOf(success), whole)
    const output = await write(orderOf('success', success, messages, context), context, signal)
    usage = addUsage(usage, output.usage)
    const tooLong = output.value === null && output.reason === 'context-overflow'
    if (!tooLong || !whole) return keep('success', success, [other], { ...output, usage }, context)
    whole = false
  }
}
