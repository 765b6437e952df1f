import type { Trajectory } from '../../shared/domain/trajectory'
import { buildMessages } from '../ground/prompt'
import { replayed } from '../methods/replay/replay'
import type { ChatMessage } from '../ground/ports'
import type { ExpertRound, TeacherDistribution, TrainingSample } from './samples'
import { samplesOf } from './samples'

/** One attempt to learn from, with what the teacher and the student are shown of others. All newest first. */
export interface DistilledAttempt {
  readonly attempt: Trajectory
  /** E_many of EvoSC's eq. 5. */
  readonly many: readonly Trajectory[]
  /** E_few of eq. 6, a part of E_many without the attempt itself. */
  readonly few: readonly Trajectory[]
}

/**
 * Which attempts are learned from, and from what. Takes the newest `most` successes with different tasks. The teacher sees each
 * attempt itself and the newest others, `teacher` in all: it then acts on what the attempt found out, instead of finding it out
 * again, and that knowledge is what the student has to get from P_theta. The student sees the newest `student` of the others.
 */
export function planDistillation(
  newestFirst: readonly Trajectory[],
  teacher: number,
  student: number,
  most: number,
): DistilledAttempt[] {
  const seen = new Set<string>()
  const different = newestFirst.filter(({ task }) => {
    const key = `${task.instruction}\n${task.context}`
    return !seen.has(key) && seen.add(key)
  })
  return different.slice(0, most).map((attempt) => {
    const others = different.filter((other) => other !== attempt).slice(0, teacher - 1)
    const many = different.filter((one) => one === attempt || others.includes(one))
    return { attempt, many, few: others.slice(0, student) }
  })
}

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
 * dialog so far, as what the student has to write when it sees E_few and the same dialog (eq. 6). `actions` `recorded` takes
 * what the attempt itself did in the place of A*; so does a round whose A* was cut off or is empty.
 */
export async function distilAttempt(
  { attempt, many, few }: DistilledAttempt,
  systemPrompt: string,
  actions: 'teacher' | 'recorded',
  expert: Expert,
): Promise<TrainingSample[]> {
  const messagesFor = (shown: readonly Trajectory[], round: number) =>
    buildMessages({
      systemPrompt,
      parts: { errorLessons: [], successLessons: [], retrieved: replayed(shown, attempt.task) },
      instruction: attempt.task.instruction,
      context: attempt.task.context,
      rounds: attempt.rounds.slice(0, round),
    })
  const rounds: ExpertRound[] = []
  let softAt = 0
  for (const { index, completion } of attempt.rounds) {
    const teacher = messagesFor(many, index)
    const written = actions === 'teacher' ? await expert.reply(teacher) : null
    const action = written === null || written.trim() === '' ? completion : written
    const tokens = await expert.tokenize(messagesFor(few, index), action)
    softAt = tokens.softAt
    const taught = expert.distributions && (await expert.distributions(teacher, action))
    rounds.push({ prompt: tokens.prompt, action: tokens.reply, ...(taught && { teacher: taught }) })
  }
  return samplesOf(attempt.id, rounds, softAt)
}
