import { randomUUID } from 'node:crypto'
import { savedPromptSchema, type SavedPrompt } from '../../shared/domain/saved-prompt'
import { LoamError } from '../../shared/errors'
import { createSerial } from '../../shared/serial'
import { readRecord, writeRecord } from '../ground/record-file'

const promptsSchema = savedPromptSchema.array()

/** The texts that a person uses again, in one file. */
export type PromptStore = ReturnType<typeof openPromptStore>

/** Opens them; the file is made when the first one is kept. */
export function openPromptStore(path: string) {
  const serial = createSerial()
  const read = (): Promise<SavedPrompt[]> => readRecord(path, promptsSchema, [])
  const write = async (prompts: SavedPrompt[]): Promise<SavedPrompt[]> => {
    const sorted = prompts.sort((a, b) => a.name.localeCompare(b.name))
    await writeRecord(path, sorted)
    return sorted
  }
  return {
    /** All of them, by name. */
    list: (): Promise<SavedPrompt[]> => serial(read),
    /**
     * Keeps one in the place of the one with its id, or beside the others; without an id it is a new one.
     * @throws LoamError `CONFLICT` when another has its name; `DISK_FULL`, `DISK_WRITE`
     */
    save: ({ id = randomUUID(), name, text }: Omit<SavedPrompt, 'id'> & { id?: string | undefined }) =>
      serial(async () => {
        const others = (await read()).filter((prompt) => prompt.id !== id)
        if (others.some((prompt) => prompt.name.toLowerCase() === name.toLowerCase()))
          throw new LoamError('CONFLICT', `There is a saved prompt “${name}” already.`, {
            suggestion: 'Choose another name, or edit that one.',
          })
        return write([...others, { id, name, text }])
      }),
    /** Takes one out; one that is gone stays gone. @throws LoamError `DISK_FULL`, `DISK_WRITE` */
    remove: (id: string): Promise<SavedPrompt[]> =>
      serial(async () => write((await read()).filter((prompt) => prompt.id !== id))),
  }
}
