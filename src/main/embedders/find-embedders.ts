import { type Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type EmbedderFolder, readEmbedderFolder } from './embedder-folder'

const DEEPEST = 3

/** Encoder folders at or below the given folders, three levels deep; unreadable places and broken encoders are passed over. */
export async function findEmbedders(folders: readonly string[]): Promise<EmbedderFolder[]> {
  const folderMap = new Map<string, EmbedderFolder>()
  const visit = async (folder: string, depth: number): Promise<void> => {
    const embedder = await readEmbedderFolder(folder).catch(() => null)
    if (embedder) {
      folderMap.set(folder, embedder)
      return
    }
    if (depth === DEEPEST) return
    const entries: Dirent[] = await readdir(folder, { withFileTypes: true }).catch(() => [])
    for (const entry of entries)
      if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
        await visit(join(folder, entry.name), depth + 1)
  }
  for (const folder of folders) await visit(folder, 0)
  return [...folderMap.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}
