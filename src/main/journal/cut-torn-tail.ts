import { open, readFile, truncate } from 'node:fs/promises'
import { dirname } from 'node:path'
import { diskError, errnoOf, syncFolder } from '../ground/atomic-file'
import type { TornTail } from './replay'

/** What opening cut off the end of a journal, and the file that keeps it. */
export interface CutTail extends TornTail {
  readonly kept: string
}

/**
 * Cuts an unfinished line, which begins at byte `offset`, off a file. What is cut is kept beside it, as `<file>.torn-<time>`, written
 * with fsync before anything is cut.
 * @throws LoamError `DISK_FULL`, `DISK_WRITE`; the file then stays as it was
 */
export async function cutTornTail(tail: TornTail, offset: number, now: Date): Promise<CutTail> {
  const time = now.toISOString().replaceAll(/[:.]/g, '-')
  const bytes = (await readFile(tail.file)).subarray(offset)
  for (let copy = 1; ; copy++) {
    const keptText = `${tail.file}.torn-${time}${copy === 1 ? '' : `-${copy}`}`
    try {
      const file = await open(keptText, 'wx')
      try {
        await file.writeFile(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      await syncFolder(dirname(keptText))
      await truncate(tail.file, offset)
      return { ...tail, kept: keptText }
    } catch (error) {
      if (errnoOf(error) === 'EEXIST') continue
      throw diskError(error, keptText)
    }
  }
}
