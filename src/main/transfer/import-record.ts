import { readRecord, removeRecord, writeRecord } from '../ground/record-file'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, truncate, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { kindOf } from '../../core/memory'
import { ATTEMPTS } from '../../core/memory/kind-words'
import type { Change } from '../../core/memory/items/kind'
import { importRecordSchema, type ImportRecord, type UndoneImport } from '../../shared/domain/item-transfer'
import { itemOriginSchema, itemRefSchema, type ItemOrigin, type ItemRef } from '../../shared/domain/item'
import { LoamError } from '../../shared/errors'
import { INDEX_FOLDERS } from '../ground/index-folders'
import { namesIn } from '../ground/names-in'
import { memorySourceOf } from '../items/memory-items'
import { JOURNAL_HEAD } from '../memory-store/memory-folder'
import type { StoredMemory } from '../memory-store/memory'
import type { ImportedAsks } from '../memories/imported-chats'
import type { OnChange } from '../memories/intake-options'
import { ASKS } from '../memories/kind-tallies'

const lengths = z.record(z.string(), z.number().int().min(0))

/** Items of an import: ids by kind, since there may be a hundred thousand; earlier versions wrote each with its kind. */
const refsSchema = z
  .union([z.array(itemRefSchema), z.record(z.string(), z.array(z.string()))])
  .transform((refs) =>
    Array.isArray(refs)
      ? refs
      : Object.entries(refs).flatMap(([kind, ids]) => ids.map((id): ItemRef => ({ kind, id }))),
  )

/** An import with all that takes it back: a file of its own beside the journal. */
const noteSchema = importRecordSchema.omit({ goneOnWith: true }).extend({
  version: z.literal(1),
  /** Lengths of the journal's files before and after; `after` is null when Loam stopped in between. */
  before: lengths,
  after: lengths.nullable(),
  head: z.string(),
  added: refsSchema,
  ended: refsSchema,
  /** Attempts that came with it. */
  attempts: z.number().int().min(0),
})
type Note = z.infer<typeof noteSchema>

/** Where the last version kept its only one. */
const earlierSchema = z.object({
  bundle: z.string(),
  at: z.string(),
  before: lengths,
  after: lengths.nullable(),
  head: z.string(),
  files: z.array(itemRefSchema),
})

type Folder = Pick<StoredMemory, 'path'>
const folderOf = ({ path }: Folder): string => join(path, 'shared', 'imports')
const fileOf = (memory: Folder, importId: string): string => join(folderOf(memory), `${importId}.json`)
const earlierFile = ({ path }: Folder): string => join(path, 'shared', 'last-import.json')

const idsByKind = (refs: readonly ItemRef[]): Record<string, string[]> => {
  const ids: Record<string, string[]> = {}
  for (const { kind, id } of refs) (ids[kind] ??= []).push(id)
  return ids
}

const writeNote = (file: string, note: Note): Promise<void> =>
  writeRecord(file, { ...note, added: idsByKind(note.added), ended: idsByKind(note.ended) })

async function journalLengths(folder: string): Promise<Record<string, number>> {
  const names = await namesIn(join(folder, 'journal'))
  const sizes = await Promise.all(
    names
      .filter((name) => name.endsWith('.jsonl'))
      .map(async (name) => [name, (await stat(join(folder, 'journal', name))).size] as const),
  )
  return Object.fromEntries(sizes.sort())
}

/** An id of its own for every import, also of the same file: "20260601120000-1a2b3c4d". */
export const newImportId = (now: Date): string =>
  `${now
    .toISOString()
    .replace(/[^0-9]/g, '')
    .slice(0, 14)}-${randomBytes(4).toString('hex')}`

/** What an import is called before it begins. */
export type ImportAbout = Omit<ImportRecord, 'imported' | 'undoneAt' | 'goneOnWith'>

/**
 * Does an import, noting beforehand what takes it back. `work` answers the rows that came in. What was committed before it failed or was cancelled
 * is noted as well.
 */
