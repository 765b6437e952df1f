import type { AskInfo } from '../../shared/domain/ask'
import type { LoamClient } from '../client-type'
import type { createDraftKeeper } from './draft-keeper'
import { errorShape } from './error-shape'

/** A file that goes with a message that is being written. */
export interface DraftFile {
  readonly name: string
  readonly base64: string
  readonly bytes: number
}

/** The next message of an ask while it is written. */
export interface ReplyDraft {
  readonly text: string
  readonly files: readonly DraftFile[]
  /** Typed before its field was there, which takes the focus once it is. */
  readonly isAhead?: boolean
}
export const EMPTY_REPLY: ReplyDraft = { text: '', files: [] }

/** Files as the host takes them. */
export const handed = (files: readonly DraftFile[]) => files.map(({ name, base64 }) => ({ name, base64 }))

/**
 * Says the next message of an ask that rests. Where work on it has begun that this window has not heard of yet, the message waits for its turn; one with
 * files is refused then.
 */
export const sayNext = (
  asks: Pick<LoamClient['asks'], 'say' | 'queue'>,
  message: Parameters<LoamClient['asks']['say']>[0],
): Promise<unknown> =>
  asks.say(message).catch((error: unknown) => {
    if (errorShape(error).code !== 'CONFLICT' || (message.files?.length ?? 0) > 0) throw error
    return asks.queue({ askId: message.askId, text: message.text })
  })

interface Replies {
  readonly replies: Readonly<Record<string, ReplyDraft>>
}

interface NextMessagesDeps {
  get(): Replies & { readonly asks: readonly AskInfo[] }
  set(change: (state: Replies) => Replies): void
  readonly keeper: ReturnType<typeof createDraftKeeper>
  /** Asks the host for something; resolves to whether it was taken. */
  command(act: () => Promise<unknown>): Promise<boolean>
}

/** What is done with the next messages of asks. */
export function nextMessages({ get, set, keeper, command }: NextMessagesDeps) {
  const current = (askId: string): ReplyDraft => get().replies[askId] ?? EMPTY_REPLY
  const show = (askId: string, reply: ReplyDraft): void =>
    set(({ replies }) => ({ replies: { ...replies, [askId]: reply } }))

  /** Changes the next message of an ask. */
  function writeReply(askId: string, change: Partial<ReplyDraft>): void {
    const reply = { ...current(askId), ...change }
    show(askId, reply)
    if (get().asks.some(({ id, temporary }) => id === askId && temporary)) return
    keeper.keep({ key: askId, text: reply.text, ...(change.files && { files: handed(reply.files) }) })
  }

  return {
    writeReply,
    /**
     * Empties the next message of an ask for `work` that sends it, so that what is typed meanwhile is another one. What the host keeps of it stays
     * until it is taken; one that is refused stands before what was typed since.
     */
    async sendReply(askId: string, work: () => Promise<unknown>): Promise<void> {
      const sent = current(askId)
      show(askId, EMPTY_REPLY)
      const isTaken = await command(work)
      const since = current(askId)
      const texts = [sent.text, since.text].filter((text) => text !== '')
      writeReply(askId, isTaken ? since : { text: texts.join('\n'), files: [...sent.files, ...since.files] })
      if (isTaken) keeper.flush()
    },
  }
}
