import type { ChatMessage } from '../../ground/ports'
import { retell, type Retelling } from '../../ground/prompt'
import { declareForm, isRecord, textField } from '../../ground/writing'

/** A strategy as the model writes it. */
export interface StrategyText {
  readonly title: string
  readonly description: string
  readonly content: string
}

/** Most strategies of one attempt (ReasoningBank, appendix A). */
const MOST = 3
const TITLE = 80
const DESCRIPTION = 160
const CONTENT = 400

/** `{"strategies": [{"title", "description", "content"}]}`: 1 to 3 of them. */
export const STRATEGIES_FORM = declareForm<readonly StrategyText[]>('reasoning-bank-strategies', {
  schema: {
    type: 'object',
    properties: {
      strategies: {
        type: 'array',
        minItems: 1,
        maxItems: MOST,
        items: {
          type: 'object',
          properties: {
            title: { type: 'string', maxLength: TITLE },
            description: { type: 'string', maxLength: DESCRIPTION },
            content: { type: 'string', maxLength: CONTENT },
          },
          required: ['title', 'description', 'content'],
          additionalProperties: false,
        },
      },
    },
    required: ['strategies'],
    additionalProperties: false,
  },
  read(value) {
    const listed = isRecord(value) ? value['strategies'] : undefined
    if (!Array.isArray(listed)) return undefined
    const written = listed.flatMap((each: unknown): StrategyText[] => {
      const [title, description, content] = ['title', 'description', 'content'].map((name) =>
        textField(each, name),
      )
      return title && content ? [{ title, description: description ?? '', content }] : []
    })
    return written.length === 0 ? null : written.slice(0, MOST)
  },
})

/** What strategies are drawn from: the template for solved or failed attempts, then the attempt. Reply: `STRATEGIES_FORM`. */
export const strategyMessages = (template: string, attempt: Retelling): ChatMessage[] => [
  { role: 'system', content: template },
  { role: 'user', content: retell(attempt) },
]

/** A strategy as it is shown to the agent. */
export const strategyText = ({ title, description, content }: StrategyText): string =>
  [`Strategy: ${title}`, description, content].filter((part) => part !== '').join('\n')
