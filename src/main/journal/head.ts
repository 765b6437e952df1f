import { open } from 'node:fs/promises'
import { readIfThere } from '../ground/atomic-file'

/** How far a journal goes, kept outside of its folder: without it a cut or missing journal would look whole. */
export type JournalHead = Awaited<ReturnType<typeof openHead>>

const DIGITS = 12
const TEXT = /^(\d{12})\n$/

/** The number of the newest commit that a head file tells of; 0 when there is none or it is unreadable. */
export async function readHead(path: string): Promise<number> {
  return Number(TEXT.exec((await readIfThere(path)) ?? '')?.[1] ?? 0)
}

/** Opens a head file, made when it is not there, and notes `seq`. A failed note only makes a later cut harder to see. */
export async function openHead(path: string, seq: number) {
  const file = await open(path, 'a').then(async (handle) => {
    await handle.close()
    return open(path, 'r+')
  })
  /** Notes the number of the newest commit. Never ahead of the journal, for it is written after it and not waited for by a disk. */
  const note = async (newest: number): Promise<void> => {
    await file.write(`${String(newest).padStart(DIGITS, '0')}\n`, 0).catch(() => undefined)
  }
  await note(seq)
  return { note, close: () => file.close() }
}
