import { randomBytes } from 'node:crypto'
import { access, mkdir } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { z } from 'zod'
import { keptSchema, type Kept, type TrashItem } from '../../shared/domain/storage'
import { LoamError } from '../../shared/errors'
import { folderBytes } from '../memory-store/memory-folder'
import { syncFolder } from '../ground/atomic-file'
import { rename, rm } from '../ground/steady-files'
import { namesIn } from '../ground/names-in'
import { noteDamage, readRecord, writeRecord } from '../ground/record-file'

const noteSchema = keptSchema.extend({
  /** A memory was called a space in Loam 0.1. */
  what: z.preprocess((what) => (what === 'space' ? 'memory' : what), keptSchema.shape.what),
  name: z.string(),
  at: z.string(),
  /** Where each folder lay, relative to the data folder, in the order in which they were moved; `content/<n>` holds it now. */
  folders: z.array(z.string()),
})
type Note = z.infer<typeof noteSchema>

/** `<data>/trash/<id>/`: item.json and the folders that were thrown away. */
export type Trash = ReturnType<typeof openTrash>

/** The trash of a data folder. */
export function openTrash(dataPath: string) {
  const folder = join(dataPath, 'trash')

  const ids = (): Promise<string[]> => namesIn(folder)

  const noteOf = async (trashId: string): Promise<Note | null> => {
    if (!(await ids()).includes(trashId)) return null
    const path = join(folder, trashId, 'item.json')
    const note = await readRecord(path, noteSchema.nullable(), null)
    if (note === null && (await namesIn(join(folder, trashId, 'content'))).length > 0)
      noteDamage(
        path,
        `${path} cannot be read, so the trash cannot put back what lies in the folder "content" beside it. It is deleted when the trash is emptied.`,
      )
    return note
  }

  const noteNamed = async (trashId: string): Promise<Note> => {
    const note = await noteOf(trashId)
    if (note) return note
    throw new LoamError('NOT_FOUND', 'That is no longer in the trash.', { suggestion: 'Reload the trash.' })
  }

  const itemOf = async (trashId: string, { what, id, name, at }: Note): Promise<TrashItem> => ({
    trashId,
    what,
    id,
    name,
    at,
    bytes: await folderBytes(join(folder, trashId)),
  })

  /** Moves folders one after the other; should one fail, those before it go back. */
  async function moveAll(moves: readonly (readonly [string, string])[]): Promise<void> {
    const groupedOutcomes: (readonly [string, string])[] = []
    try {
      for (const move of moves) {
        await rename(...move)
        groupedOutcomes.unshift(move)
      }
    } catch (error) {
      for (const [from, to] of groupedOutcomes) await rename(to, from).catch(() => undefined)
      throw error
    }
    for (const parent of new Set(moves.flatMap(([from, to]) => [dirname(from), dirname(to)])))
      await syncFolder(parent)
  }

  return {
    /** Moves folders of the data folder here; all of them or none. */
    async put(
      { what, id, name }: Kept & { readonly name: string },
      folders: readonly string[],
      at: Date,
    ): Promise<TrashItem> {
      const trashId = `${at.toISOString().replaceAll(/[:.]/g, '-')}-${randomBytes(3).toString('hex')}`
      const place = join(folder, trashId)
      const note: Note = {
        what,
        id,
        name,
        at: at.toISOString(),
        folders: folders.map((one) => relative(dataPath, resolve(one)).split(sep).join('/')),
      }
      await mkdir(join(place, 'content'), { recursive: true })
      // The note comes first: whatever happens after it, nothing lies here that nobody can put back.
      await writeRecord(join(place, 'item.json'), note)
      try {
        await moveAll(folders.map((one, n) => [one, join(place, 'content', String(n))] as const))
      } catch (error) {
        await rm(place, { recursive: true, force: true })
        throw error
      }
      return itemOf(trashId, note)
    },
    async list(): Promise<TrashItem[]> {
      const items: TrashItem[] = []
      for (const trashId of await ids()) {
        const note = await noteOf(trashId)
        if (note) items.push(await itemOf(trashId, note))
      }
      return items.sort((a, b) => (a.at < b.at ? 1 : -1))
    },
    /** Moves everything of an item back. @throws LoamError `NOT_FOUND`, `CONFLICT` when something else lies there now */
    async restore(trashId: string): Promise<Kept> {
      const note = await noteNamed(trashId)
      const moves = note.folders.map(
        (one, n) => [join(folder, trashId, 'content', String(n)), join(dataPath, one)] as const,
      )
      for (const [, to] of moves)
        if (await isThere(to))
          throw new LoamError('CONFLICT', `There is a ${note.what} ${basename(to)} again.`, {
            suggestion: 'Remove that one first.',
          })
      await moveAll(moves)
      await rm(join(folder, trashId), { recursive: true, force: true })
      return { what: note.what, id: note.id }
    },
    /** Deletes items for good; answers their bytes. */
    async empty(trashIds: readonly string[] | null): Promise<number> {
      let bytes = 0
      for (const trashId of await ids()) {
        if (trashIds?.includes(trashId) === false) continue
        bytes += await folderBytes(join(folder, trashId))
        await rm(join(folder, trashId), { recursive: true, force: true })
      }
      return bytes
    },
    bytes: (): Promise<number> => folderBytes(folder),
  }
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
