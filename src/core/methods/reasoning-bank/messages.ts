import type { ChatMessage } from '../../ground/ports'
import { dialogText, retell, retellTogether, type Retelling } from '../../ground/prompt'
import { declareForm, declareForms, isRecord, textField } from '../../ground/writing'
import { exactObject } from '../../ground/exact-object'

/** A strategy as the model writes it. */
export interface StrategyText {
  readonly title: string
  readonly description: string
  readonly content: string
}

/** Most attempts at one task. */
export const MOST_ATTEMPTS = 8
/** Most strategies of one attempt (ReasoningBank, appendix A). */
const MOST = 3
const TITLE = 80
const DESCRIPTION = 160
const CONTENT = 400

/** `{"strategies": [{"title", "description", "content"}]}`: 1 to 3 of them. */
export const STRATEGIES_FORM = declareForm<readonly StrategyText[]>('reasoning-bank-strategies', {
  schema: exactObject({
    strategies: {
      type: 'array',
      minItems: 1,
      maxItems: MOST,
      items: exactObject({
        title: { type: 'string', maxLength: TITLE },
        description: { type: 'string', maxLength: DESCRIPTION },
        content: { type: 'string', maxLength: CONTENT },
      }),
    },
  }),
  read(value) {
    const listed = isRecord(value) ? value['strategies'] : undefined
    if (!Array.isArray(listed)) return undefined
    const texts = listed.flatMap((each: unknown): StrategyText[] => {
      const [title, description, content] = ['title', 'description', 'content'].map((name) =>
        textField(each, name),
      )
      return title && content ? [{ title, description: description ?? '', content }] : []
    })
    return texts.length === 0 ? null : texts.slice(0, MOST)
  },
})

/** What strategies are drawn from: the template for solved or failed attempts, then the attempt. Reply: `STRATEGIES_FORM`. */
export const strategyMessages = (template: string, attempt: Retelling): ChatMessage[] => [
  { role: 'system', content: template },
  { role: 'user', content: retell(attempt) },
]

/** Self-contrast: what strategies are drawn from several attempts at one task with. Reply: `STRATEGIES_FORM`. */
export const contrastMessages = (template: string, attempts: readonly Retelling[]): ChatMessage[] => [
  { role: 'system', content: template },
  {
    role: 'user',
    content: retellTogether(attempts)
      .map((text, i) => `Attempt ${i + 1}\n${text}`)
      .join('\n\n'),
  },
]

/** An attempt without how it ended: a judge of attempts and the agent that made it are not told. */
const withoutVerdict = ({ instruction, rounds }: Retelling): string => `${instruction}\n${dialogText(rounds)}`

/** Which of several attempts is best, by the dialogs alone. Reply: `choiceForm`. */
export const chooseMessages = (template: string, attempts: readonly Retelling[]): ChatMessage[] => [
  { role: 'system', content: template },
  {
    role: 'user',
    content: attempts.map((each, i) => `Attempt ${i + 1}: ${withoutVerdict(each)}`).join('\n\n'),
  },
]

/** `{"attempt": 2}`, a number from 1 to `count`. */
export const choiceForm = declareForms(
  'reasoning-bank-choose',
  (count: number) => ({
    schema: exactObject({ attempt: { enum: Array.from({ length: count }, (_, i) => i + 1) } }),
    read(value): number | undefined {
      const attempt = isRecord(value) ? value['attempt'] : undefined
      return typeof attempt === 'number' && Number.isInteger(attempt) && attempt >= 1 && attempt <= count
        ? attempt
        : undefined
    },
  }),
  () => [[2], [MOST_ATTEMPTS]],
)

/** What an agent that goes over its own attempt again is shown: the check instruction, then the attempt. */
export const checkText = (template: string, attempt: Retelling): string =>
  `${template.trim()}\n${withoutVerdict(attempt)}`

/** A strategy as it is shown to the agent. */
export const strategyText = ({ title, description, content }: StrategyText): string =>
  [`Strategy: ${title}`, description, content].filter((part) => part !== '').join('\n')
