import { copyFile, mkdir, readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { LoamError } from '../../shared/errors'
import { errnoOf, replaceFile, syncFolder } from '../ground/atomic-file'
import { stamp } from '../journal/backups'
import { readHead } from '../journal/head'
import { lockFolder } from '../ground/lock'
import { decodeRecord, encodeRecord } from '../journal/record'
import { listSegments, segmentName } from '../journal/replay'
import { indexedSeq } from '../adapters/lancedb/index-note'
import { createMemoryFile, DAMAGED_PREFIX, JOURNAL_HEAD, readMemoryFile } from './memory-folder'
import { rename, rm } from '../ground/steady-files'
import { INDEX_FOLDERS } from '../ground/index-folders'

/** What a repair kept and what is lost. */
export interface MemoryRepair {
  /** Commits that were whole. */
  readonly kept: number
  /** Commits that were written, as far as is known, and can no longer be read. */
  readonly lost: number
  /** Folder with everything that was there before. */
  readonly evidence: string
}

/**
 * Makes a damaged memory one that can be opened: keeps every commit whose checksum holds, renumbered, and a new `space.json` where that
 * is missing or unreadable. What was there before is moved to `damaged-<time>` in the memory's folder; nothing is deleted.
 * @throws LoamError `NOT_FOUND`, `DATA_DIR_LOCKED`, `DATA_FORMAT_NEWER`, `DISK_FULL`, `DISK_WRITE`
 */
export async function repairMemory(folder: string, now: Date): Promise<MemoryRepair> {
  const path = resolve(folder)
  const journal = join(path, 'journal')
  const segments = await listSegments(journal)
  const file = await readMemoryFile(path).catch((error: unknown) => {
    if (error instanceof LoamError && error.code === 'DATA_CORRUPT') return null
    throw error
  })
  if (!file && segments.length === 0)
    throw new LoamError('NOT_FOUND', `There is no memory in ${path}.`, {
      suggestion: 'Name the folder of a memory.',
    })
  const lock = await lockFolder(path)
  try {
    const knownCount = Math.max(await indexedSeq(path), await readHead(join(path, JOURNAL_HEAD)))
    const evidence = join(path, `${DAMAGED_PREFIX}${stamp(now)}`)
    await mkdir(evidence)
    const fresh = `${journal}.tmp`
    await rm(fresh, { recursive: true, force: true })
    await mkdir(fresh)
    let records: WholeRecords = { kept: 0, written: 0 }
    await replaceFile(join(fresh, segmentName(1)), async (target) => {
      records = await eachWholeRecord(journal, segments, (line) => target.writeFile(line))
    })
    for (const name of ['space.json', 'space.json.copy'])
      await copyFile(join(path, name), join(evidence, name)).catch(notThere)
    for (const name of ['journal', ...INDEX_FOLDERS, JOURNAL_HEAD])
      await rename(join(path, name), join(evidence, name)).catch(notThere)
    await rename(fresh, journal)
    if (!file) await createMemoryFile(path, { id: basename(path), createdAt: now.toISOString() })
    await syncFolder(path)
    return { kept: records.kept, lost: Math.max(knownCount, records.written) - records.kept, evidence }
  } finally {
    await lock.release()
  }
}

interface WholeRecords {
  readonly kept: number
  /** At least as many were written. */
  readonly written: number
}

/** Hands over every record that checks out as a line, numbered anew from 1. */
async function eachWholeRecord(
  journal: string,
  segments: readonly string[],
  take: (line: string) => Promise<void>,
): Promise<WholeRecords> {
  let keptCount = 0
  let last = 0
  let damagedSince = 0
  for (const name of segments) {
    const bytes = await readFile(join(journal, name))
    for (let offset = 0; offset < bytes.length;) {
      const newline = bytes.indexOf(0x0a, offset)
      const end = newline === -1 ? bytes.length : newline
      const record = decodeRecord(bytes.subarray(offset, end))
      if (typeof record !== 'string' && record.seq > last) {
        last = record.seq
        damagedSince = 0
        await take(encodeRecord({ ...record, seq: ++keptCount }))
      } else if (newline !== -1) damagedSince++
      offset = end + 1
    }
  }
  return { kept: keptCount, written: last + damagedSince }
}

function notThere(error: unknown): void {
  if (errnoOf(error) !== 'ENOENT') throw error
}
