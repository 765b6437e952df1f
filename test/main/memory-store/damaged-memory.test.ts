import { cp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repairMemory } from '../../../src/main/memory-store/repair-memory'
import { openMemory } from '../../../src/main/memory-store/memory'
import { readMemoryInfo } from '../../../src/main/memory-store/memory-info'
import { attempt, inTempFolder, wordEmbedder } from './fixtures'

const embedder = wordEmbedder(64)
const segmentOf = (folder: string): string => join(folder, 'journal', '000000000001.jsonl')

/** A closed memory with `commits` attempts in it. */
async function filled(folder: string, commits: number, segmentBytes?: number): Promise<void> {
  const memory = await openMemory({ folder, embedder, ...(segmentBytes && { segmentBytes }) })
  for (let n = 1; n <= commits; n++) await memory.commit(attempt(n, `cancel booking ${n}`))
  await memory.close()
}

/** Name and content of every file, so that nothing can change unseen. */
async function everything(folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile()) found.set(path, await readFile(path, 'base64'))
  }
  return found
}

const DAMAGES: readonly [string, (folder: string) => Promise<void>][] = [
  [
    'whole commits cut off its end',
    async (folder) => {
      const lines = (await readFile(segmentOf(folder), 'utf8')).split('\n')
      await writeFile(segmentOf(folder), lines.slice(0, 7).join('\n') + '\n')
    },
  ],
  [
    'an acknowledged commit cut in the middle',
    async (folder) => {
      const { length } = await readFile(segmentOf(folder))
      await truncate(segmentOf(folder), length - 20)
    },
  ],
  ['its only segment gone', (folder) => rm(segmentOf(folder))],
  ['its folder gone', (folder) => rm(join(folder, 'journal'), { recursive: true })],
  ['an empty segment', (folder) => truncate(segmentOf(folder), 0)],
]

describe('a journal that is shorter than it was', () => {
  it.each(DAMAGES)('is refused, listed with what is wrong, and nothing is changed: %s', (_, damage) =>
    inTempFolder(async (folder) => {
      await filled(folder, 12)
      await damage(folder)
      const before = await everything(folder)
      const refused = { code: 'DATA_CORRUPT', why: expect.stringMatching(/but 12 were written/) as string }
      await expect(openMemory({ folder, embedder })).rejects.toMatchObject(refused)
      await expect(readMemoryInfo(folder)).rejects.toMatchObject(refused)
      expect(await everything(folder)).toEqual(before)
    }),
  )

  it.each(['the search index', 'the head file'])('is found out by %s alone', (witness) =>
    inTempFolder(async (folder) => {
      await filled(folder, 12)
      if (witness === 'the head file') await rm(join(folder, 'lance'), { recursive: true })
      else await rm(join(folder, 'journal-head'))
      await DAMAGES[0]?.[1](folder)
      await expect(openMemory({ folder, embedder })).rejects.toMatchObject({
        code: 'DATA_CORRUPT',
        why: expect.stringContaining('ends after commit 7, but 12 were written: 5 are missing') as string,
      })
    }),
  )

  it('is refused when its last segment is gone', () =>
    inTempFolder(async (folder) => {
      await filled(folder, 12, 2000)
      const names = (await readdir(join(folder, 'journal'))).sort()
      expect(names.length).toBeGreaterThan(2)
      await rm(join(folder, 'journal', names.at(-1) ?? ''))
      await expect(openMemory({ folder, embedder })).rejects.toMatchObject({ code: 'DATA_CORRUPT' })
    }))

  it('keeps the bytes of an unfinished commit that it cuts off', () =>
    inTempFolder(async (folder) => {
      await filled(folder, 3)
      const torn = '{"seq":4,"time":"2026-01-01T00:00'
      await writeFile(segmentOf(folder), torn, { flag: 'a' })
      const memory = await openMemory({ folder, embedder })
      expect(memory.opening.tornTail).toMatchObject({ line: 4, bytes: torn.length })
      expect(await readFile(memory.opening.tornTail?.kept ?? '', 'utf8')).toBe(torn)
      await memory.commit(attempt(4, 'another one'))
      await memory.close()
      const again = await openMemory({ folder, embedder })
      expect(again.opening.tornTail).toBeNull()
      expect((await again.info()).cases).toBe(4)
      await again.close()
    }))

  it('may be a copy that was made while the memory was in use', () =>
    inTempFolder(async (root) => {
      const folder = join(root, 'one')
      const memory = await openMemory({ folder, embedder })
      await memory.commit(attempt(1, 'first'))
      const copy = join(root, 'two')
      await cp(folder, copy, { recursive: true, filter: (path) => !path.endsWith('lock') })
      await memory.commit(attempt(2, 'second'))
      await memory.close()
      const copied = await openMemory({ folder: copy, embedder })
      expect((await copied.info()).cases).toBe(1)
      await copied.close()
    }))
})

describe('repairing', () => {
  it.each([
    ['a shortened journal', DAMAGES[0]?.[1], { kept: 7, lost: 5 }],
    ['a missing journal', DAMAGES[3]?.[1], { kept: 0, lost: 12 }],
    [
      'a damaged line in the middle',
      async (folder: string) => {
        const text = await readFile(segmentOf(folder), 'utf8')
        await writeFile(segmentOf(folder), text.replace('cancel booking 3"', 'cancel booking 9"'))
      },
      { kept: 11, lost: 1 },
    ],
  ])('%s keeps what is whole and puts the rest aside', (_, damage, outcome) =>
    inTempFolder(async (folder) => {
      await filled(folder, 12)
      await damage?.(folder)
      await expect(openMemory({ folder, embedder })).rejects.toMatchObject({ code: 'DATA_CORRUPT' })
      const repair = await repairMemory(folder, new Date(0))
      expect(repair).toMatchObject(outcome)
      expect(await readdir(repair.evidence)).toEqual(expect.arrayContaining(['lance', 'journal-head']))
      const memory = await openMemory({ folder, embedder })
      expect((await memory.info()).cases).toBe(outcome.kept)
      await memory.commit(attempt(40, 'goes on'))
      await memory.close()
      expect((await readMemoryInfo(folder)).cases).toBe(outcome.kept + 1)
    }),
  )

  it('gives a memory without its space.json a new one, and does not take it for empty before', () =>
    inTempFolder(async (folder) => {
      await filled(folder, 3)
      for (const name of ['space.json', 'space.json.copy']) await rm(join(folder, name))
      const refused = {
        code: 'DATA_CORRUPT',
        why: expect.stringContaining('space.json is missing') as string,
      }
      await expect(openMemory({ folder, embedder })).rejects.toMatchObject(refused)
      await expect(readMemoryInfo(folder)).rejects.toMatchObject(refused)
      expect(await repairMemory(folder, new Date(0))).toMatchObject({ kept: 3, lost: 0 })
      expect((await readMemoryInfo(folder)).cases).toBe(3)
    }))
})
