import { readFile, stat } from 'node:fs/promises'
import type { SoftPromptFiles, StoredSoftPrompt } from '../../core/memory/items/kind'
import { LoamError } from '../../shared/errors'
import { openShelf } from './shelf'

/** The soft prompts of a memory as a kind of memory: an item's id is its adapter's SHA-256, as attempts name it. */
export function softPromptFiles(memoryFolder: string): SoftPromptFiles {
  const shelf = openShelf(memoryFolder)

  const list = async (): Promise<StoredSoftPrompt[]> => {
    const { items } = await shelf.view()
    const marks = await shelf.marks()
    const there = items.map(({ info, bytes, state }) => ({
      info,
      bytes,
      deletedAt: null,
      inUse: state === 'in-use',
    }))
    const gone = await Promise.all(
      (await shelf.trash()).map(async ({ file: { info, adapter }, at }) => ({
        info,
        bytes: (await stat(adapter)).size,
        deletedAt: at,
        inUse: false,
      })),
    )
    return [...there, ...gone].map((file) => ({
      ...file,
      id: file.info.adapterSha256,
      mark: marks[file.info.adapter] ?? null,
    }))
  }

  const find = async (id: string): Promise<StoredSoftPrompt> => {
    const found = (await list()).find((one) => one.id === id)
    if (found) return found
    throw new LoamError('NOT_FOUND', 'There is no such soft prompt in this memory.', {
      suggestion: 'Reload the list.',
    })
  }

  return {
    list,
    mark: async (id, mark) => shelf.mark((await find(id)).info.adapter, mark),
    label: async (id, label, at) => shelf.label((await find(id)).info.adapter, label, at),
    async remove(id, at) {
      const { info, deletedAt } = await find(id)
      if (deletedAt === null) await shelf.discard(info.adapter, at)
    },
    async restore(id) {
      const { info, deletedAt } = await find(id)
      if (deletedAt !== null) await shelf.restore(info.adapter)
    },
    async read(id) {
      const { info, deletedAt } = await find(id)
      const [gone] =
        deletedAt === null ? [] : (await shelf.trash()).filter(({ file }) => file.info.adapterSha256 === id)
      return new Uint8Array(await readFile(gone?.file.adapter ?? (await shelf.get(info.adapter)).adapter))
    },
    add: (info, adapter) => shelf.add(info, adapter),
  }
}
