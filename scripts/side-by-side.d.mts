/** What a part of the tests came to. */
export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** Where a part says something; what comes by it is never mixed with what another lane says. */
export type Say = (chunk: string | Uint8Array) => void

/** One part of the tests. */
export type Part = (say: Say) => Promise<Counts>

export interface SideBySide {
  /** The lane at the front, whose words appear as they come, then the others. A lane's parts are played in turn. */
  readonly lanes: readonly (readonly Part[])[]
  readonly write: Say
  /** Whether no further part is to begin. Default: never. */
  readonly isStopped?: () => boolean
}

/**
 * Plays lanes side by side and resolves to the sum of their counts once all have ended. What a lane behind the first says is kept until
 * the lane before it has ended, and from then on appears as it comes. Rejects where a part did, or where it was stopped, when every part
 * that had begun is over.
 */
export function playSideBySide(options: SideBySide): Promise<Counts>
