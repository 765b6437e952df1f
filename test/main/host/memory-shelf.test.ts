import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { openDataFolder, type DataFolder } from '../../../src/main/host/data-folder'
import { folderHolder } from '../../../src/main/ground/lock'
import { attempt, inTempFolder, wordEmbedder } from '../memory-store/fixtures'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const embedder = wordEmbedder()
const COUNT = 16

/** Ids of new memories with a case each, and what says which of them are in memory; `part` holds a part of the first, and nothing else holds any. */
async function fill({ memories }: DataFolder) {
  const all: { readonly id: string; readonly ref: WeakRef<object> }[] = []
  let part: object | null = null
  for (let n = 0; n < COUNT; n++) {
    const { id } = await memories.create(`Memory ${n}`)
    const memory = await memories.open(id, embedder)
    await memory.commit(attempt(1, `boats of harbor ${n}`))
    part ??= memory.experiences
    all.push({ id, ref: new WeakRef(memory) })
  }
  return { all, part }
}

describe('memories that nobody holds', () => {
  it('are let go, stay locked, and read and write as before at their next use', () =>
    inTempFolder(async (root) => {
      const data = await openDataFolder(root)
      const { all, part } = await fill(data)
      await expect
        .poll(
          async () => {
            await sleep(50)
            collect()
            return all.filter(({ ref }) => ref.deref()).length
          },
          { timeout: 20_000 },
        )
        .toBeLessThanOrEqual(8)
      expect([part !== null, all[0]?.ref.deref() !== undefined]).toEqual([true, true])
      for (const { id, ref } of all) {
        expect(await folderHolder(data.memories.folder(id))).toBe(process.pid)
        const before = ref.deref()
        const memory = await data.memories.open(id, embedder)
        if (before) expect(memory).toBe(before)
        await memory.commit(attempt(2, 'carts of the market'))
        expect((await memory.search('market', 1)).map((hit) => hit.case.state)).toEqual([
          'carts of the market',
        ])
        expect(await memory.info()).toMatchObject({ cases: 2 })
      }
      await data.close()
      for (const { id } of all) expect(await folderHolder(data.memories.folder(id))).toBeNull()
    }))
})
