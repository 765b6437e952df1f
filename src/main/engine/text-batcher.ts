/** Milliseconds between two streamed pieces: smooth to the eye, cheap on the wire. */
const INTERVAL_MS = 30

/** Gathers written text and passes it on at most every 30 ms. */
export class TextBatcher {
  readonly #send: (text: string) => void
  #text = ''
  #timer: NodeJS.Timeout | null = null

  constructor(send: (text: string) => void) {
    this.#send = send
  }

  push(text: string): void {
    this.#text += text
    this.#timer ??= setTimeout(() => this.flush(), INTERVAL_MS)
  }

  /** Sends what is left; call it when the writing ends. */
  flush(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    if (this.#text === '') return
    const text = this.#text
    this.#text = ''
    this.#send(text)
  }
}
