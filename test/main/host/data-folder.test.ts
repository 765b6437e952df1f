import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { damageIn } from '../../../src/main/ground/record-file'
import { openDataFolder } from '../../../src/main/host/data-folder'
import type { Migration } from '../../../src/main/journal/format'
import { attempt, inTempFolder, wordEmbedder } from '../memory-store/fixtures'
import { caseEdits } from '../memory-store/case-edits'

const embedder = wordEmbedder()

async function everyFile(folder: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile())
      files[join(entry.parentPath, entry.name)] = await readFile(join(entry.parentPath, entry.name), 'utf8')
  }
  return files
}

describe('data folder', () => {
  it('is made once and found again', () =>
    inTempFolder(async (root) => {
      const path = join(root, 'data')
      const made = await openDataFolder(path)
      expect(made.isNew).toBe(true)
      await expect(openDataFolder(path)).rejects.toMatchObject({ code: 'DATA_DIR_LOCKED' })
      await made.close()
      const found = await openDataFolder(path)
      expect(found.isNew).toBe(false)
      expect(found.format).toEqual({ format: 1, migratedFrom: null, backup: null })
      await found.close()
      expect(await readdir(path)).not.toContain('lock')
    }))

  it('is made around the window’s own folder, which no backup takes along', () =>
    inTempFolder(async (root) => {
      await mkdir(join(root, 'window', 'Cache'), { recursive: true })
      await writeFile(join(root, 'window', 'Cache', 'data_0'), 'page')
      const made = await openDataFolder(root)
      expect(made.isNew).toBe(true)
      const backup = await made.backUp()
      await made.close()
      expect(await readdir(backup)).not.toContain('window')
      expect(await readdir(backup)).toContain('format.json')
    }))

  it('lists, opens and shares memories, with the same counts open or closed', () =>
    inTempFolder(async (root) => {
      const data = await openDataFolder(root)
      const { id } = await data.memories.create('My first memory')
      const memory = await data.memories.open(id, embedder)
      expect(await data.memories.open(id, embedder)).toBe(memory)
      for (let n = 1; n <= 3; n++) await memory.commit(attempt(n, `task ${n}`))
      await caseEdits(memory).deleteCase('c00001')
      const open = await data.memories.info(id)
      expect(open).toMatchObject({
        id,
        name: 'My first memory',
        cases: 2,
        items: { case: 2 },
        trajectories: 3,
        embedder: embedder.id,
      })
      await data.close()
      const again = await openDataFolder(root)
      const closed = (await again.memories.list()).find(({ id }) => id === memory.id)
      expect(closed).toMatchObject({
        id,
        name: 'My first memory',
        cases: 2,
        items: { case: 2 },
        trajectories: 3,
        embedder: embedder.id,
      })
      await rm(join(root, 'spaces', id, 'lance'), { recursive: true })
      expect(await again.memories.info(id)).toMatchObject({ cases: 2, items: { case: 2 }, trajectories: 3 })
      await again.close()
    }))

  it('lists a damaged memory with its problem beside the healthy ones', () =>
    inTempFolder(async (root) => {
      const data = await openDataFolder(root)
      const healthy = await data.memories.create('healthy')
      const damaged = await data.memories.create('damaged')
      for (const name of ['space.json', 'space.json.copy']) await writeFile(join(damaged.path, name), 'x')
      const list = await data.memories.list()
      expect(list.find((memory) => memory.id === healthy.id)?.problem).toBeUndefined()
      expect(list.find((memory) => memory.id === damaged.id)?.problem).toContain('space.json')
      await data.close()
    }))

  it('lets no id lead out of the folder', () =>
    inTempFolder(async (root) => {
      const data = await openDataFolder(root)
      for (const id of ['..', '../x', 'a/b', 'a\\b', '', '.', 'x..y', 'C:']) {
        await expect(data.memories.open(id, embedder)).rejects.toMatchObject({ code: 'BAD_INPUT' })
        expect(() => data.runs.folder(id)).toThrow(/not a valid id/)
      }
      await expect(data.memories.open('nobody', embedder)).rejects.toMatchObject({ code: 'NOT_FOUND' })
      await data.close()
    }))

  it('keeps settings, refuses wrong ones and reports a damaged file', () =>
    inTempFolder(async (root) => {
      const data = await openDataFolder(root)
      expect(await data.settings.load()).toMatchObject({ theme: 'system', network: false })
      await Promise.all([data.settings.save({ theme: 'dark' }), data.settings.save({ threads: 2 })])
      expect(await data.settings.load()).toMatchObject({ theme: 'dark', threads: 2 })
      await expect(data.settings.save({ threads: 0 })).rejects.toMatchObject({ code: 'BAD_INPUT' })
      await writeFile(join(root, 'settings.json'), '{"theme":')
      expect((await data.settings.load()).theme).toBe('dark')
      await writeFile(join(root, 'settings.json.copy'), '{"theme":')
      expect(await data.settings.load()).toMatchObject({ theme: 'system', network: false })
      expect(damageIn(root)).toHaveLength(1)
      await data.close()
    }))

  it('refuses a newer format and a foreign folder without touching them', () =>
    inTempFolder(async (root) => {
      const newer = join(root, 'newer')
      await mkdir(newer)
      await writeFile(join(newer, 'format.json'), '{"format":2,"createdAt":"2030-01-01T00:00:00.000Z"}')
      const foreign = join(root, 'foreign')
      await mkdir(foreign)
      await writeFile(join(foreign, 'thesis.docx'), 'x')
      const before = await everyFile(root)
      await expect(openDataFolder(newer)).rejects.toMatchObject({ code: 'DATA_FORMAT_NEWER' })
      await expect(openDataFolder(foreign)).rejects.toMatchObject({ code: 'BAD_INPUT' })
      expect(await everyFile(root)).toEqual(before)
    }))

  it('backs up before migrating and goes on after a migration that failed', () =>
    inTempFolder(async (root) => {
      const first = await openDataFolder(root)
      await first.settings.save({ theme: 'dark' })
      await first.close()
      let fails = true
      const migrations: Migration[] = [
        { from: 1, title: 'add a', run: (path) => writeFile(join(path, 'a'), 'a') },
        {
          from: 2,
          title: 'add b',
          run: (path) => (fails ? Promise.reject(new Error('power cut')) : writeFile(join(path, 'b'), 'b')),
        },
      ]
      await expect(openDataFolder(root, { migrations })).rejects.toThrow('power cut')
      fails = false
      const migrated = await openDataFolder(root, { migrations })
      expect(migrated.format).toMatchObject({ format: 3, migratedFrom: 2 })
      await migrated.close()
      expect(await readFile(join(root, 'b'), 'utf8')).toBe('b')
      const backups = await readdir(join(root, 'backups'))
      const oldest = join(root, 'backups', backups.sort()[0] ?? '')
      expect(JSON.parse(await readFile(join(oldest, 'format.json'), 'utf8'))).toMatchObject({ format: 1 })
      expect(await readdir(oldest)).not.toContain('a')
      await expect(openDataFolder(root)).rejects.toMatchObject({ code: 'DATA_FORMAT_NEWER' })
    }))

  it('backup, wipe, restore: equal content hash and equal answers', () =>
    inTempFolder(async (root) => {
      const path = join(root, 'data')
      const data = await openDataFolder(path)
      const { id } = await data.memories.create('kept')
      const memory = await data.memories.open(id, embedder)
      for (let n = 1; n <= 30; n++) await memory.commit(attempt(n, `task ${n % 7} of list ${n}`))
      await caseEdits(memory).deleteCase('c00004')
      const hash = await memory.contentHash()
      const found = await memory.search('list 12', 5)
      const backup = await data.backUp()
      await data.close()
      const kept = join(root, 'kept')
      await cp(backup, kept, { recursive: true })
      await rm(path, { recursive: true })
      await cp(kept, path, { recursive: true })
      const restored = await openDataFolder(path)
      const again = await restored.memories.open(id, embedder)
      expect(again.opening.rebuilt).toBe('missing')
      expect(await again.contentHash()).toBe(hash)
      expect(await again.search('list 12', 5)).toEqual(found)
      await restored.close()
    }))
})
