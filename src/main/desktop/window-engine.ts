import { utilityProcess } from 'electron'
import type { EnginePort, SpawnEngine } from '../engine-client/engine-port'
import { builtEntry } from '../ground/built-entry'
import type { EngineEvent } from '../ground/engine-protocol'

/** Starts the engine as one of Electron's utility processes, which end with the app whatever happens to it. */
export const spawnUtilityEngine: SpawnEngine = (): EnginePort => {
  const child = utilityProcess.fork(builtEntry('index').script, [], {
    serviceName: 'Loam engine',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let saidMessage = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    saidMessage = (saidMessage + chunk.toString()).slice(-2000)
  })
  // An error that V8 cannot go on after is said before the end; without a listener it would end the host as well.
  child.on('error', (type, location) => {
    saidMessage = `${saidMessage}\n${type} at ${location}`.slice(-2000)
  })
  return {
    get pid() {
      return child.pid
    },
    send: (request) => child.postMessage(request),
    onEvent: (listener) => void child.on('message', (message: EngineEvent) => listener(message)),
    onExit: (listener) => {
      child.once('exit', (code) => {
        const last = saidMessage.trim().split('\n').slice(-3).join(' | ')
        listener(`it ended with code ${code}${last === '' ? '' : `; it said: ${last}`}`)
      })
    },
    kill: () => void child.kill(),
  }
}
