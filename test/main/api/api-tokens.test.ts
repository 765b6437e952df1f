import { spawn } from 'node:child_process'
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createKey, readKeys, removeKey } from '../../../src/main/api/program-keys'

const writer = (dataPath: string, name: string, count: number): Promise<number | null> =>
  new Promise((resolve) => {
    const args = ['--import', 'tsx', join(import.meta.dirname, 'token-writer.ts'), dataPath, name, `${count}`]
    spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] }).on('close', resolve)
  })

describe('the tokens of a data folder', () => {
  let data: string
  beforeEach(async () => {
    data = await mkdtemp(join(tmpdir(), 'loam-tokens-'))
    await writeFile(join(data, 'format.json'), '{}')
  })
  afterEach(() => rm(data, { recursive: true, force: true }))

  it('are all kept when two processes make them at the same time', async () => {
    const codes = await Promise.all([writer(data, 'one', 40), writer(data, 'two', 40)])
    expect(codes).toEqual([0, 0])
    const names = (await readKeys(data)).map(({ name }) => name)
    expect(new Set(names).size).toBe(80)
    expect((await readdir(data)).sort()).toEqual(['format.json', 'tokens.json', 'tokens.json.copy'])
  })

  it('are made and revoked at the same time without losing either', async () => {
    const give = (name: string) => createKey(data, { name, scopes: ['read'] }, new Date())
    await give('old')
    await Promise.all([give('new'), removeKey(data, 'old'), give('newer')])
    expect((await readKeys(data)).map(({ name }) => name).sort()).toEqual(['new', 'newer'])
  })

  it('are not blocked by a lock that a killed process left', async () => {
    const lock = join(data, 'tokens.json.lock')
    await writeFile(lock, '')
    await utimes(lock, new Date(0), new Date(0))
    await createKey(data, { name: 'one', scopes: ['read'] }, new Date())
    expect(await readKeys(data)).toHaveLength(1)
  })

  it.skipIf(process.platform === 'win32')('are in a file that only its owner reads', async () => {
    await createKey(data, { name: 'one', scopes: ['read'] }, new Date())
    expect((await stat(join(data, 'tokens.json'))).mode & 0o777).toBe(0o600)
  })
})
