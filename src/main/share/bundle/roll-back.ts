import { mkdir, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { kindOf } from '../../../core/memory'
import { memoryRefSchema, type MemoryRef } from '../../../shared/domain/memory-item'
import { LoamError } from '../../../shared/errors'
import { JOURNAL_HEAD } from '../../memory-store/space-folder'
import type { Space } from '../../memory-store/space'
import { replaceJson } from '../../ground/atomic-file'
import { memorySourceOf } from '../../memory/memory-items'
import { INDEX_FOLDERS } from '../../ground/index-folders'
import { namesIn } from '../../ground/names-in'

const lengths = z.record(z.string(), z.number().int().min(0))

/** The last import of a space: how long its journal's files were before and after. */
const noteSchema = z.object({
  format: z.literal(1),
  bundle: z.string(),
  at: z.string(),
  before: lengths,
  /** Null when it was interrupted. */
  after: lengths.nullable(),
  head: z.string(),
  /** Soft prompts it brought: files beside the journal. */
  files: z.array(memoryRefSchema),
})

const noteFile = (folder: string): string => join(folder, 'shared', 'last-import.json')

async function journalLengths(folder: string): Promise<Record<string, number>> {
  const names = await namesIn(join(folder, 'journal'))
  const sizes = await Promise.all(
    names
      .filter((name) => name.endsWith('.jsonl'))
      .map(async (name) => [name, (await stat(join(folder, 'journal', name))).size] as const),
  )
  return Object.fromEntries(sizes.sort())
}

/** Does an import, noting beforehand what takes it back. `work` answers the files it brought beside the journal. */
export async function noteImport(
  space: Pick<Space, 'path'>,
  bundle: string,
  now: Date,
  work: () => Promise<readonly MemoryRef[]>,
): Promise<void> {
  const { path } = space
  const note = {
    format: 1 as const,
    bundle,
    at: now.toISOString(),
    before: await journalLengths(path),
    head: await readFile(join(path, JOURNAL_HEAD), 'utf8').catch(() => ''),
  }
  await mkdir(dirname(noteFile(path)), { recursive: true })
  await replaceJson(noteFile(path), { ...note, after: null, files: [] })
  const files = await work()
  await replaceJson(noteFile(path), { ...note, after: await journalLengths(path), files })
}

/**
 * Takes the last import of a space back: the journal gets its former length, and what is made from it is made again at the next opening.
 * `release` closes the space; it is closed afterwards.
 * @throws LoamError `NOT_FOUND` without an import, `CONFLICT` when something was written since
 */
export async function rollBack(
  space: Space,
  release: () => Promise<void>,
): Promise<{ readonly bundle: string; readonly at: string }> {
  const { path } = space
  const note = await readFile(noteFile(path), 'utf8').then(
    (text) => noteSchema.parse(JSON.parse(text)),
    () => {
      throw new LoamError('NOT_FOUND', 'There is no import to take back.', {
        suggestion: 'Only the last one of a bundle can be.',
      })
    },
  )
  const now = await journalLengths(path)
  if (note.after !== null && JSON.stringify(now) !== JSON.stringify(note.after))
    throw new LoamError('CONFLICT', 'Something was written into the space since the import.', {
      suggestion: 'Delete what came with it by hand, or export what is new first.',
    })
  const source = memorySourceOf(space)
  const change = { at: note.at, newId: note.bundle.slice(0, 24) }
  for (const { kind, id } of note.files) await kindOf(kind)?.remove(source, id, change)
  await release()
  for (const name of Object.keys(now)) {
    const file = join(path, 'journal', name)
    const length = note.before[name]
    if (length === undefined) await rm(file)
    else await shorten(file, length)
  }
  await writeFile(join(path, JOURNAL_HEAD), note.head)
  for (const made of INDEX_FOLDERS)
    await rm(join(path, made), { recursive: true, force: true, maxRetries: 5 })
  await removeLearned(join(path, 'artifacts'))
  await rm(noteFile(path))
  return { bundle: note.bundle, at: note.at }
}

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
