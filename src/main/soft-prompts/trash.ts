import { moveRecord, readRecord, writeRecord } from '../ground/record-file'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { LoamError } from '../../shared/errors'
import { rename } from '../ground/steady-files'
import { infoPathOf, readSoftPrompt, type SoftPromptFile } from './soft-prompt-file'
import { z } from 'zod'
import { itemMarkSchema } from '../../shared/domain/item'
import { namesIn } from '../ground/names-in'

const acceptedSchema = z.object({
  format: z.literal(1),
  /** Oldest first; the last one of an environment is in use. `adapter` null: none is used from then on. */
  history: z.array(z.object({ environment: z.string(), adapter: z.string().nullable(), at: z.string() })),
  /** What people decided about single ones, by adapter. Absent in those of older versions. */
  marks: z.record(z.string(), itemMarkSchema).optional(),
  /** Those in the trash, by adapter: since when, and which environment used it until then. */
  removed: z.record(z.string(), z.object({ at: z.string(), usedFor: z.string().nullable() })).optional(),
})
/** What people decided about a shelf. */
type Accepted = z.infer<typeof acceptedSchema>

/** What an environment uses now: an adapter's file name, or null. */
export const lastOf = (history: Accepted['history'], environment: string): string | null =>
  history.findLast((one) => one.environment === environment)?.adapter ?? null

/** The folder of a shelf and the file that says what people decided about it. */
type SoftPromptRecord = ReturnType<typeof openSoftPromptRecord>

/** The record of the shelf in the memory's folder. */
export function openSoftPromptRecord(memoryFolder: string) {
  const folder = join(memoryFolder, 'artifacts', 'soft-prompts')
  const file = join(folder, 'accepted.json')
  /** File names of adapters in a folder; none when there is no folder. */
  const names = async (of: string): Promise<string[]> =>
    (await namesIn(of)).filter((name) => name.endsWith('.gguf'))
  return {
    folder,
    /** Where those in the trash are. */
    removed: join(folder, 'removed'),
    read: (): Promise<Accepted> => readRecord(file, acceptedSchema, { format: 1, history: [] }),
    write: (accepted: Accepted) => writeRecord(file, accepted),
    names,
    /** One of the shelf's by adapter file name. Throws `NOT_FOUND`, or `SOFT_PROMPT` when it is damaged. */
    async get(adapter: string): Promise<SoftPromptFile> {
      if (!(await names(folder)).includes(adapter))
        throw new LoamError('NOT_FOUND', `There is no soft prompt ${adapter} in this memory.`, {
          suggestion: 'Reload the list of soft prompts.',
        })
      return readSoftPrompt(join(folder, adapter))
    },
  }
}

/** The trash of a shelf: taking soft prompts off it and putting them back. */
export function softPromptTrash({ folder, removed, read, write, get, names }: SoftPromptRecord) {
  const move = async (adapter: string, from: string, to: string): Promise<void> => {
    // The description goes first and comes last: without it nothing is found.
    const info = basename(infoPathOf(adapter))
    const moveInfo = (): Promise<void> => moveRecord(join(from, info), join(to, info))
    if (to === removed) await moveInfo()
    await rename(join(from, adapter), join(to, adapter))
    if (to !== removed) await moveInfo()
  }
  const takeOff = async (adapter: string, at: string, usedFor: string | null): Promise<void> => {
    const { history, removed: removal = {}, ...rest } = await read()
    await mkdir(removed, { recursive: true })
    await write({
      ...rest,
      history: history.filter((one) => one.adapter !== adapter),
      removed: { ...removal, [adapter]: { at, usedFor } },
    })
    await move(adapter, folder, removed)
  }

  return {
    /** Takes one off the shelf, into the trash. Throws `CONFLICT` for one in use. */
    async remove(adapter: string): Promise<void> {
      await get(adapter)
      const { history } = await read()
      if (history.some(({ environment }) => lastOf(history, environment) === adapter))
        throw new LoamError('CONFLICT', 'This soft prompt is in use.', {
          suggestion: 'Go back to the one before, or use none; then delete it.',
        })
      await takeOff(adapter, '', null)
    },
    /** As `remove`, out of use first where it is in use; `restore` then puts it back to use. */
    async discard(adapter: string, at: string): Promise<void> {
      await get(adapter)
      const { history } = await read()
      const using = history.find(({ environment }) => lastOf(history, environment) === adapter)
      await takeOff(adapter, at, using?.environment ?? null)
    },
    async restore(adapter: string): Promise<void> {
      if (!existsSync(join(removed, adapter)))
        throw new LoamError('NOT_FOUND', `${adapter} is no longer there to be put back.`, {
          suggestion: 'Train a new one.',
        })
      await move(adapter, removed, folder)
      const { removed: removal = {}, history, ...rest } = await read()
      const { [adapter]: own, ...others } = removal
      const environment = own?.usedFor ?? null
      const back =
        own && environment !== null && lastOf(history, environment) === null
          ? [{ environment, adapter, at: own.at }]
          : []
      await write({ ...rest, history: [...history, ...back], removed: others })
    },
    /** Those in the trash, and since when. */
    async trash(): Promise<{ readonly file: SoftPromptFile; readonly at: string }[]> {
      const { removed: record = {} } = await read()
      const removalPromise = (await names(removed)).map(async (name) => ({
        file: await readSoftPrompt(join(removed, name)),
        at: record[name]?.at ?? '',
      }))
      return (await Promise.allSettled(removalPromise)).flatMap((one) =>
        one.status === 'fulfilled' ? [one.value] : [],
      )
    },
  }
}
