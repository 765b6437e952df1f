import { mkdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { createSerial } from '../../shared/serial'
import { diskError, errnoOf, syncFolder } from '../ground/atomic-file'
import { readRecord, removeRecord, writeRecord } from '../ground/record-file'
import { rm } from '../ground/steady-files'
import { appendLines, endOf } from '../ground/line-file'
import { sealed, unsealed } from '../ground/sealed'
import {
  applyAskEvent,
  askEventSchema,
  writtenSchema,
  type AskEvent,
  type AskState,
  type Written,
} from './ask-record'
import { namesIn } from '../ground/names-in'

/**
 * Asks on disk: `<folder>/<id>/ask.jsonl`, one event per line with a checksum, `ask.jsonl.end` with its length, `given/` with the files that came with it,
 * `given-<turn>/` for later messages, `written.json` with what is being written, `work/<attempt>/` with the folder each attempt worked in, and `steps/<attempt>/<step>/` as it was on the way.
 */
export type AskStore = ReturnType<typeof openAskStore>

/** Opens the asks of a data folder; the folder is made when the first one is. */
export function openAskStore(folder: string) {
  const serial = createSerial()
  // What temporary asks hold, and where their files lie until they are kept or Loam ends.
  const temporary = new Map<string, AskEvent[]>()
  const scratch = `${folder}-temporary`
  const placeOf = (id: string): string => join(temporary.has(id) ? scratch : folder, id)
  const fileOf = (id: string): string => join(folder, id, 'ask.jsonl')
  const writtenOf = (id: string): string => join(folder, id, 'written.json')
  const write = async (id: string, events: readonly AskEvent[]): Promise<void> => {
    const path = fileOf(id)
    try {
      await mkdir(join(folder, id), { recursive: true })
      await appendLines(path, events.map((event) => `${sealed(event)}\n`).join(''))
      if (events[0]?.kind === 'asked') await syncFolder(folder)
    } catch (error) {
      throw diskError(error, path)
    }
  }

  return {
    /** Written with fsync; when it resolves nothing of it can be lost. @throws LoamError `DISK_FULL` or `DISK_WRITE` */
    append: (id: string, ...events: readonly AskEvent[]) =>
      serial(async () => {
        const memory = temporary.get(id)
        if (memory) memory.push(...events)
        else await write(id, events)
      }),
    /** Writes nothing of an ask from now on, until `keep`. */
    hold: (id: string): void => void temporary.set(id, []),
    /** Writes all that a temporary ask holds, its files too. @throws LoamError `DISK_FULL` or `DISK_WRITE` */
    keep: (id: string) =>
      serial(async () => {
        const events = temporary.get(id)
        if (!events) return
        await mkdir(folder, { recursive: true })
        await rename(join(scratch, id), join(folder, id)).catch((error: unknown) => {
          if (errnoOf(error) !== 'ENOENT') throw diskError(error, join(folder, id))
        })
        await write(id, events)
        temporary.delete(id)
      }),
    /** Takes the files of temporary asks off the disk: at the end, and at the start those that a crash left. */
    clear: (): Promise<void> => rm(scratch, { recursive: true, force: true }),
    /** Every ask there is. Lines that cannot be read are left out and counted. */
    async loadAll(): Promise<{
      readonly states: AskState[]
      readonly damagedLines: number
      /** Ids of which nothing can be read. */
      readonly gaps: string[]
      /** Ids whose last lines are missing. */
      readonly cuts: string[]
    }> {
      const states: AskState[] = []
      const [gaps, cuts]: [string[], string[]] = [[], []]
      let damagedLines = 0
      for (const name of await namesIn(folder)) {
        const text = await readFile(fileOf(name), 'utf8').catch(() => '')
        const { state, damaged } = readAsk(text)
        damagedLines += damaged
        if (state) states.push(state)
        else gaps.push(name)
        if (state && (await endOf(fileOf(name))) === 'cut') cuts.push(name)
      }
      return { states, damagedLines, gaps, cuts }
    },
    /** Keeps what is being written, all at once. @throws LoamError `DISK_FULL` or `DISK_WRITE` */
    keepWritten: (id: string, progress: Written): Promise<void> =>
      temporary.has(id) ? Promise.resolve() : writeRecord(writtenOf(id), progress),
    /** What was being written; null where that is nothing, or cannot be read. */
    readWritten: (id: string): Promise<Written | null> =>
      readRecord(writtenOf(id), writtenSchema.nullable(), null),
    dropWritten: (id: string): Promise<void> => removeRecord(writtenOf(id)),
    /** Takes an ask off the disk, with all that is kept of it. */
    erase: (id: string): Promise<void> => rm(join(folder, id), { recursive: true, force: true }),
    /** What came with a message. Default: the first one. */
    givenFolder: (id: string, turn: number = 0): string =>
      join(placeOf(id), turn === 0 ? 'given' : `given-${turn}`),
    /** The folder an attempt worked in as it was after some of its steps. */
    stepsFolder: (id: string, attempt: number): string => join(placeOf(id), 'steps', String(attempt)),
    workFolder: (id: string, attempt: number): string => join(placeOf(id), 'work', String(attempt)),
  }
}

function readAsk(text: string): { state: AskState | null; damaged: number } {
  let state: AskState | null = null
  let damaged = 0
  for (const line of text.split('\n')) {
    if (line === '') continue
    try {
      state = applyAskEvent(state, askEventSchema.parse(unsealed(line)))
    } catch {
      damaged++
    }
  }
  return { state, damaged }
}
