/** Words of a page. */
export const PAGE_WORDS = 4096

/** A column of 32-bit words that lies on a disk: `read` brings the page that begins at word `from` when it is asked for. It is never written to. */
export class LaterWords {
  private readonly isThere: Uint8Array

  constructor(
    readonly words: Uint32Array<ArrayBuffer>,
    private readonly read: (from: number) => void,
  ) {
    this.isThere = new Uint8Array(Math.ceil(words.length / PAGE_WORDS))
  }

  /** Reads what is not there yet of the words from `from` up to `to - 1`. */
  need(from = 0, to = this.words.length): void {
    for (let page = Math.floor(from / PAGE_WORDS); page * PAGE_WORDS < to; page++) {
      if (this.isThere[page] === 1) continue
      this.read(page * PAGE_WORDS)
      this.isThere[page] = 1
    }
  }
}
