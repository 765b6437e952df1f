import { Command as Commander, CommanderError, Option } from 'commander'
import { DEMO_STREAM } from '../../core/tasks/generators'
import { ENVIRONMENTS } from '../../core/tasks'
import { openArguments, UsageError, type Arguments, type Given } from './arguments'
import { COMMANDS } from './commands'
import type { Declared } from './commands/command'
import { ALWAYS, optionOf, type OptionName } from './options'

/** What a command line asks for. */
export type Asked =
  | { readonly kind: 'command'; readonly command: Declared; readonly args: Arguments }
  /** A text to print; `wanted` unless it stands in for a command that was not named. */
  | { readonly kind: 'text'; readonly text: string; readonly wanted: boolean }

const AFTER = `
S is the name of a bundled stream (${DEMO_STREAM}, ${ENVIRONMENTS.slice(1)
  .map(({ sample }) => sample)
  .join(
    ', ',
  )}, ...) or a file. Studies: agent-kb-size, agent-kb-cross-domain, agent-kb-passes, agent-kb-ablations.
While Loam is open on a data folder, a command works in it; "loam COMMAND --help" says what each one takes.
Exit codes: 0 done, 1 failed, 2 bad arguments, 130 cancelled.`

const HELP_WIDTH = 120

/** Hears an option of a command itself: "--no-x" would otherwise count as "--x" turned off. */
function take(command: Commander, name: OptionName, input: Given): void {
  const { value, about, many } = optionOf(name)
  const option = new Option(value === undefined ? `--${name}` : `--${name} <${value}>`, about)
  command.addOption(option)
  command.on(`option:${option.name()}`, (text: string | null) => {
    const before = input[name]
    if (value === undefined) input[name] = true
    else if (many === true) input[name] = [...(Array.isArray(before) ? before : []), text ?? '']
    else input[name] = text ?? ''
  })
}

/** All commands as commander knows them. `onCommand` hears of the one that was asked for. */
function declare(input: Given, version: string, onCommand: (command: Declared, operands: string[]) => void) {
  const messages: string[] = []
  const hear = (text: string): void => void messages.push(text)
  const program = new Commander('loam')
    .exitOverride()
    .configureOutput({
      writeOut: hear,
      writeErr: hear,
      getOutHelpWidth: () => HELP_WIDTH,
      getErrHelpWidth: () => HELP_WIDTH,
    })
    .helpOption('-h, --help', 'what it can do')
    .helpCommand(false)
    .version(version, '--version', 'which Loam this is')
    .addHelpText('after', AFTER)
  for (const name of ALWAYS) take(program, name, input)
  const leaves: Commander[] = []
  for (const declared of COMMANDS) {
    const { words, args = '', about, options = [] } = declared
    let command = program
    for (const word of words.split(' '))
      command = command.commands.find((knownCommand) => knownCommand.name() === word) ?? command.command(word)
    command
      .description(about)
      .summary(about)
      .usage(`${args} [options]`.trim())
      .allowExcessArguments()
      .addHelpText('after', '\nEvery command also takes --json, --data DIR and --key-env VAR.')
      .action(() => onCommand(declared, command.args))
    for (const name of options) take(command, name, input)
    leaves.push(command)
  }
  // The first help names what can be done, not the words that have to be followed by another.
  program.configureHelp({
    visibleCommands: (command) => (command === program ? leaves : [...command.commands]),
    subcommandTerm: (command) => {
      const declared = COMMANDS[leaves.indexOf(command)]
      return declared ? `${declared.words} ${declared.args ?? ''}`.trim() : command.name()
    },
  })
  return { program, said: messages }
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Reads a command line. @throws UsageError */
export function readCommandLine(argv: readonly string[], version = ''): Asked {
  const input: Given = {}
  let request: Asked | undefined
  const { program, said } = declare(input, version, (command, operandWords) => {
    // A noun of several lists them; who says so too means the same.
    const operands =
      command.about.startsWith('list the ') && operandWords.join() === 'list' ? [] : operandWords
    const words = command.args?.split(' ') ?? []
    const most = words.at(-1)?.endsWith('...') === true ? Infinity : words.length
    const extra = operands[most]
    if (extra !== undefined)
      throw new UsageError(`"${extra}" is one word too many`, 'Put what belongs together in quotes.')
    request = {
      kind: 'command',
      command,
      args: openArguments([...command.words.split(' '), ...operands], input),
    }
  })
  try {
    // Who asks for help in words is helped as by the option.
    const line = argv[0] === 'help' ? [...argv.slice(1), '--help'] : [...argv]
    program.parse(line, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return { kind: 'text', text: said.join('').trimEnd(), wanted: answered(error, argv, program) }
  }
  if (request) return request
  throw new UsageError('There is nothing to do')
}

/** Whether commander stopped because it said what was asked for. @throws UsageError when it did not understand */
function answered({ code, message }: CommanderError, argv: readonly string[], program: Commander): boolean {
  if (code === 'commander.helpDisplayed' || code === 'commander.version') return true
  if (code === 'commander.help') {
    const group = program.commands.find((command) => argv.includes(command.name()))
    if (!group) return false
    const verbs = group.commands.map((command) => command.name())
    throw new UsageError(`loam ${group.name()} does what?`, `One of: ${verbs.join(', ')}`)
  }
  // "error: unknown option '--streem'", and on a line of its own "(Did you mean --stream?)".
  const [what = '', ...hint] = message.replace(/^error: /, '').split('\n')
  throw new UsageError(
    sentence(what),
    hint.length > 0
      ? hint.join(' ').replace(/[()]/g, '')
      : `Run "loam${commandIn(argv)} --help" for what it can do.`,
  )
}

/** The words of the command that a command line begins with, each behind a blank; none where it names none. */
function commandIn(argv: readonly string[]): string {
  const line = `${argv.join(' ')} `
  const beginnings = COMMANDS.map(({ words }) => words).filter((words) => line.startsWith(`${words} `))
  return beginnings.reduce((longest, words) => (words.length >= longest.length ? ` ${words}` : longest), '')
}
