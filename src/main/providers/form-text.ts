/** How a reply in the form of `generateWithTools` begins that is a text. */
const BEGIN = /^\s*\{\s*"reply"\s*:\s*"/
/** Characters after which what has not begun so is none. */
const LONGEST_BEGIN = 200
/** How one begins that is a call. */
const CALL = /^\s*\{\s*"tool"\s*:\s*"([^"\\]*)"/

/** The tool that a form calls which was cut before its end; null when it calls none. */
export const toolOfCut = (form: string): string | null => CALL.exec(form)?.[1] ?? null

/** What is written so far of a text within a form: letters, whole escapes, and whether its end was reached. */
function getOutput(raw: string): { readonly text: string; readonly length: number; readonly ended: boolean } {
  let at = 0
  let isEnded = false
  for (; at < raw.length; at++) {
    const sign = raw[at]
    if (sign === '"') {
      isEnded = true
      break
    }
    if (sign !== '\\') continue
    const more = raw[at + 1] === 'u' ? 5 : 1
    if (at + more >= raw.length) break
    at += more
  }
  const text = JSON.parse(`"${raw.slice(0, at).replace(/[\0-\x1f]/g, escaped)}"`) as string
  return { text, length: at, ended: isEnded }
}

const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Shows the text of `{"reply": TEXT}` while it is written, as a person reads it; of a call nothing. */
export class FormText {
  /** Written, and neither shown nor passed over. */
  #rest = ''
  #inside = false
  #ended = false
  #text = ''

  constructor(private readonly show: (text: string) => void) {}

  /** What was shown so far. */
  get text(): string {
    return this.#text
  }

  push(piece: string): void {
    if (this.#ended) return
    this.#rest = this.#inside ? this.#rest + piece : (this.#rest + piece).trimStart()
    if (!this.#inside) {
      const begin = BEGIN.exec(this.#rest)
      this.#ended = !begin && this.#rest.length > LONGEST_BEGIN
      if (!begin) return
      this.#inside = true
      this.#rest = this.#rest.slice(begin[0].length)
    }
    const { text, length, ended } = getOutput(this.#rest)
    this.#rest = this.#rest.slice(length)
    this.#ended = ended
    this.#tell(text)
  }

  #tell(text: string): void {
    if (text === '') return
    this.#text += text
    this.show(text)
  }
}

/** The text of a form that was cut before its end, as far as it was written; null when it is none. */
export function textOfCut(form: string): string | null {
  if (!BEGIN.test(form)) return null
  const reader = new FormText(() => undefined)
  reader.push(form)
  return reader.text
}
