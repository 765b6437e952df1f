import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loam } from './loam-process'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-modes-'))
  await chmod(folder, 0o755)
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

const run = async (...args: string[]) => {
  const { code, err } = await loam(...args, '--data', join(folder, 'data')).ended
  expect([args[0], code, err]).toEqual([args[0], 0, expect.any(String)])
}

it.skipIf(process.platform === 'win32')(
  'what Loam makes is for its owner alone, also beside its data folder',
  async () => {
    const memory = join(folder, 'elsewhere')
    await run('import', 'test/main/cli/file-modes.test.ts', '--memory', memory).catch(() => undefined)
    await run('memories', 'new', 'Own')
    await run('keys', 'create', 'bot')
    await run('export', '--out', join(folder, 'out.jsonl'))
    await run('storage', 'back-up')
    const names = await readdir(folder, { recursive: true })
    expect(names).toEqual(expect.arrayContaining(['data/tokens.json', 'data/tokens.json.copy', 'out.jsonl']))
    expect(names.filter((name) => /data.backups.by-hand-.*tokens\.json$/.test(name))).toHaveLength(1)
    const open = await Promise.all(
      names.map(async (name) => {
        const { mode } = await stat(join(folder, name))
        return (mode & 0o077) === 0 ? [] : [`${name} ${(mode & 0o777).toString(8)}`]
      }),
    )
    expect(names.length).toBeGreaterThan(15)
    expect(open.flat()).toEqual([])
  },
)
