import { spawn } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unpacked } from '../ground/resources'

/** The file that whoever stands behind this start waits for: while it is not there, nothing was shown to anyone. */
let file = process.env['LOAM_BEGUN']
// Not for the processes that are started from here.
delete process.env['LOAM_BEGUN']

/** Whether somebody stands behind this start who opens a browser where no window appears. */
export const hasFallback = (): boolean => file !== undefined

/**
 * Has a process stand behind the start of an installed Loam, where no `npm start` does: it opens the browser when this process ends before its
 * window was shown. `folder`: where Loam's programs are. `options`: what the browser's host is started with.
 */
export function watchStart(folder: string, options: readonly string[]): void {
  if (file !== undefined) return
  try {
    const path = join(mkdtempSync(join(tmpdir(), 'loam-start-')), 'begun')
    const programs = unpacked(folder)
    const child = spawn(
      process.execPath,
      [
        join(programs, 'desktop/watch-start.js'),
        String(process.pid),
        path,
        join(programs, 'headless.js'),
        ...options,
      ],
      { stdio: 'ignore', detached: true, env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' } },
    )
    child.on('error', () => undefined)
    child.unref()
    file = path
  } catch {
    // A window without anybody behind it is better than none.
  }
}

/** Says that a person saw what there is to see: the window, an error, or the window of an earlier start. */
export function sayBegun(): void {
  try {
    if (file !== undefined) writeFileSync(file, '')
  } catch {
    // Whoever waited is gone.
  }
}
