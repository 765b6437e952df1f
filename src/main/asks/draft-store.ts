import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  handedFileSchema,
  messageDraftSchema,
  type KeepDraft,
  type MessageDraft,
} from '../../shared/domain/ask'
import { createSerial } from '../../shared/serial'
import { readIfThere, replaceJson } from '../ground/atomic-file'
import { namesIn } from '../ground/names-in'
import { rm } from '../ground/steady-files'

const END = '.json'
const FILES_END = '.files.json'
const textSchema = messageDraftSchema.omit({ files: true })
const filesSchema = handedFileSchema.array()

/** Messages that are being written, a file each in `folder`, their attachments in another beside it. */
export type DraftStore = ReturnType<typeof openDraftStore>

/** Opens them; the folder is made when the first one is kept. */
export function openDraftStore(folder: string) {
  const serial = createSerial()
  const read = async <T>(name: string, parse: (value: unknown) => T): Promise<T | null> => {
    try {
      const text = await readIfThere(join(folder, name))
      return text === null ? null : parse(JSON.parse(text))
    } catch {
      // A draft that cannot be read is no draft.
      return null
    }
  }
  return {
    /** Everything that is being written. */
    list: (): Promise<MessageDraft[]> =>
      serial(async () => {
        const drafts: MessageDraft[] = []
        for (const name of await namesIn(folder)) {
          if (!name.endsWith(END) || name.endsWith(FILES_END)) continue
          const text = await read(name, (value) => textSchema.parse(value))
          const files = await read(`${name.slice(0, -END.length)}${FILES_END}`, (value) =>
            filesSchema.parse(value),
          )
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
        if (files?.length === 0) await rm(filesPath, { force: true })
        else if (files) await replaceJson(filesPath, files)
        if (text.text === '' && text.choices === undefined && (await readIfThere(filesPath)) === null)
          await rm(path, { force: true })
        else await replaceJson(path, text)
      }),
  }
}
