import { open } from 'node:fs/promises'
import { readIfThere } from '../ground/atomic-file'

const DIGITS = 12
const TEXT = /^(\d{12})\n$/

/** The number of the newest commit that a head file tells of; 0 when there is none or it is unreadable. */
export async function readHead(path: string): Promise<number> {
  return Number(TEXT.exec((await readIfThere(path)) ?? '')?.[1] ?? 0)
}

/** Notes how far a journal goes in the file at `path`, made when it is not there, beginning with `seq`. It is open only while it is written. */
export async function openHead(path: string, seq: number) {
  await (await open(path, 'a')).close()
  /** Notes the number of the newest commit. Never ahead of the journal, for it is written after it and not waited for by a disk. */
  const note = async (newest: number): Promise<void> => {
    const file = await open(path, 'r+')
    try {
      await file.write(`${String(newest).padStart(DIGITS, '0')}\n`, 0)
    } finally {
      await file.close()
    }
  }
  /** A failed note only makes a later cut harder to see. */
  const noteIfPossible = (newest: number): Promise<void> => note(newest).catch(() => undefined)
  await noteIfPossible(seq)
  return { note: noteIfPossible }
}
