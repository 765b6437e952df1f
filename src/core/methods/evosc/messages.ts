import type { Finish } from '../../../shared/domain/trajectory'
import { inScope, retellTogether, type Retelling } from '../../ground/prompt'
import type { ChatMessage } from '../../ground/ports'
import { declareForms, textField } from '../../ground/writing'
import { exactObject } from '../../ground/exact-object'

/** A failed attempt C_f, and how it ended. */
export interface FailedAttempt extends Retelling {
  readonly finish: Finish
}

const ENDINGS: Readonly<Record<Finish, string>> = {
  completed: 'The result was wrong.',
  'round-limit': 'No answer was given in time.',
  'invalid-action': 'The reply had no known form.',
  'context-overflow': 'The prompt was too long.',
  'output-limit': 'The reply was cut off because it was too long.',
  stopped: 'The reply was stopped before its end.',
  budget: 'The tokens or the time for the task were used up.',
}

/** Characters of a lesson, shortest first. */
const LENGTHS = [300, 600, 1200] as const
export type LessonLength = (typeof LENGTHS)[number]
/** Tokens of a context in which lessons have the shortest length. */
const SMALL_CONTEXT = 8192

/** Most characters of a lesson for who is shown it in a context of so many tokens: 300 up to 8,192, then 600, from 32,768 on 1,200. */
export const lengthFor = (contextSize: number): LessonLength =>
  contextSize <= SMALL_CONTEXT ? LENGTHS[0] : contextSize < 4 * SMALL_CONTEXT ? LENGTHS[1] : LENGTHS[2]

/** `{"lesson": text}`, of at most so many characters. */
export const lessonForm = declareForms(
  'evosc-lesson',
  (maxLength: LessonLength) => ({
    schema: exactObject({ lesson: { type: 'string', maxLength } }),
    read(value: unknown) {
      const text = textField(value, 'lesson')
      return text === undefined || text.length > maxLength ? undefined : text === '' ? null : text
    },
  }),
  () => LENGTHS.map((length) => [length] as const),
)

/**
 * Exp_c = LLM(P_c, C_s, C_f) (EvoSC eq. 3): the template, then the solved attempts, the failed one, and how it ended.
 * Reply: `lessonForm`. `whole` tells each attempt with all that its agent was shown.
 */
export function errorLessonMessages(
  template: string,
  successes: readonly Retelling[],
  failure: FailedAttempt,
  whole = false,
): ChatMessage[] {
  const attempts = [...successes, failure]
  const dialogs = retellTogether(attempts, whole)
  return [
    { role: 'system', content: inScope(template, attempts) },
    { role: 'user', content: `${dialogs.join('\n\n')}\nEnd: ${ENDINGS[failure.finish]}` },
  ]
}

/** Exp_s = LLM(P_s, C_s(i), C_s(j)) (EvoSC eq. 4): the template, then two different solved attempts. Reply: `lessonForm`. */
export function successLessonMessages(
  template: string,
  first: Retelling,
  second: Retelling,
  whole = false,
): ChatMessage[] {
  return [
    { role: 'system', content: inScope(template, [first, second]) },
    { role: 'user', content: retellTogether([first, second], whole).join('\n\n') },
  ]
}
