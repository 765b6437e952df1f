import { appendFile, readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openDataFolder } from '../../../src/main/host/data-folder'
import { awakeMemories } from '../../../src/main/memory-store/awake-memories'
import { openMemory, type StoredMemory } from '../../../src/main/memory-store/memory'
import { attempt, inTempFolder, wordEmbedder } from './fixtures'

const embedder = wordEmbedder()
const COUNT = 14

/** Files below a folder that this process holds open; where the system does not tell, none. */
async function filesHeld(folder: string): Promise<string[]> {
  const names = await readdir('/proc/self/fd').catch(() => [])
  const paths = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')))
  return paths.filter((path) => path.startsWith(folder))
}

const countOf = (memory: StoredMemory): Promise<number> => memory.info().then(({ cases }) => cases)

describe('memories that nobody uses', () => {
  it('hold no files: of many that were opened and used, a few stay open', () =>
    inTempFolder(async (root) => {
      const data = await openDataFolder(root)
      const memories: StoredMemory[] = []
      for (let n = 0; n < COUNT; n++) {
        const { id } = await data.memories.create(`Memory ${n}`)
        const memory = await data.memories.open(id, embedder)
        await memory.commit(attempt(1, `boats of harbor ${n}`))
        expect(await memory.search('boats', 1)).toHaveLength(1)
        memories.push(memory)
      }
      await expect
        .poll(async () => (await filesHeld(root)).length, { timeout: 20_000 })
        .toBeLessThanOrEqual(6)
      for (const memory of memories) {
        await memory.commit(attempt(2, 'carts of the market'))
        expect(await memory.search('market', 1)).toHaveLength(1)
        expect(await countOf(memory)).toBe(2)
      }
      await expect
        .poll(async () => (await filesHeld(root)).length, { timeout: 20_000 })
        .toBeLessThanOrEqual(6)
      await data.close()
      expect(await filesHeld(root)).toEqual([])
    }))

  it('rest between uses that take turns and overlap, and lose nothing', () =>
    inTempFolder(async (root) => {
      const awake = awakeMemories({ most: 1 })
      const open = (name: string): Promise<StoredMemory> =>
        openMemory({ folder: join(root, name), embedder, awake })
      const memories = [await open('one'), await open('two'), await open('three')]
      for (let n = 1; n <= 8; n++) {
        await Promise.all(
          memories.map(async (memory) => {
            const text = `task ${n} of the harbor`
            await Promise.all([memory.commit(attempt(n, text)), memory.search('harbor', 3)])
            expect((await memory.search(text, 1)).map((hit) => hit.case.state)).toEqual([text])
          }),
        )
      }
      expect(awake.size).toBe(1)
      const hashes = await Promise.all(memories.map((memory) => memory.contentHash()))
      for (const memory of memories) await memory.close()
      expect(awake.size).toBe(0)
      for (const [i, name] of ['one', 'two', 'three'].entries()) {
        const again = await open(name)
        expect(again.opening).toEqual({ tornTail: null, rebuilt: null, caughtUp: 0 })
        expect(await again.contentHash()).toBe(hashes[i])
        expect(await countOf(again)).toBe(8)
        await again.close()
      }
    }))

  it('rest after a while without use', () =>
    inTempFolder(async (root) => {
      const memory = await openMemory({ folder: root, embedder, awake: awakeMemories({ idleMs: 1 }) })
      await memory.commit(attempt(1, 'boats'))
      await expect.poll(() => filesHeld(join(root, 'journal')), { timeout: 20_000 }).toEqual([])
      expect(await memory.search('boats', 1)).toHaveLength(1)
      await memory.close()
      await expect(memory.search('boats', 1)).rejects.toMatchObject({ code: 'CONFLICT' })
    }))

  it('notice that their journal was changed while they rested', () =>
    inTempFolder(async (root) => {
      const awake = awakeMemories({ most: 1 })
      const memory = await openMemory({ folder: join(root, 'one'), embedder, awake })
      await memory.commit(attempt(1, 'boats'))
      const other = await openMemory({ folder: join(root, 'two'), embedder, awake })
      await other.commit(attempt(1, 'carts'))
      const journal = join(root, 'one', 'journal')
      await expect.poll(() => filesHeld(journal), { timeout: 20_000 }).toEqual([])
      await appendFile(join(journal, (await readdir(journal))[0] ?? ''), 'more\n')
      await expect(memory.commit(attempt(2, 'boats'))).rejects.toMatchObject({ code: 'DATA_CORRUPT' })
      await other.close()
      await memory.close()
    }))
})
