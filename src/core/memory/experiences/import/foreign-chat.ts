import type { Round } from '../../../../shared/domain/trajectory'

/** A file that came with a message. */
export interface ChatFile {
  readonly name: string
  /** Null where the log only names it. */
  readonly base64: string | null
}

/** One answer to a message. */
export interface ForeignTry {
  /** The message as it was written for this one; null: as the turn has it. */
  readonly text: string | null
  /** ISO time. */
  readonly time: string | null
  /** What answered, as the log calls it. */
  readonly model: string | null
  readonly rounds: readonly Round[]
}

/** One message of the person, and what was answered to it. */
export interface ForeignTurn {
  readonly text: string
  readonly time: string | null
  readonly files: readonly ChatFile[]
  /** The one that the conversation went on with is the last. */
  readonly tries: readonly ForeignTry[]
}

/** A conversation with another program, along one branch. */
export interface ForeignChat {
  /** The program, as people call it. */
  readonly program: string
  /** What the program knows it by; null where the log does not say. */
  readonly sourceId: string | null
  /** Null where it has none. */
  readonly title: string | null
  /** ISO time. */
  readonly createdAt: string | null
  readonly turns: readonly ForeignTurn[]
}
