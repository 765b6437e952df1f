/** Watches the loss on the held-out part and says when going on no longer helps. */
export class EarlyStop {
  readonly #patience: number
  readonly #least: number
  #best: number
  #worse: number

  /** Stops after `patience` looks in a row without a fall of at least `least` (relative, default 0.001). */
  constructor(patience: number, least = 0.001, state: { best: number; worse: number } | null = null) {
    this.#patience = patience
    this.#least = least
    this.#best = state?.best ?? Number.POSITIVE_INFINITY
    this.#worse = state?.worse ?? 0
  }

  /** Takes one look. `improved`: this is the best so far. `stop`: patience has run out. */
  look(loss: number): { readonly improved: boolean; readonly stop: boolean } {
    const improved = loss < this.#best
    const enough = loss < this.#best * (1 - this.#least)
    if (improved) this.#best = loss
    this.#worse = enough ? 0 : this.#worse + 1
    return { improved, stop: this.#worse >= this.#patience }
  }

  get state(): { best: number; worse: number } {
    return { best: this.#best, worse: this.#worse }
  }
}