export async function recordImport<T extends { readonly imported: number; readonly format: string }>(
  memory: Folder,
  about: ImportAbout,
  work: (onChange: OnChange) => Promise<T>,
): Promise<T> {
  const additions: ItemRef[] = []
  const endings: ItemRef[] = []
  const note: Note = {
    ...about,
    ...{
      version: 1,
      imported: 0,
      undoneAt: null,
      after: null,
      added: additions,
      ended: endings,
      attempts: 0,
    },
    before: await journalLengths(memory.path),
    head: await readFile(join(memory.path, JOURNAL_HEAD), 'utf8').catch(() => ''),
  }
  await mkdir(folderOf(memory), { recursive: true })
  const file = fileOf(memory, about.importId)
  await writeNote(file, note)
  let [imported, attempts] = [0, 0]
  let format = about.format
  try {
    const outcome = await work((more, fewer, triedCount) => {
      additions.push(...more)
      endings.push(...fewer)
      attempts += triedCount
    })
    ;({ imported, format } = outcome)
    return outcome
  } finally {
    const after = await journalLengths(memory.path)
    const isSame = JSON.stringify(after) === JSON.stringify(note.before) && additions.length === 0
    if (isSame) await removeRecord(file)
    else
      await writeNote(file, {
        ...note,
        format,
        after,
        attempts,
        imported: Math.max(imported, additions.length),
      })
  }
}

async function notesOf(memory: Folder): Promise<Note[]> {
  const names = await readdir(folderOf(memory)).catch(() => [])
  const notes: Note[] = []
  for (const name of names.filter((one) => one.endsWith('.json'))) {
    const note = await readRecord(join(folderOf(memory), name), noteSchema, null as never, {
      suggestion: 'Restore the file from a backup. The items themselves are in the journal.',
    })
    notes.push(note)
  }
  const earlier = await readRecord(earlierFile(memory), earlierSchema.nullable(), null)
  if (earlier) notes.push(noteOfEarlier(earlier))
  return notes.sort((a, b) => (a.at < b.at ? 1 : -1))
}

/** The last version told neither file nor items; it can be undone while nothing was written since. */
const noteOfEarlier = ({ bundle, files, ...note }: z.infer<typeof earlierSchema>): Note => ({
  ...note,
  ...{ version: 1, importId: bundle.slice(0, 24), file: '', format: 'bundle', client: null },
  ...{ imported: files.length, undoneAt: null, added: files, ended: [], attempts: 0 },
})

const recordOf = (note: Note): ImportRecord => importRecordSchema.parse(note)

/** The imports of a memory, newest first. */
export const listImports = async (
  memory: Folder,
  asks?: Pick<ImportedAsks, 'goneOnWith'>,
): Promise<ImportRecord[]> =>
  (await notesOf(memory)).map((note) => ({
    ...recordOf(note),
    goneOnWith: asks?.goneOnWith(note.importId).length ?? 0,
  }))

/** The import that an item came with; null when it came with none. */
export async function originOf(memory: Folder, { kind, id }: ItemRef): Promise<ItemOrigin | null> {
  const note = (await notesOf(memory)).find(({ added }) =>
    added.some((ref) => ref.kind === kind && ref.id === id),
  )
  return note ? itemOriginSchema.parse(note) : null
}

/**
 * Undoes an import as a whole. While nothing was written since, the journal gets its former length, `release` closes the memory, and it is
 * exactly as before. Otherwise every item that came with it goes out of use, and what it had put out of use comes back.
 * @throws LoamError `NOT_FOUND` for an unknown import, `CONFLICT` for one that is undone, or was interrupted before other work
 */
