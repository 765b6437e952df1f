import { join } from 'node:path'
import { z } from 'zod'
import { itemMarkSchema } from '../../shared/domain/item'
import { LoamError } from '../../shared/errors'
import { replaceJson } from '../ground/atomic-file'
import { readJsonOr } from '../ground/read-json'
import { readSoftPrompt, type SoftPromptFile } from './soft-prompt-file'
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
export type Accepted = z.infer<typeof acceptedSchema>

/** What an environment uses now: an adapter's file name, or null. */
export const lastOf = (history: Accepted['history'], environment: string): string | null =>
  history.findLast((one) => one.environment === environment)?.adapter ?? null

/** The folder of a shelf and the file that says what people decided about it. */
export type SoftPromptRecord = ReturnType<typeof openSoftPromptRecord>

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
    read: (): Promise<Accepted> => readJsonOr(file, acceptedSchema, { format: 1, history: [] }),
    write: (accepted: Accepted) => replaceJson(file, accepted),
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
