/** A test that failed. */
export interface Failure {
  /** What it is called, the same in every play. */
  readonly name: string
  /** What it said, in one line; empty where nothing is known. */
  readonly message: string
  /** The file to play it again from; null for what is not played again. */
  readonly place: string | null
}

export interface SecondPlay {
  readonly failures: readonly Failure[]
  /** With more failures than this none is played again: a machine that is busy makes few fail, a mistake many. */
  readonly most: number
  /** Plays these places with nothing beside them, and says which tests it played and which failed again. */
  readonly play: (
    places: readonly string[],
  ) => Promise<{ readonly played: ReadonlySet<string>; readonly failed: ReadonlySet<string> }>
}

/** Plays what failed once more; resolves to those that passed then. Nothing is played where one of them has no place. */
export function playAgain(options: SecondPlay): Promise<Failure[]>
