import { UsageError } from './arguments'
import type { Command, Declared } from './commands/command'
import { ALWAYS, optionOf, type OptionName } from './options'

/** The shells that commands can be completed in. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

interface Entry {
  /** The command, and its verb where it has one. */
  readonly words: readonly string[]
  readonly options: readonly OptionName[]
}

interface Completed {
  readonly entries: readonly Entry[]
  /** The words that may follow a command's name. */
  readonly verbs: Readonly<Record<string, readonly string[]>>
  /** The ids of all methods. */
  readonly methods: string
}

/** What can be completed, read off the declarations. */
function completed(commands: readonly Declared[], methods: string): Completed {
  const verbs: Record<string, string[]> = {}
  const entries = commands.map(({ words, args = '', options = [] }) => {
    const [name = '', verb] = words.split(' ')
    // "bash|zsh|fish" is a choice as well, with or without something behind it.
    const choice = args.split(' ')[0] ?? ''
    const records = verb === undefined ? (/^[a-z|-]+$/.test(choice) ? choice.split('|') : []) : [verb]
    if (records.length > 0) verbs[name] = [...(verbs[name] ?? []), ...records]
    return { words: words.split(' '), options: [...new Set([...options, ...ALWAYS])].sort() }
  })
  return { entries, verbs, methods }
}

/** `loam completion bash|zsh|fish`: a script for that shell, derived from the declarations. */
export const completionCommand =
  (commands: () => readonly Declared[]): Command =>
  async ({ args, io }) => {
    const shell = SHELLS.find((name) => name === args.positionals[1])
    if (!shell) throw new UsageError(`For which shell? loam completion ${SHELLS.join('|')}`)
    const { METHODS } = await import('../../core/methods')
    const methods = METHODS.map(({ info }) => info.id).join(' ')
    const script = SCRIPTS[shell](completed(commands(), methods))
    io.out(script)
    return { shell, script }
  }

const dashed = (options: readonly OptionName[]): string => options.map((name) => `--${name}`).join(' ')
const commandsOf = (entries: readonly Entry[]): string =>
  [...new Set(entries.map(({ words }) => words[0] ?? ''))].join(' ')

const SCRIPTS: Readonly<Record<Shell, (all: Completed) => string>> = {
  bash: ({ entries, verbs, methods }) => `# loam: eval "$(loam completion bash)"
_loam() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"
  case "$prev" in
    --method|--methods) COMPREPLY=($(compgen -W "${methods}" -- "$cur")); return ;;
  esac
  if [[ $COMP_CWORD -eq 1 ]]; then COMPREPLY=($(compgen -W "${commandsOf(entries)}" -- "$cur")); return; fi
  if [[ $cur != -* ]]; then
    if [[ $COMP_CWORD -eq 2 ]]; then
      case "\${COMP_WORDS[1]}" in
${Object.entries(verbs)
  .map(
    ([name, words]) => `        ${name}) COMPREPLY=($(compgen -W "${words.join(' ')}" -- "$cur")); return ;;`,
  )
  .join('\n')}
      esac
    fi
    COMPREPLY=($(compgen -f -- "$cur")); return
  fi
  case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
${[...entries]
  .sort((a, b) => b.words.length - a.words.length)
  .map(
    ({ words, options }) =>
      `    "${words.join(' ')}${words.length > 1 ? '' : ' '}"*) COMPREPLY=($(compgen -W "${dashed(options)}" -- "$cur")) ;;`,
  )
  .join('\n')}
  esac
}
complete -o filenames -F _loam loam`,
  zsh: (all) => `# loam: eval "$(loam completion zsh)"
autoload -Uz bashcompinit && bashcompinit
${SCRIPTS.bash(all).replace('completion bash', 'completion zsh, after compinit')}`,
  fish: ({ entries, verbs, methods }) => `# loam completion fish | source
complete -c loam -n __fish_use_subcommand -f -a "${commandsOf(entries)}"
${Object.entries(verbs)
  .map(
    ([name, words]) => `complete -c loam -n "__fish_seen_subcommand_from ${name}" -f -a "${words.join(' ')}"`,
  )
  .join('\n')}
${entries
  .flatMap(({ words, options }) =>
    options.map(
      (name) =>
        `complete -c loam -n "${words.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ')}" -l ${name}${optionOf(name).value === undefined ? '' : name.startsWith('method') ? ` -x -a "${methods}"` : ' -r'}`,
    ),
  )
  .join('\n')}`,
}
