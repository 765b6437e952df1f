import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { viewFolder } from '../../../src/main/models/folder-view'

describe('looking into folders', () => {
  let home: string
  const look = (path: string | null, hidden = false) =>
    viewFolder({ path, hidden }, { home, platform: 'linux', folders: [join(home, 'models')] })
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'loam-look-'))
    for (const name of ['models', 'Downloads', '.secret', 'Zoo', 'b10', 'b2']) await mkdir(join(home, name))
    for (const name of ['a.GGUF', 'e.onnx', 'passwords.txt', '.hidden.gguf', 'x.gguf.part'])
      await writeFile(join(home, name), 'x')
    await symlink(join(home, 'models'), join(home, 'linked'))
    await symlink(join(home, 'nowhere'), join(home, 'broken.gguf'))
  })
  afterAll(() => rm(home, { recursive: true, force: true }))

  it('shows folders and models, in order, nothing else and nothing hidden', async () => {
    const { path, parent, entries, more } = await look(null)
    expect([path, parent, more]).toEqual([home, join(home, '..'), false])
    expect(entries.map(({ name, kind }) => `${kind} ${name}`)).toEqual([
      ...['folder b2', 'folder b10', 'folder Downloads', 'folder linked', 'folder models', 'folder Zoo'],
      ...['model a.GGUF', 'model e.onnx'],
    ])
    expect(entries.find(({ name }) => name === 'a.GGUF')?.sizeBytes).toBe(1)
    const names = (await look(null, true)).entries.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['.secret', '.hidden.gguf']))
    expect(names).not.toContain('passwords.txt')
  })

  it('begins where people look, and ends at the top', async () => {
    const { starts } = await look(null)
    expect(starts.map(({ title }) => title)).toEqual(['Home', 'Downloads', 'models', 'This machine'])
    expect((await look('/')).parent).toBeNull()
  })

  it('takes the path of a model for its folder, with the model in it, however it was copied', async () => {
    for (const [text, name] of [
      [join(home, 'a.GGUF'), 'a.GGUF'],
      [`"${join(home, 'e.onnx')}"`, 'e.onnx'],
      ['~/.hidden.gguf', '.hidden.gguf'],
    ] as const) {
      const { path, file, entries } = await look(text)
      expect([path, file]).toEqual([home, join(home, name)])
      expect(entries.map((entry) => entry.path)).toContain(file)
    }
    expect(await look('~')).toMatchObject({ path: home, file: null })
    expect(await look(join(home, 'broken.gguf')).catch(({ code }: { code: string }) => code)).toBe(
      'NOT_FOUND',
    )
  })

  it('says in words what cannot be shown', async () => {
    await expect(look(join(home, 'none'))).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(look(join(home, 'passwords.txt'))).rejects.toMatchObject({ code: 'BAD_INPUT' })
    await expect(look('models')).rejects.toMatchObject({ code: 'BAD_INPUT' })
    // The system lets its administrator read everything.
    if (process.getuid?.() === 0) return
    await chmod(join(home, '.secret'), 0)
    await expect(look(join(home, '.secret'))).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    await chmod(join(home, '.secret'), 0o700)
  })
})
