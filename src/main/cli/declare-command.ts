import type { Command, Declared } from './commands/command'
import type { OptionName } from './options'

/** A command by its words, what follows them, a sentence about it, what does it, and its options. */
export const one = (
  words: string,
  args: string | undefined,
  about: string,
  run: Command,
  ...options: OptionName[]
): Declared => ({
  words,
  ...(args !== undefined && { args }),
  about,
  options,
  run,
})
