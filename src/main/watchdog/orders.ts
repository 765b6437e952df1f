/** What the watching thread is told. */
export interface WatchOrders {
  /** One Int32 that the host counts up. */
  readonly beats: SharedArrayBuffer
  /** What is at work, as UTF-8 that ends with a null byte. */
  readonly text: SharedArrayBuffer
  /** Milliseconds without a beat after which the host counts as blocked. */
  readonly limitMs: number
  /** File that says why. */
  readonly report: string
  /** What it is called once it was told. */
  readonly told: string
  /** The data folder's lock. */
  readonly lock: string
  /** How the host is started again; null: it is only ended. */
  readonly restart: { readonly command: string; readonly args: readonly string[] } | null
}

/** Why a host was ended that did not answer. */
export interface UnansweredReport {
  /** ISO time. */
  readonly at: string
  readonly pid: number
  readonly silentMs: number
  /** Jobs and calls that were at work, by name. */
  readonly work: string
  /** Functions that its thread was in, innermost first; empty where it could not be asked. */
  readonly place: readonly string[]
  readonly startedAgain: boolean
}
