import type { Trajectory } from '../../shared/domain/trajectory'
import type { FormatSource } from './format'

/** A message of a dialog as trainers read it. */
export interface Message {
  readonly role: 'user' | 'assistant'
  readonly content: string
}

/** An attempt as a dialog: the task, and by turns what the agent wrote and what came back. Empty where the agent wrote nothing. */
export function dialogOf({ task, rounds, question }: Trajectory): Message[] {
  const askedQuestion = [task.context, task.instruction].filter((part) => part.trim() !== '').join('\n\n')
  const messages: Message[] = [{ role: 'user', content: askedQuestion }]
  for (const { completion, observation, guidance } of rounds) {
    if (completion.trim() === '') continue
    messages.push({ role: 'assistant', content: completion })
    if (observation !== null)
      messages.push({
        role: 'user',
        content: guidance === undefined ? observation : `${observation}\n\n${guidance}`,
      })
  }
  const answer = question?.answer ?? ''
  if (messages.length === 1 && answer.trim() !== '') messages.push({ role: 'assistant', content: answer })
  // What nobody answered any more teaches nothing.
  while (messages.at(-1)?.role === 'user') messages.pop()
  return messages
}

/** Whether a model may be trained on an attempt: not on one that nobody judged or confirmed. */
export const teaches = ({ heldOut, ungraded, probation, finish }: Trajectory): boolean =>
  heldOut !== true && ungraded === undefined && probation === undefined && finish !== 'context-overflow'

/** Two replies to the same dialog, of which one led to a solved task and the other did not. */
export interface Preference {
  readonly prompt: readonly Message[]
  readonly chosen: Message
  readonly rejected: Message
  readonly task: string
}

/** Attempts of one task that are compared with each other, at most of each outcome. */
const MOST_OF_TASK = 8

/**
 * Pairs of attempts at the same task that ended differently, each where they part: the dialog up to there, and the two replies. Attempts of all tasks
 * are in memory.
 */
export async function* preferencesOf(source: FormatSource, signal?: AbortSignal): AsyncGenerator<Preference> {
  const tasks = new Map<
    string,
    { readonly solved: Message[][]; readonly failed: Message[][]; readonly task: string }
  >()
  for await (const attempt of source.trajectories()) {
    signal?.throwIfAborted()
    if (!teaches(attempt)) continue
    const { environment, instruction, context, id } = attempt.task
    const key = JSON.stringify([environment, instruction, context])
    const record = tasks.get(key) ?? { solved: [], failed: [], task: id }
    tasks.set(key, record)
    const list = attempt.reward === 1 ? record.solved : record.failed
    const dialog = dialogOf(attempt)
    if (dialog.length > 1 && list.length < MOST_OF_TASK) list.push(dialog)
  }
  for (const { solved, failed, task } of tasks.values()) {
    const noticeSet = new Set<string>()
    for (const good of solved)
      for (const bad of failed) {
        const pair = partingOf(good, bad)
        const key = JSON.stringify(pair)
        if (pair === null || noticeSet.has(key)) continue
        noticeSet.add(key)
        yield { ...pair, task }
      }
  }
}

/** Where two dialogs part: at replies to the same messages; null where they part at what came back, or not at all. */
function partingOf(good: readonly Message[], bad: readonly Message[]): Omit<Preference, 'task'> | null {
  const at = good.findIndex((message, i) => message.content !== bad[i]?.content)
  const [chosenMessage, rejected] = [good[at], bad[at]]
  if (at < 1 || chosenMessage?.role !== 'assistant' || rejected?.role !== 'assistant') return null
  return { prompt: good.slice(0, at), chosen: chosenMessage, rejected }
}
