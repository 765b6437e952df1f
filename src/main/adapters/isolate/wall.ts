import net from 'node:net'
import dgram from 'node:dgram'
import { createRequire } from 'node:module'
import { constants } from 'node:fs'

/** Bytes of a WebAssembly page. */
const PAGE = 65_536

const refuse = (what: string) => (): never => {
  throw new Error(`${what} is not available in here.`)
}

/**
 * Takes away what code in this thread has no business with: the network (every Node client ends in `Socket.connect`),
 * child processes, and the ways to them through globals. The process's own permissions (`--permission`) stand
 * behind this: files beside Loam's own, child processes and raw bindings are refused there too.
 * Call it before any code from outside runs.
 */
export function buildWall(): void {
  net.Socket.prototype.connect = refuse('The network')
  net.Server.prototype.listen = refuse('The network')
  dgram.Socket.prototype.bind = refuse('The network')
  dgram.Socket.prototype.send = refuse('The network')
  // Emscripten's system() starts a real shell through this; a status of 127 is what "no shell" looks like to it.
  const childProcess = createRequire(import.meta.url)('node:child_process') as Record<string, unknown>
  childProcess.spawnSync = () => ({ status: 127, signal: null })
  for (const name of ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest', 'BroadcastChannel']) {
    Reflect.deleteProperty(globalThis, name)
  }
  const host = process as unknown as Record<string, unknown>
  host.getBuiltinModule = refuse('A module of the host')
  host.dlopen = refuse('A native library')
  // Pyodide's view of host folders asks for these numbers when it loads; nothing is ever mounted through it.
  host.binding = () => ({ fs: constants })
}

interface WasmMemory {
  readonly buffer: ArrayBuffer
  grow(delta: number): number
}

/** No WebAssembly memory grows beyond this many MiB; the code in it sees an allocation that failed. */
export function limitWebAssembly(megabytes: number): void {
  const most = (megabytes * 1024 * 1024) / PAGE
  const { Memory } = (globalThis as unknown as { WebAssembly: { Memory: { prototype: WasmMemory } } })
    .WebAssembly
  const { grow } = Memory.prototype
  Memory.prototype.grow = function (this: WasmMemory, delta) {
    if (this.buffer.byteLength / PAGE + delta > most)
      throw new RangeError('The memory limit of this tool is reached.')
    return grow.call(this, delta)
  }
}
