import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { redactAll } from '../../../core/memory/experiences/import/redact'
import { createSerial } from '../../../shared/serial'
import { readRecord, recordOf, removeRecord, writeRecord } from '../../ground/record-file'
import type { OpenAttempt } from './open-attempts'

/** Keeps open attempts on disk, so that a Loam that is killed loses none. A power cut may take what came in the last half minute. */
export type AttemptFiles = ReturnType<typeof openAttemptFiles>

const ENDING = '.json'
/** For its owner alone. */
const OWNER = 0o600
/** Written by Loam itself, so its checksum vouches for its shape. */
const openAttemptRecord = z.custom<OpenAttempt>().nullable()

/** A record an attempt in `folder`, without the secrets in it. */
export function openAttemptFiles(folder: string) {
  const turns = new Map<string, ReturnType<typeof createSerial>>()
  const inTurn = (id: string): ReturnType<typeof createSerial> => {
    const turn = turns.get(id) ?? createSerial()
    turns.set(id, turn)
    return turn
  }
  const pathOf = (id: string): string => join(folder, `${id}${ENDING}`)
  const ready = mkdir(folder, { recursive: true })
  ready.catch(() => undefined)
  return {
    /** Writes it as it is now. @throws LoamError `DISK_FULL` or `DISK_WRITE` */
    async save(attempt: OpenAttempt): Promise<void> {
      const { value } = redactAll(attempt)
      await ready
      // A client waits for it, and a disk may take 5 ms for each fsync.
      await inTurn(attempt.id)(() => writeRecord(pathOf(attempt.id), value, OWNER, false))
    },
    async remove(id: string): Promise<void> {
      await inTurn(id)(() => removeRecord(pathOf(id)))
      turns.delete(id)
    },
    /** Those that were open when Loam ended; one that cannot be read stays where it is, and the status bar says so. */
    async list(): Promise<OpenAttempt[]> {
      await ready
      const paths = (await readdir(folder)).flatMap((name) =>
        name.startsWith('att-') ? (recordOf(join(folder, name)) ?? []) : [],
      )
      const all = await Promise.all(
        [...new Set(paths)].map((path) => readRecord(path, openAttemptRecord, null)),
      )
      return all.filter((attempt) => attempt !== null)
    },
  }
}
