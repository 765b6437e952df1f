import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

interface Manifest {
  readonly version?: string
  readonly license?: unknown
  readonly dependencies?: Record<string, string>
  readonly devDependencies?: Record<string, string>
}
const manifest = (...path: string[]): Manifest =>
  JSON.parse(readFileSync(join(root, ...path, 'package.json'), 'utf8')) as Manifest

const rows = readFileSync(join(root, 'docs', 'dependencies.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, name = '', reason = '', licence = '', size = '', upkeep = '']) => ({
    name: name.replaceAll('`', ''),
    ...{ reason, licence, size, upkeep },
  }))

const { dependencies = {}, devDependencies = {} } = manifest()
const direct = { ...dependencies, ...devDependencies }

test('every direct dependency has one row, with reason, size and the version that is pinned', () => {
  expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(direct).sort())
  for (const { name, reason, size, upkeep } of rows) {
    expect(reason, name).toMatch(/^\S.{3,}/)
    expect(size, name).toMatch(/^(<\.1|\d+(\.\d)?)$/)
    expect(upkeep, name).toMatch(/^\S+ by \S/)
    expect(upkeep.split(' ')[0], name).toBe(direct[name])
  }
})

test('licences are those of the packages, and none is the GPL alone', () => {
  for (const { name, licence } of rows) {
    expect(licence, name).not.toMatch(/^A?GPL/)
    const own = manifest('node_modules', ...name.split('/')).license
    if (typeof own === 'string') expect(licence, name).toBe(own)
    else expect(licence, name).toMatch(/^[A-Z]/)
  }
})
