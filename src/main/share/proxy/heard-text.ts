import type { ChatMessage } from '../../../core/ground/chat'

/** Characters of a message that memory reads and keeps, half from its beginning and half from its end. */
const LONGEST = 64 * 1024
const MIDDLE = '\n[the middle is left out]\n'

/** A text without its middle where it is longer than `most` characters. */
export function heardText(text: string, most = LONGEST): string {
  if (text.length <= most) return text
  const half = Math.max(0, Math.floor((most - MIDDLE.length) / 2))
  return text.slice(0, half) + MIDDLE + text.slice(text.length - half)
}

/** A message as far as memory reads it. */
export const heardMessage = <Message extends ChatMessage>(message: Message): Message =>
  message.content.length <= LONGEST ? message : { ...message, content: heardText(message.content) }
