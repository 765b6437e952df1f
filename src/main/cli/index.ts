import { openConsole } from './console-io'
import { EXIT, main } from './main'

const controller = new AbortController()

// The first Ctrl-C cancels in good order, a second one does not wait.
const stop = (): void => {
  if (controller.signal.aborted) process.exit(EXIT.cancelled)
  controller.abort()
}
process.on('SIGINT', stop)
process.on('SIGTERM', stop)

process.exitCode = await main(process.argv.slice(2), openConsole(controller.signal))
