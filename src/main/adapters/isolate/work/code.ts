/** Files of the task's folder that differ from what the other side knows. Paths are relative, with slashes. */
export interface FileChanges {
  readonly changed: readonly (readonly [path: string, bytes: Uint8Array])[]
  readonly removed: readonly string[]
}

/** Code to run, after the changes to the task's folder. */
export interface CodeRequest {
  readonly code: string
  readonly files: FileChanges
  /** Most bytes the folder may hold. */
  readonly folderBytes: number
  /** Libraries to load first; they lie in the folder that the isolate may read. Default: none. */
  readonly libraries?: readonly string[]
  /** Milliseconds after which the code is interrupted, where the language allows it. */
  readonly timeMs: number
}

/** What came of it. A failure of the code itself is a reply too. */
export interface CodeReply {
  /** What it printed, cut at the limit. */
  readonly printed: string
  /** The value of its last expression as the language shows it; null when there is none. */
  readonly value: string | null
  /** The error it ended with, as the language reports it; null when it ended well. */
  readonly error: string | null
  readonly files: FileChanges
}

/** Most characters kept of what code prints, and of a value. */
const PRINT_LIMIT = 60_000

/** Collects printed text up to the limit and says how much is left out. */
export class Printed {
  #text = ''
  #dropped = 0

  add(text: string): void {
    const room = PRINT_LIMIT - this.#text.length
    this.#text += text.slice(0, Math.max(0, room))
    this.#dropped += Math.max(0, text.length - Math.max(0, room))
  }

  /** The text so far; the next begins anew. */
  take(): string {
    const text = this.#dropped > 0 ? `${this.#text}\n[${this.#dropped} more characters left out]` : this.#text
    this.#text = ''
    this.#dropped = 0
    return text
  }
}

/** A value's text, cut at the limit. */
export const cutValue = (text: string): string =>
  text.length > PRINT_LIMIT
    ? `${text.slice(0, PRINT_LIMIT)} [${text.length - PRINT_LIMIT} more characters]`
    : text

export const folderFull = (bytes: number, limit: number): Error =>
  new Error(
    `The task's folder would hold ${bytes} bytes; at most ${limit} are allowed. Nothing of this call was written to it.`,
  )
