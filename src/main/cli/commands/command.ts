import type { App } from '../../app'
import type { ReachedHost } from '../own-host'
import type { Arguments } from '../arguments'
import type { OptionName } from '../options'
import type { ConsoleIo } from '../console-io'

/** What a command works with. */
export interface CommandContext {
  readonly args: Arguments
  readonly io: ConsoleIo
  /** The Loam that has the data folder open, else one of this process; reached at the first call, left by whoever runs the command. */
  readonly host: () => Promise<ReachedHost>
  /** For what is served from this process itself: an app of its own, whatever is open. @throws LoamError `DATA_DIR_LOCKED` */
  readonly app: () => Promise<App>
}

/** What a command answers when it did its work and what it checked is wrong: printed like any result, with exit code 1. */
export class FailedCheck {
  constructor(readonly result: unknown) {}
}

/** A command prints its own text for people and answers the object that --json ends with. */
export type Command = (context: CommandContext) => Promise<unknown>

/** A command as it is declared: help, completion, and what is refused come from here alone. */
export interface Declared {
  /** The command, and the word after it where it has several. */
  readonly words: string
  /** The words that follow, as the help shows them; one place each, in brackets where it may be left out. */
  readonly args?: string
  /** One sentence without its full stop. */
  readonly about: string
  /** Whether `--model` is what a server calls one of its models, and not one that was found on this machine. */
  readonly servedModel?: boolean
  /** Options besides those that every command takes. */
  readonly options?: readonly OptionName[]
  readonly run: Command
}
