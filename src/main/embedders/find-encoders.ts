import { type Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type EncoderFolder, readEncoderFolder } from './encoder-folder'

const DEEPEST = 3

/** Encoder folders at or below the given folders, three levels deep; unreadable places and broken encoders are passed over. */
export async function findEncoders(folders: readonly string[]): Promise<EncoderFolder[]> {
  const found = new Map<string, EncoderFolder>()
  const visit = async (folder: string, depth: number): Promise<void> => {
    const encoder = await readEncoderFolder(folder).catch(() => null)
    if (encoder) {
      found.set(folder, encoder)
      return
    }
    if (depth === DEEPEST) return
    const entries: Dirent[] = await readdir(folder, { withFileTypes: true }).catch(() => [])
    for (const entry of entries)
      if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
        await visit(join(folder, entry.name), depth + 1)
  }
  for (const folder of folders) await visit(folder, 0)
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}
