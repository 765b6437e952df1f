import { open, readFile, stat } from 'node:fs/promises'
import { replaceFile } from './atomic-file'
import { sealed, unsealed } from './sealed'

/** Beside a file of lines: how many bytes it had when it was last written. */
const END = '.end'

/**
 * How the end of a file of lines is. `whole`: it is at least as long as it was; `cut`: it is shorter, or was so once; `unmarked`: nothing tells,
 * as in files of earlier versions; `damaged`: what tells cannot be read.
 */
export type LinesEnd = 'whole' | 'cut' | 'unmarked' | 'damaged'

interface Mark {
  readonly bytes: number
  /** Lines were missing at its end before something was added. */
  readonly cut: boolean
}

/**
 * Appends lines after the last whole one, with fsync: what a kill in mid-write left was never acknowledged. Then notes beside the file how long
 * it is, since a file that is cut at a line's end looks whole. A file that was cut before stays marked as such.
 * @throws the system's errors where the lines could not be written
 */
export async function appendLines(path: string, lines: string): Promise<void> {
  const before = await endOf(path)
  const file = await open(path, 'a+')
  let bytes: number
  try {
    const { size } = await file.stat()
    const last = size > 0 ? (await file.read(Buffer.alloc(1), 0, 1, size - 1)).buffer[0] : 0x0a
    // A torn line stays as a damaged one; the new event begins a line of its own.
    await file.writeFile(last === 0x0a ? lines : `\n${lines}`)
    await file.sync()
    bytes = (await file.stat()).size
  } finally {
    await file.close()
  }
  // The lines are kept: a mark that cannot be written, or that a kill prevents, tells of less and never of anything wrong.
  await mark(path, { bytes, cut: before === 'cut' }).catch(() => undefined)
}

/** Looks at the end of a file of lines. One that is missing is `cut` where something was in it. */
export async function endOf(path: string): Promise<LinesEnd> {
  const text = await readFile(path + END, 'utf8').catch(() => null)
  if (text === null) return 'unmarked'
  const { size } = (await stat(path).catch(() => null)) ?? { size: 0 }
  try {
    const { bytes, cut } = unsealed(text.trimEnd()) as Mark
    if (typeof bytes !== 'number') return 'damaged'
    return cut || size < bytes ? 'cut' : 'whole'
  } catch {
    return 'damaged'
  }
}

/** Marks the end where it is now, as when the mark is damaged. @throws LoamError `DISK_FULL` or `DISK_WRITE` */
export const markEnd = async (path: string): Promise<void> =>
  mark(path, { bytes: (await stat(path)).size, cut: false })

const mark = (path: string, state: Mark): Promise<void> =>
  replaceFile(path + END, `${sealed(state)}\n`, 0o600)
