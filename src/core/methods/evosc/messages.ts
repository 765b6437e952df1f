import type { Finish } from '../../../shared/domain/trajectory'
import { inScope, retellTogether, type Retelling } from '../../ground/prompt'
import type { ChatMessage } from '../../ground/ports'
import { textForm } from '../../ground/writing'

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
  budget: 'The tokens or the time for the task were used up.',
}

/** `{"lesson": text}`, at most 300 characters. */
export const LESSON_FORM = textForm('evosc-lesson', 'lesson')

/**
 * Exp_c = LLM(P_c, C_s, C_f) (EvoSC eq. 3): the template, then the solved attempts, the failed one, and how it ended.
 * Reply: `LESSON_FORM`.
 */
export function errorLessonMessages(
  template: string,
  successes: readonly Retelling[],
  failure: FailedAttempt,
): ChatMessage[] {
  const attempts = [...successes, failure]
  const dialogs = retellTogether(attempts)
  return [
    { role: 'system', content: inScope(template, attempts) },
    { role: 'user', content: `${dialogs.join('\n\n')}\nEnd: ${ENDINGS[failure.finish]}` },
  ]
}

/** Exp_s = LLM(P_s, C_s(i), C_s(j)) (EvoSC eq. 4): the template, then two different solved attempts. Reply: `LESSON_FORM`. */
export function successLessonMessages(template: string, first: Retelling, second: Retelling): ChatMessage[] {
  return [
    { role: 'system', content: inScope(template, [first, second]) },
    { role: 'user', content: retellTogether([first, second]).join('\n\n') },
  ]
}
