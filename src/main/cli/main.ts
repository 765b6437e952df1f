import { isAbortError } from '../../core/ground/abort'
import { toErrorShape, type ErrorCode, type LoamErrorShape } from '../../shared/errors'
import type { App } from '../app'
import { findDataPath } from '../ground/data-path'
import { findResources } from '../ground/resources'
import type { Modules } from '../modules/modules'
import { UsageError } from './arguments'
import { FailedCheck } from './commands/command'
import type { ConsoleIo } from './console-io'
import { currentWords } from './former-words'
import { readCommandLine } from './program'
import type { ReachedHost } from './own-host'

export const EXIT = { done: 0, failed: 1, badArguments: 2, cancelled: 130 } as const

// Help, completion and arguments that are wrong need nothing of what works.
const ownHost = () => import('./own-host')

/** Codes that mean the person named something that does not exist or cannot be. */
const BAD_ARGUMENTS: ReadonlySet<ErrorCode> = new Set(['BAD_INPUT', 'NOT_FOUND'])

/**
 * Runs one command line and answers its exit code. Results go to `out`, everything else to `note`;
 * with --json `out` gets one line, a JSON object, also when it failed.
 */
export async function main(argv: readonly string[], terminal: ConsoleIo): Promise<number> {
  // A server has options of its own, and standard output belongs to its protocol.
  if (argv[0] === 'mcp' && argv[1] !== 'memory')
    return (await import('../tool-servers/serve')).serveTools(argv.slice(1))
  // Asked before the arguments are read, so that even unreadable ones are answered in the wanted form.
  const json = argv.includes('--json')
  // A program that reads the JSON gets nothing else on stdout.
  const io = json ? { ...terminal, out: terminal.note, type: null } : terminal
  let host: Promise<ReachedHost> | undefined
  let app: Promise<App> | undefined
  let modules: Modules | null = null
  const leave = async (): Promise<void> => {
    await (await host?.catch(() => null))?.close()
    const own = await app?.catch(() => null)
    if (own) await (await ownHost()).disposeInTime(own)
    await modules?.close()
  }
  try {
    const { argv: words, notes } = currentWords(argv)
    for (const note of notes) io.note(note)
    const request = readCommandLine(words, findResources().version)
    if (request.kind === 'text') {
      io.out(request.text)
      return request.wanted ? EXIT.done : EXIT.badArguments
    }
    const { command } = request
    // What a command names may be a module's.
    if (!command.words.startsWith('module '))
      modules = await (
        await import('../modules/modules')
      ).readModules(findDataPath(request.args.text('data')), (_, { message }) => io.note(message))
    const inputs = await (await import('./memory-names')).withNamedMemories(request.args)
    const args = command.servedModel ? inputs : await (await import('./model-names')).withNamedModels(inputs)
    const result = await command.run({
      args,
      io,
      host: () => (host ??= import('./reach-host').then(({ reachHost }) => reachHost(args, io))),
      app: () => (app ??= ownHost().then(({ openApp }) => openApp(args))),
    })
    await leave()
    // A server on standard output has said what it had to say.
    if (args.positionals[0] === 'mcp') return EXIT.done
    const isFailed = result instanceof FailedCheck
    if (json) terminal.out(JSON.stringify(isFailed ? result.result : result))
    return isFailed ? EXIT.failed : EXIT.done
  } catch (error) {
    // What failed first is what the person has to hear of.
    await leave().catch(() => undefined)
    if (json) terminal.out(JSON.stringify({ error: shapeOf(error) }))
    return tell(error, io)
  }
}

const shapeOf = (error: unknown): LoamErrorShape =>
  toErrorShape(error instanceof UsageError ? error.toError() : error)

function tell(error: unknown, io: ConsoleIo): number {
  const shape = shapeOf(error)
  if (isAbortError(error)) {
    io.note('Cancelled.')
  } else {
    io.note(`loam: ${shape.title}: ${shape.cause}`)
    io.note(shape.suggestion)
  }
  if (isAbortError(error)) return EXIT.cancelled
  return error instanceof UsageError || BAD_ARGUMENTS.has(shape.code) ? EXIT.badArguments : EXIT.failed
}
