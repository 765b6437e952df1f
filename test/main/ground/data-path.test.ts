import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { findDataPath, folderOr } from '../../../src/main/ground/data-path'

afterEach(() => vi.unstubAllEnvs())

it('a folder that a variable names counts only in full: never one in the working directory', () => {
  const usual = join(homedir(), '.local', 'share')
  const full = resolve('elsewhere')
  expect(folderOr(full, usual)).toBe(full)
  for (const value of [undefined, '', 'elsewhere', './elsewhere']) expect(folderOr(value, usual)).toBe(usual)
})

it('a data folder is where a flag says, else where LOAM_DATA does, else the user’s own', () => {
  vi.stubEnv('LOAM_DATA', '')
  vi.stubEnv('XDG_DATA_HOME', '')
  const own = findDataPath(undefined)
  expect(own.startsWith(homedir())).toBe(true)
  vi.stubEnv('LOAM_DATA', resolve('data'))
  expect(findDataPath(undefined)).toBe(resolve('data'))
  expect(findDataPath('other')).toBe(resolve('other'))
})
