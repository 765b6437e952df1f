import { join } from 'node:path'
import { z } from 'zod'
import { readDerived, writeDerived } from '../../ground/derived-file'
import { indexFoldersIn } from '../../ground/index-folders'

const indexNoteSchema = z.object({
  /** Layout of the table, terms and built-in vectors; another number means rebuild. */
  format: z.literal(4),
  embedder: z.object({ id: z.string(), dimension: z.number().int().positive() }),
  /** Journal record up to which the index holds everything. */
  appliedSeq: z.number().int().nonnegative(),
  cases: z.number().int().nonnegative(),
  /** Items of the memory by kind; absent in the index of a single kind, and in notes of earlier versions. */
  items: z.record(z.string(), z.number().int().nonnegative()).optional(),
  trajectories: z.number().int().nonnegative(),
})
/** What an index was made from and how far it goes; `cases` counts those that are not deleted. */
export type IndexNote = z.infer<typeof indexNoteSchema>

/** Reads `index.json` of an index folder; null when it is missing or unreadable, which both mean: rebuild. */
export const readIndexNote = (folder: string): Promise<IndexNote | null> =>
  readDerived(join(folder, 'index.json'), indexNoteSchema)

/** Writes `index.json`, all at once. */
export async function writeIndexNote(folder: string, note: IndexNote): Promise<void> {
  await writeDerived(join(folder, 'index.json'), note)
}

/** The newest journal record that the indexes of a memory hold; 0 without any. */
export async function indexedSeq(memoryFolder: string): Promise<number> {
  const notes = await Promise.all((await indexFoldersIn(memoryFolder)).map(readIndexNote))
  return Math.max(0, ...notes.map((note) => note?.appliedSeq ?? 0))
}
