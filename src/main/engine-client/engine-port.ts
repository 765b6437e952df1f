import { fork } from 'node:child_process'
import { builtEntry } from '../ground/built-entry'
import type { EngineEvent, EngineRequest } from '../ground/engine-protocol'

/** The host's end of one engine process. Electron's utilityProcess and Node's fork both fit it. */
export interface EnginePort {
  readonly pid: number | undefined
  send(request: EngineRequest): void
  onEvent(listener: (event: EngineEvent) => void): void
  /** Called once, with words that say how it ended. */
  onExit(listener: (reason: string) => void): void
  /** Ends the process without asking. */
  kill(): void
}

/** Starts one engine process. */
export type SpawnEngine = () => EnginePort

const STDERR_KEPT = 2000

/** Starts engines as Node child processes. The entry is the built engine, or its source when running from source. */
export function forkEngine(): SpawnEngine {
  return () => {
    const { script, execArgv } = builtEntry('index')
    const child = fork(script, [], {
      execArgv: [...execArgv],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    let stderr = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-STDERR_KEPT)
    })
    return {
      pid: child.pid,
      send: (request) => {
        // A dead child's `exit` follows; its pending calls are failed there.
        if (child.connected) child.send(request, () => undefined)
      },
      onEvent: (listener) => void child.on('message', (message) => listener(message as EngineEvent)),
      onExit: (listener) => {
        let isTold = false
        const tell = (reason: string) => {
          if (isTold) return
          isTold = true
          const last = stderr.trim().split('\n').slice(-3).join(' | ')
          listener(last === '' ? reason : `${reason}; it said: ${last}`)
        }
        child.on('error', (error) => tell(`it could not be started (${error.message})`))
        child.on('exit', (code, signal) =>
          tell(signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`),
        )
      },
      kill: () => void child.kill('SIGKILL'),
    }
  }
}
