import { z } from 'zod'
import { count, instant, integer } from './units'

/** A folder that a person lets a memory read. */
export const indexedFolderSchema = z.object({
  id: z.string(),
  /** Absolute, on this machine. */
  path: z.string(),
  /** The project whose asks alone recall its passages; null: all of them. */
  project: z.string().nullable(),
  addedAt: instant,
  /** When it was last compared with what the memory holds; null before the first time. */
  syncedAt: instant.nullable(),
  /** Files it holds passages of, and how many of these there are. */
  files: count,
  passages: count,
  /** Files that could not be read, with the reason; at most 200 are named. */
  left: z.array(z.object({ path: z.string(), why: z.string() })),
  /** Whether the folder can be found now. */
  isThere: z.boolean(),
})
export type IndexedFolder = z.infer<typeof indexedFolderSchema>

/** What comparing a folder with its files came to. */
export const folderChangesSchema = z.object({
  /** Files that were new, changed, gone, or as they were. */
  added: count,
  changed: count,
  removed: count,
  same: count,
  /** Files that could not be read. */
  left: count,
  /** Passages that came and went. */
  passagesAdded: count,
  passagesRemoved: count,
})
export type FolderChanges = z.infer<typeof folderChangesSchema>

/** What comparing folders with their files came to, in words. */
export function changesWords(all: readonly FolderChanges[]): string {
  const of = (what: 'added' | 'changed' | 'removed' | 'same' | 'left') =>
    all.reduce((sum, changes) => sum + changes[what], 0)
  const parts = [
    [of('added'), 'added'],
    [of('changed'), 'changed'],
    [of('removed'), 'removed'],
    [of('left'), 'could not be read'],
  ] as const
  const [first, ...others] = parts.filter(([files]) => files > 0)
  if (!first) return `No file changed, ${of('same')} read`
  const rest = others.map(([files, what]) => `, ${files} ${what}`).join('')
  return `${first[0]} ${first[0] === 1 ? 'file' : 'files'} ${first[1]}${rest}`
}

/** Where in which file a passage stands: `harbor.md, lines 3 to 9`. */
export const placeWords = (at: {
  readonly path: string
  readonly from: number
  readonly to: number
}): string => `${at.path}, ${at.from === at.to ? `line ${at.from}` : `lines ${at.from} to ${at.to}`}`

/** Where a passage is from, opened. */
export const citationSchema = z.object({
  passageId: z.string(),
  /** The file on this machine; null where its folder is not known here (it came with an import, or is read no longer). */
  file: z.string().nullable(),
  path: z.string(),
  /** Lines, from 1, as they are now; of files that are no plain text, lines of the text that was read from them. */
  from: integer,
  to: integer,
  text: z.string(),
  /** `same`: the file says so still. `changed`: it has changed since it was read. `gone`: it is not there. `elsewhere`: the memory does not read its folder, as for `file`. */
  state: z.enum(['same', 'changed', 'gone', 'elsewhere']),
})
export type Citation = z.infer<typeof citationSchema>
