import type { ForeignChat } from '../../core/memory/experiences/import/foreign-chat'
import type { Found } from '../../core/memory/experiences/import/log'
import { addRedactions, redactAll, type Redactions } from '../../core/memory/experiences/import/redact'
import type { ReadingTally, RowPlace } from '../../shared/domain/reading'
import type { ChatDoor, IntakeChoice, OnChange, SeenItems } from './intake-options'
import { printOf, type Row } from './intake-rows'
import { ASKS, type KindTallies } from './kind-tallies'

/** What an import tells of its rows. */
interface Told {
  readonly tally: ReadingTally
  readonly kinds: KindTallies
  isSkipped(place: RowPlace, row: Row): boolean
  readonly onChange: OnChange
  readonly seen: SeenItems
}

/** Takes the conversations of a file in as asks. What is learned from a file is none of that. */
export class ChatIntake {
  redactions: Redactions = {}
  /** Files that came with messages and that the log does not hold. */
  #missing = 0

  constructor(
    readonly door: ChatDoor,
    readonly memoryId: string,
    readonly choice: IntakeChoice & { readonly now: string },
    readonly told: Told,
  ) {}

  async take({ place, chat: input }: Extract<Found, { kind: 'chat' }>): Promise<void> {
    const { tally, kinds, seen } = this.told
    const { chat, redactions } = redacted(input)
    const print = printOf(chat)
    const row = { kind: ASKS, id: print.slice(0, 20), said: { title: chat.title ?? chat.turns[0]?.text } }
    if (this.told.isSkipped(place, row)) return
    const standing = seen.chats.has(print) ? 'there' : this.door.standing(chat)
    seen.chats.add(print)
    if (standing === 'there') {
      kinds.count(row, 'duplicates')
      return tally.duplicate()
    }
    if (standing === 'deleted') {
      kinds.count(row, 'skipped')
      return tally.leftOut(place, 'it is among the asks that were deleted')
    }
    await this.#keep(chat)
    kinds.count(row, 'fresh')
    tally.imported(1)
    this.redactions = addRedactions(this.redactions, redactions)
    for (const { files } of chat.turns) this.#missing += files.filter(({ base64 }) => base64 === null).length
  }

  async #keep(chat: ForeignChat): Promise<void> {
    const { importId, preview, project = null, now } = this.choice
    if (preview === true || importId === undefined) return
    const id = await this.door.takeChat(chat, { memoryId: this.memoryId, project, importId, now })
    this.told.onChange([{ kind: ASKS, id }], [], 0)
  }

  /** Says what of the file is not in it. */
  end(): void {
    const count = this.#missing
    if (count > 0)
      this.told.tally.note(
        count === 1
          ? 'A file that came with a message is not in the log. The ask names it.'
          : `${count} files that came with messages are not in the log. The asks name them.`,
      )
  }
}

/** A conversation without secrets; what is in its files stays as it is. */
function redacted(input: ForeignChat): { readonly chat: ForeignChat; readonly redactions: Redactions } {
  const files = input.turns.map((turn) => turn.files)
  const { value, redactions } = redactAll({
    ...input,
    turns: input.turns.map((turn) => ({
      ...turn,
      files: turn.files.map(({ name }) => ({ name, base64: null })),
    })),
  })
  const turns = value.turns.map((turn, i) => ({
    ...turn,
    files: turn.files.map((file, n) => ({ ...file, base64: files[i]?.[n]?.base64 ?? null })),
  }))
  return { chat: { ...value, turns }, redactions }
}
