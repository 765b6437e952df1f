import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  handedFileSchema,
  messageDraftSchema,
  type KeepDraft,
  type MessageDraft,
} from '../../shared/domain/ask'
import { createSerial } from '../../shared/serial'
import type { z } from 'zod'
import { readIfThere } from '../ground/atomic-file'
import { readRecord, removeRecord, writeRecord } from '../ground/record-file'
import { namesIn } from '../ground/names-in'

const END = '.json'
const FILES_END = '.files.json'
const textSchema = messageDraftSchema.omit({ files: true })
const filesSchema = handedFileSchema.array()

/** Messages that are being written, a file each in `folder`, their attachments in another beside it. */
export type DraftStore = ReturnType<typeof openDraftStore>

/** Opens them; the folder is made when the first one is kept. */
export function openDraftStore(folder: string) {
  const serial = createSerial()
  const read = <T>(name: string, schema: z.ZodType<T>): Promise<T | null> =>
    readRecord(join(folder, name), schema.nullable(), null)
  return {
    /** Everything that is being written. */
    list: (): Promise<MessageDraft[]> =>
      serial(async () => {
        const drafts: MessageDraft[] = []
        for (const name of await namesIn(folder)) {
          if (!name.endsWith(END) || name.endsWith(FILES_END)) continue
          const text = await read(name, textSchema)
          const files = await read(`${name.slice(0, -END.length)}${FILES_END}`, filesSchema)
          if (text) drafts.push({ ...text, files: files ?? [] })
        }
        return drafts
      }),
    /** Keeps one; with neither words nor choices nor files nothing of it stays. @throws LoamError `DISK_FULL`, `DISK_WRITE` */
    keep: ({ files, ...text }: KeepDraft): Promise<void> =>
      serial(async () => {
        const path = join(folder, `${text.key}${END}`)
        const filesPath = join(folder, `${text.key}${FILES_END}`)
        await mkdir(folder, { recursive: true })
        if (files?.length === 0) await removeRecord(filesPath)
        else if (files) await writeRecord(filesPath, files)
        if (text.text === '' && text.choices === undefined && (await readIfThere(filesPath)) === null)
          await removeRecord(path)
        else await writeRecord(path, text)
      }),
  }
}
