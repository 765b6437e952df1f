/** Cuts text that comes in pieces into its lines (ended by LF, CR or both), each piece looked at once. */
export class LinePieces {
  #parts: string[] = []
  #length = 0
  #afterReturn = false

  /** Characters of the line that has not ended. */
  get length(): number {
    return this.#length
  }

  /** Takes what comes next; answers the lines that ended with it, without their ends. */
  push(piece: string): string[] {
    const lines = piece.split(/\r\n|\n|\r/)
    // The end of the line before came in two pieces.
    if (this.#afterReturn && piece.startsWith('\n')) lines.shift()
    if (piece !== '') this.#afterReturn = piece.endsWith('\r')
    const rest = lines.pop() ?? ''
    const [first] = lines
    if (first !== undefined) lines[0] = this.end() + first
    this.#parts.push(rest)
    this.#length += rest.length
    return lines
  }

  /** The line that has not ended; it is empty from then on. */
  end(): string {
    const rest = this.#parts.join('')
    this.#parts = []
    this.#length = 0
    return rest
  }
}
