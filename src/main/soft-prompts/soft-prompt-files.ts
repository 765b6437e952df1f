import { readFile, stat } from 'node:fs/promises'
import type { SoftPromptFiles, StoredSoftPrompt } from '../../core/memory/items/kind'
import { LoamError } from '../../shared/errors'
import { openSoftPromptStore } from './soft-prompt-store'

/** The soft prompts of a memory as a kind of memory: an item's id is its adapter's SHA-256, as attempts name it. */
export function softPromptFiles(memoryFolder: string): SoftPromptFiles {
  const softPromptList = openSoftPromptStore(memoryFolder)

  const list = async (): Promise<StoredSoftPrompt[]> => {
    const { items } = await softPromptList.view()
    const marks = await softPromptList.marks()
    const there = items.map(({ info, bytes, state }) => ({
      info,
      bytes,
      deletedAt: null,
      inUse: state === 'in-use',
    }))
    const removals = await Promise.all(
      (await softPromptList.trash()).map(async ({ file: { info, adapter }, at }) => ({
        info,
        bytes: (await stat(adapter)).size,
        deletedAt: at,
        inUse: false,
      })),
    )
    return [...there, ...removals].map((file) => ({
      ...file,
      id: file.info.adapterSha256,
      mark: marks[file.info.adapter] ?? null,
    }))
  }

  const find = async (id: string): Promise<StoredSoftPrompt> => {
    const prompt = (await list()).find((one) => one.id === id)
    if (prompt) return prompt
    throw new LoamError('NOT_FOUND', 'There is no such soft prompt in this memory.', {
      suggestion: 'Reload the list.',
    })
  }

  return {
    list,
    mark: async (id, mark) => softPromptList.mark((await find(id)).info.adapter, mark),
    label: async (id, label, at) => softPromptList.label((await find(id)).info.adapter, label, at),
    async remove(id, at) {
      const { info, deletedAt } = await find(id)
      if (deletedAt === null) await softPromptList.discard(info.adapter, at)
    },
    async restore(id) {
      const { info, deletedAt } = await find(id)
      if (deletedAt !== null) await softPromptList.restore(info.adapter)
    },
    async read(id) {
      const { info, deletedAt } = await find(id)
      const [removal] =
        deletedAt === null
          ? []
          : (await softPromptList.trash()).filter(({ file }) => file.info.adapterSha256 === id)
      return new Uint8Array(
        await readFile(removal?.file.adapter ?? (await softPromptList.get(info.adapter)).adapter),
      )
    },
    add: (info, adapter) => softPromptList.add(info, adapter),
  }
}
