import { isForeign } from '../../shared/domain/trust'
import type { FactForm } from '../../shared/domain/model-profile'
import type { ChatMessage } from '../ground/chat'
import { NOTHING_RECALLED, type PromptParts, type RecalledPart } from '../ground/method'

const listOf = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `${title}\n${lines.map((line) => `- ${line}`).join('\n')}\n\n`
const blockOf = (title: string, texts: readonly string[]): string =>
  texts.length === 0 ? '' : `${title}\n\n${texts.join('\n\n')}\n\n`

/** What the agent replies to a fact that stands as a turn. */
const NOTED = 'I will remember that.'

/** What is known, in short: one line each. */
const shortTexts = ({ retrieved }: PromptParts, { best }: FactForm): string[] => {
  const texts = retrieved.filter(({ text }) => !text.trim().includes('\n')).map(({ text }) => text.trim())
  return best === 'first' ? texts : texts.reverse()
}

/** Facts that stand before the question as turns of the dialog; none where they are a list. */
export const knownTurns = (parts: PromptParts, form: FactForm): ChatMessage[] =>
  form.place === 'list'
    ? []
    : shortTexts(parts, form).flatMap((content): ChatMessage[] => [
        { role: 'user', content },
        { role: 'assistant', content: NOTED },
      ])

/**
 * What an ask's model reads in one message with the question: passages of files, longer work that was right, advice, and what is known as a list
 * where it does not stand as turns. Empty where nothing was recalled.
 */
export function knownText(parts: PromptParts, form: FactForm): string {
  const long = parts.retrieved.filter(({ text }) => text.trim().includes('\n')).map(({ text }) => text.trim())
  const advice = [...parts.errorLessons, ...parts.successLessons].map(({ text }) => text.trim())
  return (
    blockOf(
      'From files:',
      (parts.documents ?? []).map(({ text }) => text.trim()),
    ) +
    blockOf('Work on an earlier task, done well:', long) +
    listOf('Advice:', advice) +
    (form.place === 'list' ? listOf('What is known:', shortTexts(parts, form)) : '')
  )
}

/** Words of a question from which on it asks for more than one thing. */
const LONGEST_QUESTION = 15
/** The best of the facts that were recalled for a short question, as an answer: a model repeats it hardly in a language that it does not write; empty for any other message, and for what others told. */
export function factAlone({ retrieved }: Pick<PromptParts, 'retrieved'>, question: string): string {
  const isShort = question.trim().endsWith('?') && question.split(/\s+/).length <= LONGEST_QUESTION
  const [best] = retrieved.filter(({ item: { trust } }) => !(trust && isForeign(trust)))
  const text = isShort ? (best?.text.trim() ?? '') : ''
  return text.includes('\n') ? '' : text
}

/** A question with what is known about it, as asks show it: at most `form.most` of what was recalled, which comes the best first. */
export function knownMessages(
  parts: readonly RecalledPart[],
  question: string,
  form: FactForm,
): ChatMessage[] {
  const most = { ...NOTHING_RECALLED, retrieved: parts.slice(0, form.most) }
  const text = [knownText(most, form).trimEnd(), question].filter((part) => part !== '').join('\n\n')
  return [...knownTurns(most, form), { role: 'user', content: text }]
}
