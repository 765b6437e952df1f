import { isRecord } from '../../ground/record'
import type { DialogMessage } from '../../memory/experiences/import/dialog-message'
import { messagesIn } from '../../memory/experiences/import/message'

const textMessage = (role: 'user' | 'agent', text: unknown): DialogMessage[] =>
  typeof text === 'string' && text.trim() !== '' ? [{ role, text }] : []

/** What text-generation-webui writes for a person who said nothing before the first answer. */
const GREETED = '<|BEGIN-VISIBLE-CHAT|>'

/** The text of an answer that a program keeps in parts, each with its `value`; parts without one are what was looked at on the way. */
const joined = (parts: unknown): unknown =>
  Array.isArray(parts)
    ? parts
        .flatMap((part: unknown) =>
          isRecord(part) && typeof part['value'] === 'string' ? [part['value']] : [],
        )
        .join('')
    : parts

/**
 * One turn as programs for conversations write it that name no role: what was asked beside its answer (text-generation-webui's pairs, AnythingLLM's rows,
 * Copilot's requests), or a text and whether the person wrote it (SillyTavern). Any other value: the messages with a role in it. Empty for none.
 */
export function messagesOfTurn(value: unknown): DialogMessage[] {
  if (Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === 'string')) {
    const [request = '', answer = ''] = value as string[]
    return [...textMessage('user', request === GREETED ? '' : request), ...textMessage('agent', answer)]
  }
  if (!isRecord(value)) return messagesIn(value)
  const { is_user, mes, prompt, response, message } = value
  if (typeof is_user === 'boolean') return textMessage(is_user ? 'user' : 'agent', mes)
  if (response !== undefined) {
    const request = isRecord(message) ? message['text'] : prompt
    if (typeof request === 'string')
      return [...textMessage('user', request), ...textMessage('agent', joined(response))]
  }
  return messagesIn(value)
}
