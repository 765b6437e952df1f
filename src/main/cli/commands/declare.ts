import type { OptionName, OptionNames } from '../options'
import { UsageError } from '../arguments'
import type { Command, Declared } from './command'

/** A command by its words, what follows them, a sentence about it, what does it, and its options with a space between them. */
export const one = <Options extends string = ''>(
  words: string,
  args: string | undefined,
  about: string,
  run: Command,
  options?: Options & OptionNames<Options>,
): Declared => ({
  words,
  ...(args !== undefined && { args }),
  about,
  options: (options?.split(' ') ?? []) as OptionName[],
  run,
})

/** A command whose file is read when it runs, so that no command loads what the others need. */
export const later =
  <Name extends string>(load: () => Promise<Readonly<Record<Name, Command>>>, name: Name): Command =>
  async (context) =>
    (await load())[name](context)

/** What looked for experiences and restored them: items of every kind have one set of verbs. */
export const movedTo =
  (words: string): Command =>
  () => {
    throw new UsageError(`This is now: loam memory ${words}`)
  }
