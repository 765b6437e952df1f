import type { Trajectory } from '../../shared/domain/trajectory'
import type { Environment, StepOutcome } from '../ground/environment'
import type { QuestionEnvironment } from '../ground/question-environment'
import type { AgentReply } from '../ground/replies/read-reply'
import { readSettings } from '../ground/settings'
import type { QuestionEntry } from '../tasks/qa/entry'
import { gradeAnswer, type Judge } from '../tasks/qa/grade'
import { runAttempt, type AttemptEvents, type AttemptInput } from './actor'
import { AGENT } from './settings'

/**
 * One reply to a question, with what is recalled, in the form that is set for attempts, and without plan and tools. A reply that was cut is no
 * answer.
 *
 * @param judge whoever judges open questions; null where the references decide
 * Rejects as `runAttempt` does.
 */
export async function runDirectAnswer(
  input: Omit<AttemptInput, 'environment' | 'softPrompt'> & { readonly environment: QuestionEnvironment },
  entry: QuestionEntry,
  judge: Judge | null,
  events: AttemptEvents,
): Promise<Trajectory> {
  const { task, environment } = input
  const { level, dataset } = entry
  let question: NonNullable<Trajectory['question']> = { level, dataset, answer: null, grades: null }
  const step = async (reply: string | AgentReply): Promise<StepOutcome> => {
    const { text, cut = false } = typeof reply === 'string' ? { text: reply } : reply
    const content = text.trim()
    const answer = cut || content === '' ? null : content
    const { grades, reward, ungraded } = await gradeAnswer(task.instruction, entry, answer, judge, {
      tests: environment.tests ?? null,
      by: readSettings(AGENT, input.context.settings).grade,
      signal: input.signal,
    })
    question = { ...question, answer, grades }
    return {
      done: true,
      action: content === '' ? { kind: 'invalid', reason: 'An empty reply.' } : { kind: 'answer', content },
      observation: null,
      finish: cut ? 'output-limit' : content === '' ? 'invalid-action' : 'completed',
      reward,
      ...(ungraded === undefined ? {} : { ungraded }),
    }
  }
  const world: Environment = {
    id: environment.id,
    maxRounds: 1,
    systemPrompt: environment.directPrompt,
    open: () => ({ context: '', step, close: () => undefined }),
  }
  const trajectory = await runAttempt({ ...input, environment: world }, events)
  return { ...trajectory, question }
}
