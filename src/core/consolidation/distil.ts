import type { Trajectory } from '../../shared/domain/trajectory'
import { NOTHING_RECALLED, type PromptParts } from '../ground/method'
import { buildMessages } from '../ground/prompt'
import { replayed } from '../methods/replay/replay'
import type { ChatMessage } from '../ground/ports'
import type { DistilledAttempt } from './plan'
import type { ExpertRound, TeacherDistribution, TrainingSample } from './samples'
import { samplesOf } from './samples'

/** What distilling needs of a language model. */
export interface Expert {
  /** The reply to these messages, greedily; null when it was cut off. Throws `CONTEXT_OVERFLOW`. */
  reply(messages: readonly ChatMessage[]): Promise<string | null>
  tokenize(
    messages: readonly ChatMessage[],
    reply: string,
  ): Promise<{
    readonly prompt: readonly number[]
    readonly reply: readonly number[]
    readonly softAt: number
  }>
  /** Per token of the reply, what was likeliest there; null when only tokens are learned. */
  readonly distributions:
    ((messages: readonly ChatMessage[], reply: string) => Promise<readonly TeacherDistribution[]>) | null
}

/**
 * The samples of one attempt: for every round the expert action A* (eq. 5), which the LLM writes when it sees E_many and the
 * dialog so far, as what the student has to write in each of its views: lessons, E_few and the same dialog (eq. 6 and 7). `actions`
 * `recorded` takes what the attempt itself did in the place of A*; so does a round whose A* was cut off or is empty.
 */
export async function distilAttempt(
  { attempt, many, views }: DistilledAttempt,
  systemPrompt: string,
  actions: 'teacher' | 'recorded',
  expert: Expert,
): Promise<TrainingSample[]> {
  const messagesFor = (parts: Partial<PromptParts>, shown: readonly Trajectory[], round: number) =>
    buildMessages({
      systemPrompt,
      parts: { ...NOTHING_RECALLED, ...parts, retrieved: replayed(shown, attempt.task) },
      instruction: attempt.task.instruction,
      context: attempt.task.context,
      rounds: attempt.rounds.slice(0, round),
    })
  const done: { readonly action: string; readonly taught: readonly TeacherDistribution[] | null }[] = []
  for (const { index, completion } of attempt.rounds) {
    const teacher = messagesFor({}, many, index)
    const written = actions === 'teacher' ? await expert.reply(teacher) : null
    const action = written === null || written.trim() === '' ? completion : written
    done.push({ action, taught: expert.distributions && (await expert.distributions(teacher, action)) })
  }
  const samples: TrainingSample[] = []
  for (const { group, few, lessons } of views) {
    const rounds: ExpertRound[] = []
    let softAt = 0
    for (const [round, { action, taught }] of done.entries()) {
      const tokens = await expert.tokenize(messagesFor(lessons, few, round), action)
      softAt = tokens.softAt
      rounds.push({ prompt: tokens.prompt, action: tokens.reply, ...(taught && { teacher: taught }) })
    }
    samples.push(...samplesOf(attempt.id, rounds, softAt).map((sample) => ({ ...sample, group })))
  }
  return samples
}
