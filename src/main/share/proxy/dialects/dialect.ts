import type { ChatMessage } from '../../../../core/ground/chat'
import { isRequest, personWords } from '../../../../core/memory/experiences/import/sessions'
import type { Place } from '../json-places'
import { heardText } from '../heard-text'

/** A message of a request, with where memory can be put before the person's words; null where it cannot. */
export interface ReadMessage {
  readonly message: ChatMessage
  readonly place: Place | null
  /** Of a message in the person's name all of its text, with what programs put in beside. */
  readonly whole?: string
}

/** What memory needs of a request. */
export interface ReadRequest {
  /** As the client names it; empty where the request does not say. */
  readonly model: string
  /** Texts that stand before the dialog are its first messages, of the role `system`. */
  readonly messages: readonly ReadMessage[]
  /** Tools that are offered. */
  readonly tools: number
  readonly maxTokens: number | null
  /** The form the reply is to have; null for text, `{}` for any JSON. */
  readonly schema: Readonly<Record<string, unknown>> | null
  /** The answer that this one goes on from, where the server holds the dialog. */
  readonly previous: string | null
}

/** What memory needs of an answer. */
export interface ReadAnswer {
  text: string
  /** By their place in the answer; `input` is JSON, `id` empty where the server gives none. */
  readonly calls: Map<number | string, { id: string; name: string; input: string }>
  /** Why it ended, in the server's word; null where it did not say. */
  finish: string | null
  /** Those from the server's cache are among them. */
  promptTokens: number
  completionTokens: number
  cachedTokens: number
  /** Null where the server names none. */
  id: string | null
}

export const emptyAnswer = (): ReadAnswer => ({
  ...{ text: '', calls: new Map(), finish: null, id: null },
  ...{ promptTokens: 0, completionTokens: 0, cachedTokens: 0 },
})

/** How one kind of request is read. A reader never changes what passes; what it cannot read it leaves out. */
export interface Dialect {
  readonly id: string
  /** Whether a path, without its query, is one of its requests. */
  readonly isAt: (path: string) => boolean
  /** Null where there is nothing to remember in the request. */
  readonly read: (body: Json) => ReadRequest | null
  /** Takes in one message of the answer: a whole one, or an event of a stream. */
  readonly take: (answer: ReadAnswer, event: Json) => void
}

/** A JSON object of somebody else's. */
export type Json = Readonly<Record<string, unknown>>

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const objectIn = (value: unknown): Json => (isJson(value) ? value : {})
export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')
export const numberIn = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/** Arguments as they are written, or as an object. */
export const inputText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? {})

/** Arguments of a call in a request; empty where they are no object. */
export function readInput(value: unknown): Json {
  if (typeof value !== 'string') return objectIn(value)
  try {
    return objectIn(JSON.parse(value))
  } catch {
    return {}
  }
}

/** Messages as they were sent: what a program put beside the person's words is for the model all the same. */
export const sentMessages = (messages: readonly ReadMessage[]): ChatMessage[] =>
  messages.map(({ message, whole }) => (whole === undefined ? message : { ...message, content: whole }))

/** The text of content: a string, or parts of which some are text. */
export const contentText = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : listIn(content)
        .map((part) => textIn(objectIn(part)['text']))
        .filter((text) => text !== '')
        .join('\n')

/**
 * A message in the person's name, with the place before their words: in a string at its head, in parts before the last one that a person wrote. What a
 * program put in beside (reminders, output of commands) is no part of its text.
 */
export function personMessage(
  content: unknown,
  path: Place['path'],
  part: (text: string) => object,
): ReadMessage | null {
  if (typeof content === 'string') {
    const text = heardText(content)
    return {
      message: { role: 'user', content: personWords(text) || text },
      place: { path, part: null },
      whole: content,
    }
  }
  const texts = listIn(content).flatMap((item, index) => {
    const text = heardText(textIn(objectIn(item)['text']))
    return text === '' ? [] : [{ text, index }]
  })
  const words = texts.filter(({ text }) => isRequest(text))
  const own = words.length > 0 ? words : texts
  const last = own.at(-1)
  if (!last)
    return listIn(content).length === 0 ? null : { message: { role: 'user', content: '' }, place: null }
  return {
    message: { role: 'user', content: own.map(({ text }) => personWords(text) || text).join('\n') },
    place: { path: [...path, last.index], part },
    whole: contentText(content),
  }
}
