import { THOUGHT_MARKS } from '../../core/ground/replies/thoughts'

const OPEN = '<think>'
const CLOSE = '</think>'

/** A piece of what a model wrote, told apart. */
export interface Told {
  readonly text: string
  readonly thought: string
}

/**
 * Tells a thought from the reply behind it where a model writes both into one text: `<think>...</think>` at the head, or any other family's
 * marks. A thought that never ends is a thought.
 */
export class ThoughtFilter {
  #held = ''
  /** Blanks at the head, which are no part of a thought. */
  #blanks: string[] = []
  #state: 'head' | 'thought' | 'text' = 'head'
  #close = CLOSE

  push(piece: string): Told {
    if (this.#state === 'head' && this.#held === '') {
      const start = piece.trimStart()
      this.#blanks.push(piece.slice(0, piece.length - start.length))
      this.#held = start
    } else this.#held += piece
    return this.#drain(false)
  }

  /** What is left when nothing more comes. */
  flush(): Told {
    return this.#drain(true)
  }

  #drain(last: boolean): Told {
    let thought = ''
    if (this.#state === 'head') {
      const start = this.#held
      const marks = THOUGHT_MARKS.find(([open]) => start.startsWith(open))
      if (marks) {
        this.#held = start.slice(marks[0].length)
        this.#close = marks[1]
        this.#state = 'thought'
        this.#blanks = []
      } else if (last || !THOUGHT_MARKS.some(([open]) => open.startsWith(start))) this.#state = 'text'
      else return { text: '', thought: '' }
    }
    if (this.#state === 'thought') {
      const end = this.#held.indexOf(this.#close)
      // The end of what came may be the beginning of the mark.
      const keep = last || end >= 0 ? 0 : overlap(this.#held, this.#close)
      thought = this.#held.slice(0, end >= 0 ? end : this.#held.length - keep)
      this.#held =
        end >= 0
          ? this.#held.slice(end + this.#close.length).trimStart()
          : this.#held.slice(this.#held.length - keep)
      if (end < 0) return { text: '', thought }
      this.#state = 'text'
    }
    const text = this.#blanks.join('') + this.#held
    this.#held = ''
    this.#blanks = []
    return { text, thought }
  }
}

/** A finished text, told apart. A closing mark without an opening one ends a thought that began in the prompt. */
export function tellThought(text: string): { readonly text: string; readonly thought: string | null } {
  const end = text.indexOf(CLOSE)
  if (end >= 0) {
    const thought = text.slice(0, end).trimStart()
    return {
      text: text.slice(end + CLOSE.length).trimStart(),
      thought: (thought.startsWith(OPEN) ? thought.slice(OPEN.length) : thought).trim(),
    }
  }
  const start = text.trimStart()
  return start.startsWith(OPEN)
    ? { text: '', thought: start.slice(OPEN.length).trim() }
    : { text, thought: null }
}

/** Length of the longest end of `text` that `mark` begins with. */
export function overlap(text: string, mark: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length -= 1)
    if (text.endsWith(mark.slice(0, length))) return length
  return 0
}
