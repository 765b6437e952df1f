import type { ForeignChat } from '../../core/memory/experiences/import/foreign-chat'
import type { AskInfo } from '../../shared/domain/ask'

/** How a conversation of another program stands among the asks: new, here, or deleted here. */
export type ChatStanding = 'fresh' | 'there' | 'deleted'

/** What a conversation comes in with. */
export interface ChatArrival {
  readonly memoryId: string
  /** Its project; null for none. */
  readonly project: string | null
  readonly importId: string
  /** ISO time: of what its log gives no time. */
  readonly now: string
}

/** Conversations with other programs, which come in as asks. Nothing is learned from them. */
export interface ImportedAsks {
  standing(chat: ForeignChat): ChatStanding
  /** Keeps a conversation that is new as an ask, in the place of an earlier state of it that nobody went on with. Answers its id. @throws LoamError `DISK_FULL`, `DISK_WRITE` */
  takeChat(chat: ForeignChat, arrival: ChatArrival): Promise<string>
  /** The asks of an import that the person went on with or judged. */
  goneOnWith(importId: string): AskInfo[]
  /** Takes the asks of an import away, but for those that the person went on with, and brings back what they stood in for; both as numbers. */
  undoChats(importId: string): Promise<{ readonly removed: number; readonly restored: number }>
}
