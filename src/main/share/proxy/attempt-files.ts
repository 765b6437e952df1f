import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { redactAll } from '../../../core/memory/experiences/import/redact'
import { createSerial } from '../../../shared/serial'
import { readIfThere, replaceFile } from '../../ground/atomic-file'
import { rm } from '../../ground/steady-files'
import type { OpenAttempt } from './open-attempts'

/** Keeps open attempts on disk, so that a Loam that is killed loses none. */
export type AttemptFiles = ReturnType<typeof openAttemptFiles>

const ENDING = '.json'

/** One file an attempt in `folder`, without the secrets in it. */
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
      const text = JSON.stringify(redactAll(attempt).value)
      await ready
      await inTurn(attempt.id)(() => replaceFile(pathOf(attempt.id), text, 0o600))
    },
    async remove(id: string): Promise<void> {
      await inTurn(id)(() => rm(pathOf(id), { force: true }))
      turns.delete(id)
    },
    /** Those that were open when Loam ended; a file that cannot be read stays where it is. */
    async list(): Promise<OpenAttempt[]> {
      await ready
      const names = (await readdir(folder)).filter((name) => name.startsWith('att-') && name.endsWith(ENDING))
      const texts = await Promise.all(names.map((name) => readIfThere(join(folder, name))))
      return texts.flatMap((text) => {
        try {
          return text === null ? [] : [JSON.parse(text) as OpenAttempt]
        } catch {
          return []
        }
      })
    },
  }
}
