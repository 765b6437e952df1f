import { stat } from 'node:fs/promises'
import { LoamError, type ErrorCode } from '../../shared/errors'

/**
 * Refuses what is there but no plain file: opening a pipe waits for a writer forever, and reading a device may never end. What is not
 * there passes, since whoever opens it says so better.
 * @throws LoamError with `code`
 */
export async function refuseSpecialFile(path: string, code: ErrorCode): Promise<void> {
  const stats = await stat(path).catch(() => null)
  if (stats === null || stats.isFile()) return
  const kind = stats.isDirectory()
    ? 'a folder'
    : stats.isFIFO()
      ? 'a pipe'
      : stats.isSocket()
        ? 'a socket'
        : 'a device'
  throw new LoamError(code, `${path} is ${kind}, not a file.`, { suggestion: 'Name a plain file.' })
}