export async function undoImport(
  memory: StoredMemory,
  importId: string | null,
  now: Date,
  release: () => Promise<void>,
  asks?: ImportedAsks,
): Promise<UndoneImport> {
  const notes = await notesOf(memory)
  const note = notes.find((one) => (importId === null ? one.undoneAt === null : one.importId === importId))
  if (!note)
    throw new LoamError(
      'NOT_FOUND',
      importId === null ? 'There is no import to undo.' : `There is no import ${importId}.`,
      { suggestion: 'List the imports of this memory.' },
    )
  if (note.undoneAt !== null)
    throw new LoamError('CONFLICT', `The import ${note.importId} is undone already.`, {
      suggestion: 'Import the file again to have it back.',
    })
  const isLast =
    note.after === null
      ? note === notes[0]
      : JSON.stringify(await journalLengths(memory.path)) === JSON.stringify(note.after)
  const { added, ended } = note
  const stays = asks?.goneOnWith(note.importId).length ?? 0
  const chats = await asks?.undoChats(note.importId)
  const own = added.filter(({ kind }) => kind !== ASKS)
  const undoneItems = isLast
    ? { removed: own.length, restored: ended.length, stays: [] }
    : await undoItems(memory, note, now)
  const undone = {
    ...{ importId: note.importId, file: note.file, format: note.format, client: note.client, at: note.at },
    removed: undoneItems.removed + (chats?.removed ?? 0),
    restored: undoneItems.restored + (chats?.restored ?? 0),
    stays: [
      ...undoneItems.stays,
      ...(stays === 0 ? [] : [{ kind: ASKS, count: stays, why: 'you went on with them' }]),
    ],
  }
  if (isLast) await shortenJournal(memory, note, release)
  await rm(earlierFile(memory), { force: true })
  await mkdir(folderOf(memory), { recursive: true })
  await writeNote(fileOf(memory, note.importId), { ...note, undoneAt: now.toISOString() })
  return undone
}

/** Item by item, where the memory went on since. */
async function undoItems(
  memory: StoredMemory,
  note: Note,
  now: Date,
): Promise<Pick<UndoneImport, 'removed' | 'restored' | 'stays'>> {
  if (note.after === null || (note.added.length === 0 && note.ended.length === 0))
    throw new LoamError(
      'CONFLICT',
      'The memory was changed since, and the record of the import names no items.',
      { suggestion: 'Delete what came with it by hand.' },
    )
  const source = memorySourceOf(memory)
  const change = (ref: ItemRef): Change => ({ at: now.toISOString(), newId: `${note.importId}-${ref.id}` })
  let [removedCount, restored] = [0, 0]
  for (const ref of unique(note.added)) {
    if (ref.kind === ASKS) continue
    const kind = kindOf(ref.kind)
    if ((await kind?.head(source, ref.id))?.gone !== null) continue
    await kind?.remove(source, ref.id, change(ref))
    removedCount++
  }
  for (const ref of unique(note.ended)) {
    const kind = kindOf(ref.kind)
    if (((await kind?.head(source, ref.id))?.gone ?? null) === null) continue
    await kind?.restore(source, ref.id, change(ref))
    restored++
  }
  const { attempts } = note
  const why = 'attempts stay in the journal; nothing recalls them'
  return {
    removed: removedCount,
    restored,
    stays: attempts === 0 ? [] : [{ kind: ATTEMPTS, count: attempts, why }],
  }
}

const unique = (refs: readonly ItemRef[]): ItemRef[] => [
  ...new Map(refs.map((ref) => [`${ref.kind}/${ref.id}`, ref])).values(),
]

/** The journal gets its former length, and what is made from it is made again at the next opening. */
async function shortenJournal(memory: StoredMemory, note: Note, release: () => Promise<void>): Promise<void> {
  const { path } = memory
  const source = memorySourceOf(memory)
  // Soft prompts are files beside the journal.
  for (const { kind, id } of note.added)
    if (await isFile(memory, kind, id))
      await kindOf(kind)?.remove(source, id, { at: note.at, newId: note.importId })
  const now = await journalLengths(path)
  await release()
  for (const name of Object.keys(now)) {
    const file = join(path, 'journal', name)
    const length = note.before[name]
    if (length === undefined) await rm(file)
    else await shorten(file, length)
  }
  await writeFile(join(path, JOURNAL_HEAD), note.head)
  for (const product of INDEX_FOLDERS)
    await rm(join(path, product), { recursive: true, force: true, maxRetries: 5 })
  await removeLearned(join(path, 'artifacts'))
}

const isFile = async (memory: StoredMemory, kind: string, id: string): Promise<boolean> =>
  (await memorySourceOf(memory).softPrompts.list()).some(
    (prompt) => prompt.id === id && kindOf(kind) !== undefined,
  )

async function shorten(file: string, length: number): Promise<void> {
  await truncate(file, length)
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Learned files follow from the journal and are made again; folders among them hold what does not. */
async function removeLearned(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  for (const entry of entries) if (entry.isFile()) await rm(join(folder, entry.name))
}
