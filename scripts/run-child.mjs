import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { root } from './build-if-needed.mjs'

/**
 * The environment of Loam's own programs: Node keeps what it compiled (from Node 22 on), which is a quarter of a start. GNU's C library has two arenas
 * in place of eight for each core: what LanceDB let go of in one thread is used again by the next.
 */
export const programEnvironment = () => ({
  MALLOC_ARENA_MAX: '2',
  NODE_COMPILE_CACHE: join(root, '.cache', 'compile'),
  ...process.env,
})

/**
 * Runs a program in the foreground: same stdin, stdout and stderr; Ctrl-C and termination reach it; resolves to its
 * exit code (128 + signal number when a signal ended it, as shells do). `options.onError` gets a copy of what it says on stderr;
 * `options.onOutput` gets all that it says, instead of the terminal. `options.onSignal` hears that a person or the system ended it.
 */
export function runChild(command, args, { onError, onOutput, onSignal, ...options } = {}) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, {
      stdio: ['inherit', onOutput ? 'pipe' : 'inherit', onError || onOutput ? 'pipe' : 'inherit'],
      ...options,
    })
    child.stdout?.on('data', (chunk) => onOutput(chunk))
    child.stderr?.on('data', (chunk) => {
      if (onOutput) onOutput(chunk)
      else process.stderr.write(chunk)
      onError?.(chunk)
    })
    const forward = (signal) => {
      onSignal?.()
      child.kill(signal)
    }
    // The terminal sends Ctrl-C to the whole group already; ours only has to survive until the child is done.
    const ignore = () => onSignal?.()
    const onInterrupt = process.stdin.isTTY ? ignore : forward
    process.on('SIGINT', onInterrupt)
    process.on('SIGTERM', forward)
    process.on('SIGHUP', forward)
    child.on('error', fail)
    child.on(onError || onOutput ? 'close' : 'exit', (code, signal) => {
      process.off('SIGINT', onInterrupt)
      process.off('SIGTERM', forward)
      process.off('SIGHUP', forward)
      done(code ?? 128 + (constants.signals[signal] ?? 0))
    })
  })
}
