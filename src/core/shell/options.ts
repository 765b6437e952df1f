import type { Run } from './command'

/** A command's arguments, read as getopt does. */
export type Options = ReturnType<typeof readOptions>

/** Thrown for an option a command does not know; the message is what it then says. */
export class BadOption extends Error {}

/**
 * Reads options. Both lists are letters and names with spaces between; those of `valued` take a value (`-s /bin/sh`, `-s/bin/sh`,
 * `--shell=/bin/sh`).
 * @throws BadOption for a letter or name in neither list
 */
export function readOptions(args: readonly string[], bare: string, valued: string) {
  const plain = bare.split(' ')
  const withValue = valued.split(' ')
  const matchTextMap = new Map<string, string>()
  const words: string[] = []
  const take = (name: string, value: string) => matchTextMap.set(name, value)
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? ''
    if (arg === '--') {
      words.push(...args.slice(i + 1))
      break
    }
    if (arg.startsWith('--')) {
      const [name = '', ...rest] = arg.slice(2).split('=')
      if (withValue.includes(name)) take(name, rest.length > 0 ? rest.join('=') : (args[++i] ?? ''))
      else if (plain.includes(name)) take(name, '')
      else throw new BadOption(`unrecognized option '${arg}'`)
    } else if (arg.startsWith('-') && arg.length > 1) {
      for (let at = 1; at < arg.length; at++) {
        const letter = arg[at] ?? ''
        if (withValue.includes(letter)) {
          const rest = arg.slice(at + 1)
          take(letter, rest !== '' ? rest : (args[++i] ?? ''))
          break
        }
        if (!plain.includes(letter)) throw new BadOption(`invalid option -- '${letter}'`)
        take(letter, '')
      }
    } else {
      words.push(arg)
    }
  }
  return {
    words,
    has: (...names: string[]): boolean => names.some((name) => matchTextMap.has(name)),
    /** The last value; null when the option is not there. */
    value: (...names: string[]): string | null =>
      names.map((name) => matchTextMap.get(name)).find((value) => value !== undefined) ?? null,
  }
}

/** A command that is about what its first word names; the word is empty where there is none. Both lists as of `readOptions`. */
export const withName =
  (bare: string, valued: string, work: (options: Options, name: string) => Promise<string>): Run =>
  async (args) => {
    const options = readOptions(args, bare, valued)
    return work(options, options.words[0] ?? '')
  }
