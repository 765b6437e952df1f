import type { ChatTool } from '../../../core/ground/chat'
import { overlap, ThoughtFilter } from '../thought-filter'

/** What gpt-oss writes around its reply. */
const MARKS = [
  '<|start|>assistant',
  '<|channel|>final<|message|>',
  '<|channel|>commentary<|message|>',
  '<|end|>',
  '<|return|>',
] as const

/** How Functionary begins a text. */
const TO_ALL = 'all\n'

/** A reply without the marks of channels and, where it may call tools, without the receiver that Functionary names before a text. */
export function withoutMarks(text: string, mayCall: boolean): string {
  const message = MARKS.reduce((restText, mark) => restText.replaceAll(mark, ''), text)
  return mayCall && message.startsWith(TO_ALL) ? message.slice(TO_ALL.length) : message
}

/** Signs that a call may begin with, in any of the families' forms. */
const MAY_BEGIN_A_CALL = /[<[{`>]|functools/

/**
 * What a watcher of a reply is shown while it is written: no thought, no mark, and nothing that may turn out to be a call. What was held back and
 * is text after all comes at the end.
 */
export class VisibleText {
  readonly #thoughts = new ThoughtFilter()
  readonly #tools: readonly string[]
  #held = ''
  #shown = ''
  #holding = false
  #thought = false

  /** `tools` are those the reply may call; none: nothing is a call. */
  constructor(
    private readonly show: (text: string) => void,
    tools: readonly ChatTool[],
    /** Told all that is held back since a call may have begun. */
    private readonly hold?: (text: string) => void,
  ) {
    this.#tools = tools.map(({ name }) => name)
  }

  push(piece: string): void {
    const { text, thought } = this.#thoughts.push(piece)
    this.#thought ||= thought !== ''
    this.#take(text)
  }

  /** The reply is written: `text` is all that is no call. */
  end(text: string): void {
    this.#take(this.#thoughts.flush().text)
    this.#holding = true
    // Blanks at its ends were cut from the reply, but may have been shown.
    if (text.startsWith(this.#shown)) this.#tell(text.slice(this.#shown.length))
  }

  #take(text: string): void {
    this.#held += text
    if (this.#holding) return this.hold?.(this.#held)
    this.#held = withoutMarks(this.#held, this.#shown === '' && this.#tools.length > 0)
    // Blanks behind a thought are the form's own.
    if (this.#shown === '' && this.#thought) this.#held = this.#held.trimStart()
    if (this.#shown === '' && this.#tools.length > 0 && TO_ALL.startsWith(this.#held)) return
    const callAt = this.#tools.length === 0 ? -1 : this.#callAt()
    if (callAt >= 0) {
      this.#holding = true
      this.#tell(this.#held.slice(0, callAt).trimEnd())
      this.#held = this.#held.slice(callAt)
      return this.hold?.(this.#held)
    }
    const keep = Math.max(0, ...MARKS.map((mark) => overlap(this.#held, mark)))
    // A blank at the end may be the last thing before a call.
    const sure = this.#held.slice(0, this.#held.length - keep)
    const ready = this.#tools.length === 0 ? sure : sure.trimEnd()
    this.#tell(ready)
    this.#held = this.#held.slice(ready.length)
  }

  /** Where what is held may begin a call: at a sign, or with a tool's name at the head of the reply; -1 where nothing may. */
  #callAt(): number {
    const head = this.#shown === '' ? this.#held.trimStart() : ''
    if (head !== '' && this.#tools.some((name) => name.startsWith(head) || head.startsWith(name))) return 0
    const from = Math.max(...MARKS.map((mark) => overlap(this.#held, mark)))
    return this.#held.slice(0, this.#held.length - from).search(MAY_BEGIN_A_CALL)
  }

  #tell(text: string): void {
    if (text === '') return
    this.#shown += text
    this.show(text)
  }
}
