import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import type { MemoryEvent } from '../../core/ground/ports'
import { intoProject } from '../../core/memory/items/projects'
import { redactAll } from '../../core/memory/experiences/import/redact'
import { cutText } from '../../core/memory/passages/cut'
import { PASSAGE_ENVIRONMENT, PASSAGE_KIND, type Passage } from '../../core/memory/passages/passage'
import type { FolderChanges } from '../../shared/domain/files'
import { LoamError } from '../../shared/errors'
import type { StoredMemory } from '../memory-store/memory'
import { walkFolder } from '../ground/walk-folder'
import type { FolderRecord, KnownFile, KnownFolder } from './folder-record'
import type { FileTexts } from './read-file'

const MOST_FILES = 20_000
const MOST_NAMED = 200
/** Files after which what was read is kept. */
const FILES_PER_COMMIT = 32

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

/**
 * Brings the passages of a folder in step with its files: what is new or changed is cut and added, what is gone is dropped. A passage that
 * says the same in the same file stays the one it was, wherever in the file it now stands. Interrupted, it goes on where it was the next time.
 * @throws LoamError `NOT_FOUND` for a folder that is not there: nothing of it is dropped then; AbortError
 */
export async function syncFolder(
  memory: StoredMemory,
  record: FolderRecord,
  knownRecord: KnownFolder,
  texts: FileTexts,
  {
    now,
    signal,
    onProgress,
  }: {
    readonly now: () => Date
    readonly signal?: AbortSignal
    readonly onProgress?: (doneCount: number, total: number) => void
  },
): Promise<FolderChanges> {
  const about = await stat(knownRecord.path).catch(() => null)
  if (about?.isDirectory() !== true)
    throw new LoamError('NOT_FOUND', `There is no folder ${knownRecord.path}.`, {
      suggestion:
        'Connect its drive, or remove the folder from the memory. What was read of it stays until then.',
    })
  const { files: foundFiles, more } = await walkFolder(knownRecord.path, MOST_FILES)
  const changes = { added: 0, changed: 0, removed: 0, same: 0, left: 0, passagesAdded: 0, passagesRemoved: 0 }
  const files: Record<string, KnownFile> = { ...knownRecord.files }
  const rest: { path: string; why: string }[] = more
    ? [{ path: '', why: `there are more than ${MOST_FILES} files; the others are not read` }]
    : []
  let events: MemoryEvent[] = []
  const keep = async (syncedAt: string | null): Promise<void> => {
    if (events.length > 0) await memory.commit(events)
    events = []
    await record.put({ ...knownRecord, files, left: rest.slice(0, MOST_NAMED), syncedAt })
  }
  const at = (): string => now().toISOString()
  const drop = (file: KnownFile, except: ReadonlySet<string>): void => {
    for (const { id } of file.passages) {
      if (except.has(id)) continue
      events.push({ kind: 'memory-dropped', memoryId: id, at: at() })
      changes.passagesRemoved++
    }
  }

  const names = new Set(foundFiles.map(({ name }) => name))
  for (const [name, file] of Object.entries(knownRecord.files)) {
    if (names.has(name)) continue
    drop(file, new Set())
    Reflect.deleteProperty(files, name)
    changes.removed++
  }
  for (const [i, file] of foundFiles.entries()) {
    signal?.throwIfAborted()
    onProgress?.(i, foundFiles.length)
    const before = knownRecord.files[file.name]
    if (before?.bytes === file.bytes && before.modifiedMs === file.modifiedMs) {
      changes.same++
      continue
    }
    const content = await texts.read(file, signal)
    if ('why' in content) {
      rest.push({ path: file.name, why: content.why })
      changes.left++
      if (before) drop(before, new Set())
      Reflect.deleteProperty(files, file.name)
      continue
    }
    const size = { bytes: file.bytes, modifiedMs: file.modifiedMs, sha256: sha256(content.bytes) }
    if (before?.sha256 === size.sha256) {
      files[file.name] = { ...before, ...size }
      changes.same++
      continue
    }
    const passages = passagesOf(knownRecord.id, file.name, content.text, at())
    for (const passage of passages) {
      const change = appearance(memory, passage, at())
      if (change === null) continue
      events.push(change)
      const { project } = knownRecord
      if (project !== null) events.push(...intoProject([passage], project, at()))
      changes.passagesAdded++
    }
    if (before) drop(before, new Set(passages.map(({ id }) => id)))
    files[file.name] = { ...size, passages: passages.map(({ id, from, to }) => ({ id, from, to })) }
    changes[before ? 'changed' : 'added']++
    if ((changes.added + changes.changed) % FILES_PER_COMMIT === 0) await keep(knownRecord.syncedAt)
  }
  await keep(at())
  onProgress?.(foundFiles.length, foundFiles.length)
  return changes
}

/** Whether a folder that is there has other files than were read, by name, size and time. Files that could not be read count as read. */
export async function hasChanged({ path, files, left, syncedAt }: KnownFolder): Promise<boolean> {
  if ((await stat(path).catch(() => null))?.isDirectory() !== true) return false
  if (syncedAt === null) return true
  const { files: foundFiles } = await walkFolder(path, MOST_FILES)
  const unread = new Set(left.map((one) => one.path))
  const knownFiles = foundFiles.filter(({ name }) => Object.hasOwn(files, name))
  return (
    knownFiles.length < Object.keys(files).length ||
    foundFiles.some(({ name, bytes, modifiedMs }) => {
      const file = files[name]
      return file ? file.bytes !== bytes || file.modifiedMs !== modifiedMs : !unread.has(name)
    })
  )
}

/** The passages of a file. Their ids follow from folder, file and words, so that the same words are the same passage. */
function passagesOf(folderId: string, path: string, text: string, createdAt: string): Passage[] {
  const seenMap = new Map<string, number>()
  return cutText(redactAll(text).value).map((cut) => {
    const again = seenMap.get(cut.text) ?? 0
    seenMap.set(cut.text, again + 1)
    const id = `passage-${sha256([folderId, path, String(again), cut.text].join('\0')).slice(0, 24)}`
    return {
      ...{ kind: PASSAGE_KIND, id, runId: `folder-${folderId}`, environment: PASSAGE_ENVIRONMENT },
      ...{ trajectoryIds: [], createdAt, folderId, path, note: '' },
      ...{ from: cut.from, to: cut.to, headings: [...cut.headings], text: cut.text },
    }
  })
}

/** What makes a passage live; null where it is, or where a person deleted it. */
function appearance(
  { memorySource: { state } }: StoredMemory,
  passage: Passage,
  at: string,
): MemoryEvent | null {
  const entry = state.items.get(passage.id)
  if (!entry) return { kind: 'memory-added', memory: passage }
  const deleted = state.curated.get(PASSAGE_KIND)?.get(passage.id)?.deletedAt ?? null
  if (entry.droppedAt === null || deleted !== null) return null
  return { kind: 'item-restored', of: PASSAGE_KIND, itemId: passage.id, at }
}
