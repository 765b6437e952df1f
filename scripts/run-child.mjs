import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/**
 * Runs a program in the foreground: same stdin, stdout and stderr; Ctrl-C and termination reach it; resolves to its
 * exit code (128 + signal number when a signal ended it, as shells do).
 */
export function runChild(command, args, options = {}) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options })
    const forward = (signal) => child.kill(signal)
    // The terminal sends Ctrl-C to the whole group already; ours only has to survive until the child is done.
    const ignore = () => {}
    const onInterrupt = process.stdin.isTTY ? ignore : forward
    process.on('SIGINT', onInterrupt)
    process.on('SIGTERM', forward)
    process.on('SIGHUP', forward)
    child.on('error', fail)
    child.on('exit', (code, signal) => {
      process.off('SIGINT', onInterrupt)
      process.off('SIGTERM', forward)
      process.off('SIGHUP', forward)
      done(code ?? 128 + (constants.signals[signal] ?? 0))
    })
  })
}
