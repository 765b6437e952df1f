import { CHARACTERS_PER_TOKEN } from '../../ground/fit-form'
import type { MethodContext } from '../../ground/method'
import type { ChatMessage } from '../../ground/ports'
import type { AttemptRoom } from './messages'

/** Whoever writes: the writer where there is one. */
export type Reader = Pick<MethodContext, 'model' | 'writer'>

/** Share of the context that what an attempt was shown may take with judge and reflector, and its dialog where it has to be shortened. */
const SHOWN = 1 / 6
const DIALOG = 1 / 2
/** How often the room of an attempt is halved before it is left to the model to refuse. */
const HALVINGS = 4
/** Tokens of a chat template around the messages. */
const TEMPLATE = 96
/** Share of the context that a reply may take at most. */
const REPLY = 1 / 4

const readerOf = ({ model, writer }: Reader) => writer ?? model

/** Whether messages leave room for a reply of so many tokens in the context of whoever reads them. */
export async function fits(
  messages: readonly ChatMessage[],
  replyTokens: number,
  reader: Reader,
  signal?: AbortSignal,
): Promise<boolean> {
  const model = readerOf(reader)
  const counts = await model.countTokens(
    messages.map(({ content }) => content),
    { signal },
  )
  const reply = Math.min(replyTokens, model.contextSize * REPLY)
  return counts.reduce((sum, count) => sum + count, TEMPLATE + reply) <= model.contextSize
}

/** The whole dialog first, then less of it and of what was shown. */
function roomsIn(contextSize: number): AttemptRoom[] {
  const characters = contextSize * CHARACTERS_PER_TOKEN
  const shownCount = Math.floor(characters * SHOWN)
  const shorter = Array.from({ length: HALVINGS }, (_, n) => ({
    shown: Math.floor(shownCount / 2 ** n),
    dialog: Math.floor((characters * DIALOG) / 2 ** n),
  }))
  return [{ shown: shownCount, dialog: Number.POSITIVE_INFINITY }, ...shorter]
}

/** What judge or reflector is asked about an attempt, with as much of it as their context holds. */
export async function askAbout(
  ask: (room: AttemptRoom) => ChatMessage[],
  replyTokens: number,
  reader: Reader,
  signal?: AbortSignal,
): Promise<ChatMessage[]> {
  let messages: ChatMessage[] = []
  for (const room of roomsIn(readerOf(reader).contextSize)) {
    messages = ask(room)
    if (await fits(messages, replyTokens, reader, signal)) break
  }
  return messages
}
