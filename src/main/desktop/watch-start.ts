import { spawn } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'

// `watch-start.js PID BEGUN HEADLESS [options]`: what stands behind the start of an installed Loam, as `npm start` behind that of a checkout.
// When the process PID ends before there is a file BEGUN, nobody saw anything, and the browser is opened with the reason.

const LOOK_EVERY_MS = 250
const WHY = 'Loam’s program ended before its window appeared'

const [pid = '', file = '', headless = '', ...options] = process.argv.slice(2)

function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

while (!existsSync(file) && isAlive(Number(pid)))
  await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
if (!existsSync(file))
  spawn(process.execPath, [headless, '--why', WHY, '--until-left', ...options], {
    stdio: 'ignore',
    detached: true,
  }).unref()
rmSync(dirname(file), { recursive: true, force: true, maxRetries: 5 })
