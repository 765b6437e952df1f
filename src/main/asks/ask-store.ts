import { open, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSerial } from '../../shared/serial'
import { diskError, syncFolder } from '../ground/atomic-file'
import { readRecord, removeRecord, writeRecord } from '../ground/record-file'
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
 * Asks on disk: `<folder>/<id>/ask.jsonl`, one event per line with a checksum, `given/` with the files that came with it,
 * `given-<turn>/` for later messages, `written.json` with what is being written, `work/<attempt>/` with the folder each attempt worked in, and `steps/<attempt>/<step>/` as it was on the way.
 */
export type AskStore = ReturnType<typeof openAskStore>

/** Opens the asks of a data folder; the folder is made when the first one is. */
export function openAskStore(folder: string) {
  const serial = createSerial()
  const fileOf = (id: string): string => join(folder, id, 'ask.jsonl')
  const writtenOf = (id: string): string => join(folder, id, 'written.json')

  return {
    /** Written with fsync; when it resolves nothing of it can be lost. @throws LoamError `DISK_FULL` or `DISK_WRITE` */
    append: (id: string, event: AskEvent) =>
      serial(async () => {
        const path = fileOf(id)
        try {
          await mkdir(join(folder, id), { recursive: true })
          await appendLine(path, `${sealed(event)}\n`)
          if (event.kind === 'asked') await syncFolder(folder)
        } catch (error) {
          throw diskError(error, path)
        }
      }),
    /** Every ask there is. Lines that cannot be read are left out and counted. */
    async loadAll(): Promise<{ readonly states: AskState[]; readonly damagedLines: number }> {
      const states: AskState[] = []
      let damagedLines = 0
      for (const name of await namesIn(folder)) {
        const text = await readFile(fileOf(name), 'utf8').catch(() => '')
        const { state, damaged } = readAsk(text)
        damagedLines += damaged
        if (state) states.push(state)
      }
      return { states, damagedLines }
    },
    /** Keeps what is being written, all at once. @throws LoamError `DISK_FULL` or `DISK_WRITE` */
    keepWritten: (id: string, progress: Written): Promise<void> => writeRecord(writtenOf(id), progress),
    /** What was being written; null where that is nothing, or cannot be read. */
    readWritten: (id: string): Promise<Written | null> =>
      readRecord(writtenOf(id), writtenSchema.nullable(), null),
    dropWritten: (id: string): Promise<void> => removeRecord(writtenOf(id)),
    /** What came with a message. Default: the first one. */
    givenFolder: (id: string, turn: number = 0): string =>
      join(folder, id, turn === 0 ? 'given' : `given-${turn}`),
    /** The folder an attempt worked in as it was after some of its steps. */
    stepsFolder: (id: string, attempt: number): string => join(folder, id, 'steps', String(attempt)),
    workFolder: (id: string, attempt: number): string => join(folder, id, 'work', String(attempt)),
  }
}

/** Appends a line after the last whole one: what a kill in mid-write left was never acknowledged. */
async function appendLine(path: string, line: string): Promise<void> {
  const file = await open(path, 'a+')
  try {
    const { size } = await file.stat()
    const last = size > 0 ? (await file.read(Buffer.alloc(1), 0, 1, size - 1)).buffer[0] : 0x0a
    // A torn line stays as a damaged one; the new event begins a line of its own.
    await file.writeFile(last === 0x0a ? line : `\n${line}`)
    await file.sync()
  } finally {
    await file.close()
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
