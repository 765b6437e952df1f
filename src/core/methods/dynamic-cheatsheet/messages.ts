import type { ChatMessage } from '../../ground/ports'
import { retell, retellTogether, taskText, type Retelling } from '../../ground/prompt'
import { textForm } from '../../ground/writing'

/** The templates: written anew after an attempt (DC-Cu), and before one (DC-RS). */
export const CURATE = 'dynamic-cheatsheet-curate'
export const SYNTHESIZE = 'dynamic-cheatsheet-synthesize'

/** Characters of a cheatsheet. */
const LONGEST = 1200

/** `{"cheatsheet": text}`. */
export const CHEATSHEET_FORM = textForm(CURATE, 'cheatsheet', LONGEST)

const sheetText = (before: string): string => `Cheatsheet so far:\n${before === '' ? '(empty)' : before}`

/** The curator's question after an attempt: the cheatsheet as it is, then the attempt. Reply: `CHEATSHEET_FORM`. */
export const curateMessages = (template: string, before: string, attempt: Retelling): ChatMessage[] => [
  { role: 'system', content: template },
  { role: 'user', content: `${sheetText(before)}\n\n${retell(attempt)}` },
]

/** The curator's question before an attempt: the cheatsheet as it is, the attempts at tasks like it, the task. Reply: `CHEATSHEET_FORM`. */
export const synthesizeMessages = (
  template: string,
  before: string,
  attempts: readonly Retelling[],
  task: { readonly instruction: string; readonly context: string },
): ChatMessage[] => [
  { role: 'system', content: template },
  {
    role: 'user',
    content: [
      sheetText(before),
      ...(attempts.length > 0 ? [`Past attempts:\n\n${retellTogether(attempts).join('\n\n')}`] : []),
      `Next task:\n${taskText(task.instruction, task.context)}`,
    ].join('\n\n'),
  },
]
