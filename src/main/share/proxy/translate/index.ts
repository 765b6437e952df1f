import type { UpstreamDialect } from '../../../../shared/domain/sharing'
import type { Json } from '../dialects/dialect'
import type { TranslatedRequest } from './losses'
import { anthropicToChat, chatToAnthropic } from './requests'
import { responsesToChat } from './responses-to-chat'

export type { UpstreamDialect }

const SPOKEN: Readonly<Record<UpstreamDialect, readonly string[]>> = {
  'openai-responses': ['openai-chat', 'openai-responses', 'openai-completions'],
  'openai-chat': ['openai-chat', 'openai-completions'],
  'anthropic-messages': ['anthropic-messages'],
}

/** What a server of this address speaks, where that can be told; null: it gets every request as it is. */
export function upstreamDialectOf(base: URL): UpstreamDialect | null {
  if (base.hostname === 'api.anthropic.com' || /\/anthropic(?:\/|$)/.test(base.pathname))
    return 'anthropic-messages'
  return base.hostname === 'api.openai.com' ? 'openai-responses' : null
}

type Translate = (body: Json) => TranslatedRequest

/** How requests of one dialect go to a server of another one. */
export interface Translation {
  readonly translate: Translate
  /** The dialect that the answer comes in, and the path that is asked. */
  readonly answers: string
  readonly path: string
}

const TO_CHAT: Readonly<Record<string, Translate>> = {
  'anthropic-messages': anthropicToChat,
  'openai-responses': responsesToChat,
}

/** `as-it-is` where a server speaks a client's dialect; null where it cannot be translated. */
export function translationOf(
  client: string,
  upstream: UpstreamDialect | null,
): Translation | 'as-it-is' | null {
  if (upstream === null || SPOKEN[upstream].includes(client)) return 'as-it-is'
  const toChat = TO_CHAT[client]
  if (upstream !== 'anthropic-messages')
    return toChat ? { translate: toChat, answers: 'openai-chat', path: '/v1/chat/completions' } : null
  const toAnthropic = { answers: 'anthropic-messages', path: '/v1/messages' }
  if (client === 'openai-chat') return { translate: chatToAnthropic, ...toAnthropic }
  if (!toChat) return null
  return {
    ...toAnthropic,
    translate(body) {
      const chat = toChat(body)
      const { body: translated, lost } = chatToAnthropic(chat.body)
      // Fields that Chat alone knows were said to it by the client's.
      return { body: translated, lost: [...new Set([...chat.lost, ...lost])] }
    },
  }
}
