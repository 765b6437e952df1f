import { writeFileSync } from 'node:fs'

/** The file that `npm start` waits for: while it is not there, nothing was shown to anyone. */
const file = process.env['LOAM_BEGUN']
// Not for the processes that are started from here.
delete process.env['LOAM_BEGUN']

/** Whether somebody stands behind this start who opens a browser where no window appears. */
export const hasFallback = (): boolean => file !== undefined

/** Says that a person saw what there is to see: the window, an error, or the window of an earlier start. */
export function sayBegun(): void {
  try {
    if (file !== undefined) writeFileSync(file, '')
  } catch {
    // Whoever waited is gone.
  }
}
