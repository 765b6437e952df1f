import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

test('the version is said without a build, and without a second program that would load one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'loam-version-'))
  try {
    mkdirSync(join(folder, 'scripts'))
    copyFileSync(resolve('scripts/loam.mjs'), join(folder, 'scripts/loam.mjs'))
    writeFileSync(join(folder, 'package.json'), '{"version": "9.8.7"}')
    const output = execFileSync(process.execPath, [join(folder, 'scripts/loam.mjs'), '--version'])
    expect(output.toString()).toBe('9.8.7\n')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('programs have two arenas of the C library, or as many as a person says', () => {
  const code = `
    const { programEnvironment } = await import(${JSON.stringify(pathToFileURL(resolve('scripts/run-child.mjs')).href)})
    process.stdout.write(programEnvironment().MALLOC_ARENA_MAX)`
  const told = (env: Record<string, string>): string =>
    execFileSync(process.execPath, ['--input-type=module', '-e', code], {
      env: { PATH: process.env['PATH'] ?? '', ...env },
    }).toString()
  expect([told({}), told({ MALLOC_ARENA_MAX: '8' })]).toEqual(['2', '8'])
})
