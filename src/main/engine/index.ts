import type { EngineEvent, EngineRequest } from '../ground/engine-protocol'
import { endWithParent } from '../ground/end-with-parent'
import { EngineDispatcher } from './dispatcher'

/** Electron's utility processes talk over `process.parentPort`; Node's forks over `process.send`. */
interface ParentPort {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { data: unknown }) => void): void
}

const { parentPort } = process as NodeJS.Process & { parentPort?: ParentPort }

function send(event: EngineEvent): void {
  if (parentPort) parentPort.postMessage(event)
  // A host that has gone away is noticed by `disconnect`; there is nobody left to tell.
  else if (process.connected) process.send?.(event, () => undefined)
}

const dispatcher = new EngineDispatcher(send)

function receive(request: EngineRequest): void {
  if (request.kind === 'shutdown') process.exit(0)
  dispatcher.handle(request)
}

if (parentPort) parentPort.on('message', ({ data }) => receive(data as EngineRequest))
else {
  process.on('message', (message) => receive(message as EngineRequest))
  // The host is gone: leave at once, whatever is being computed.
  endWithParent()
}
// Ctrl+C in a terminal reaches the whole group; the host decides when the engine ends.
process.on('SIGINT', () => undefined)

send({ kind: 'ready', pid: process.pid })
