/** At most this many restarts within the window; then the engine counts as failed. */
const MOST_RESTARTS = 3
const RESTART_WINDOW_MS = 5 * 60_000
/** Milliseconds to wait before the first, second and third restart in a window. */
const BACK_OFF_MS: readonly number[] = [250, 1000, 4000]

/** Decides whether a dead engine is started again, and after how long. */
export class RestartPolicy {
  readonly #now: () => number
  readonly #backOff: readonly number[]
  #restarts: number[] = []
  /** All restarts there have been. */
  total = 0

  constructor(options: { now?: () => number; backOffMs?: readonly number[] } = {}) {
    this.#now = options.now ?? (() => performance.now())
    this.#backOff = options.backOffMs ?? BACK_OFF_MS
  }

  /** Milliseconds to wait before a restart, which counts from now; null when there were too many. */
  next(): number | null {
    const recent = this.#recent()
    if (recent.length >= MOST_RESTARTS) return null
    this.#restarts = [...recent, this.#now()]
    this.total++
    return this.#backOff[Math.min(recent.length, this.#backOff.length - 1)] ?? 0
  }

  /** Whether a restart would be granted. */
  get allows(): boolean {
    return this.#recent().length < MOST_RESTARTS
  }

  /** Forgets earlier restarts: a person asked for another try. */
  forgive(): void {
    this.#restarts = []
  }

  #recent(): number[] {
    const since = this.#now() - RESTART_WINDOW_MS
    return this.#restarts.filter((at) => at > since)
  }
}
