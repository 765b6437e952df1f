import { LoamError } from '../../shared/errors'
import { keepFilesPrivate } from '../ground/own-files'
import { findResources } from '../ground/resources'

// Asked by scripts and before every report: answered without loading what works.
if (process.argv.length === 3 && process.argv[2] === '--version') {
  process.stdout.write(`${findResources().version}\n`)
  process.exit()
}

keepFilesPrivate()
// Started around every call of a tool by programs that were connected: most are answered without loading what works.
if (process.argv[2] === 'hook' && (await (await import('./before-tool')).answeredAtOnce(process.argv)))
  process.exit()
const { openConsole } = await import('./console-io')
const { EXIT, main } = await import('./main')

const terminated = (): LoamError =>
  new LoamError('INTERRUPTED', 'Loam was asked to end.', {
    suggestion: 'A run that was going is paused; "loam resume RUN" goes on with it.',
    retryable: true,
  })

/** How long what is left may take to end by itself, in ms. */
const END_WITHIN_MS = 3000

const controller = new AbortController()

// The first Ctrl-C cancels in good order, a second one does not wait.
process.on('SIGINT', () => {
  if (controller.signal.aborted) process.exit(EXIT.cancelled)
  controller.abort()
})
// Being ended from outside is no decision about the run: it is kept, paused.
for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (controller.signal.aborted) process.exit(EXIT.failed)
    controller.abort(terminated())
  })
}

process.exitCode = await main(process.argv.slice(2), openConsole(controller.signal))
// The work is over. What could not be closed, for want of room on the disk or an answer, does not keep the process either.
setTimeout(() => process.exit(), END_WITHIN_MS).unref()
