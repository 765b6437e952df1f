import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
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
