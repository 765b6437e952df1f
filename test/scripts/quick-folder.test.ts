import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeQuickFolder } from '../../scripts/quick-folder.mjs'

let proc: string
let shared: string
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'loam-quick-'))
  proc = join(folder, 'proc')
  shared = join(folder, 'shm')
  mkdirSync(proc)
  mkdirSync(shared)
  tell({ memory: 16, flags: 'rw,nosuid' })
})
afterEach(() => rmSync(join(proc, '..'), { recursive: true, force: true }))

const tell = ({ memory, flags }: { readonly memory: number; readonly flags: string }): void => {
  writeFileSync(join(proc, 'meminfo'), `MemTotal: 1 kB\nMemAvailable:   ${memory * 1024 * 1024} kB\n`)
  writeFileSync(join(proc, 'mounts'), `tmpfs / tmpfs rw 0 0\ntmpfs ${shared} tmpfs ${flags} 0 0\n`)
}

test('a folder of this run alone, which others may not read', () => {
  const folder = makeQuickFolder({ shared, proc, limit: 0 })
  expect(folder).toBe(join(shared, `loam-test-${process.pid}`))
  expect(statSync(folder as string).mode & 0o777).toBe(0o700)
})

test('what a killed run left is removed, what is at work or not ours stays', () => {
  for (const name of ['loam-test-4194305', 'loam-test-1', 'loam-test-other']) mkdirSync(join(shared, name))
  makeQuickFolder({ shared, proc, limit: 0 })
  expect(existsSync(join(shared, 'loam-test-4194305'))).toBe(false)
  expect(existsSync(join(shared, 'loam-test-1'))).toBe(true)
  expect(existsSync(join(shared, 'loam-test-other'))).toBe(true)
})

test.each([
  ['little memory', { memory: 4, flags: 'rw' }],
  ['no programs from there', { memory: 16, flags: 'rw,noexec' }],
])('none with %s', (_, told) => {
  tell(told)
  expect(makeQuickFolder({ shared, proc, limit: 0 })).toBeNull()
})

test('none where there is no such place', () => {
  expect(makeQuickFolder({ shared: join(shared, 'gone'), proc, limit: 0 })).toBeNull()
})
