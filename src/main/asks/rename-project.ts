import { intoProject, itemsOf } from '../../core/memory/items/projects'
import { MY_MEMORY } from '../../shared/domain/memory-info'
import type { Host } from '../host/host'
import type { Files } from '../files/files'
import type { Memories } from '../memories/memories'
import type { Asks } from './asks'
import { openIfThere } from './learn-from-ask'
import type { ProjectStore } from './project-store'

/** Where projects are told of. */
interface ProjectPlaces {
  readonly asks: Pick<Asks, 'list' | 'file'>
  readonly projects: Pick<ProjectStore, 'rename'>
  readonly memories: Pick<Memories, 'open' | 'resolve'>
  readonly files: Pick<Files, 'moveProject'>
  /** Has keys of one project open another. */
  readonly moveKeys: (from: string, project: string) => Promise<void>
  readonly clock: Host['clock']
}

/**
 * Calls a project otherwise, wherever it is told of: items of My memory and of memories that its asks use, folders, keys of programs, settings and asks.
 * A name that is taken makes one of both. Asks go last, so that a host that is killed in between goes on where it is said again.
 *
 * @throws LoamError `DISK_FULL`, `DISK_WRITE`, and as opening a memory does
 */
export async function renameProject(
  { from, name }: { readonly from: string; readonly name: string },
  { asks, projects, memories, files, moveKeys, clock }: ProjectPlaces,
): Promise<void> {
  if (from === name) return
  const own = [false, true]
    .flatMap((deleted) => asks.list({ text: '', deleted }))
    .filter(({ folder }) => folder === from)
  const memoryIds = new Set([MY_MEMORY, ...own.map(({ spec }) => spec.memoryId)].map(memories.resolve))
  for (const memoryId of memoryIds) {
    const memory = await openIfThere(memories, memoryId)
    if (memory === null) continue
    const items = itemsOf(memory.memorySource.state.curated, from)
    if (items.length > 0) await memory.commit(intoProject(items, name, clock.now().toISOString()))
    await files.moveProject(memoryId, from, name)
  }
  await moveKeys(from, name)
  await projects.rename(from, name)
  for (const { id } of own) await asks.file(id, name)
}
