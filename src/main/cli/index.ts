import { openConsole } from './console-io'
import { LoamError } from '../../shared/errors'
import { EXIT, main } from './main'

const terminated = (): LoamError =>
  new LoamError('INTERRUPTED', 'Loam was asked to end.', {
    suggestion: 'A run that was going is paused; "loam resume RUN" goes on with it.',
    retryable: true,
  })

const controller = new AbortController()

// The first Ctrl-C cancels in good order, a second one does not wait.
process.on('SIGINT', () => {
  if (controller.signal.aborted) process.exit(EXIT.cancelled)
  controller.abort()
})
// Being ended from outside is no decision about the run: it is kept, paused.
for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    controller.abort(terminated())
  })
}

process.exitCode = await main(process.argv.slice(2), openConsole(controller.signal))
