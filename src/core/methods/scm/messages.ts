import { retell, taskText, type Retelling } from '../../ground/prompt'
import type { ChatMessage } from '../../ground/ports'
import { textField, textForm, declareForm } from '../../ground/writing'
import { exactObject } from '../../ground/exact-object'

/** `{"answer": "yes"}` or `{"answer": "no"}`; read as a boolean. */
export const YES_NO_FORM = declareForm<boolean>('scm-controller', {
  schema: exactObject({ answer: { enum: ['yes', 'no'] } }),
  read(value) {
    const answer = textField(value, 'answer')
    return answer === 'yes' ? true : answer === 'no' ? false : undefined
  },
})

/** `{"summary": text}`, at most 300 characters. */
export const SUMMARY_FORM = textForm('scm-summary', 'summary')

/** The controller's first question: does this task need memory? Reply: `YES_NO_FORM`. */
export const needMessages = (template: string, instruction: string, context: string): ChatMessage[] => [
  { role: 'system', content: template },
  { role: 'user', content: taskText(instruction, context) },
]

/** The controller's second question: is the summary of an attempt enough for this task? Reply: `YES_NO_FORM`. */
export const enoughMessages = (template: string, summary: string, instruction: string): ChatMessage[] => [
  { role: 'system', content: template },
  { role: 'user', content: `Summary: ${summary}\nTask: ${instruction}` },
]

/** The summary of one attempt for the memory stream. Reply: `SUMMARY_FORM`. */
export const summaryMessages = (template: string, attempt: Retelling): ChatMessage[] => [
  { role: 'system', content: template },
  { role: 'user', content: retell(attempt) },
]
