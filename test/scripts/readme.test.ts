import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
type Packages = Readonly<Record<'dependencies' | 'devDependencies', Readonly<Record<string, string>>>>
const project = JSON.parse(read('package.json')) as Packages & { scripts: Readonly<Record<string, string>> }
const commands = [...read('README.md').matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text = '']) => text.trim())

it('the two commands of the README start the program and its tests, from the lock and by scripts there are', () => {
  expect(commands).toEqual(['npm ci && npm start', 'npm ci && npm test'])
  for (const name of ['start', 'test']) {
    const [program, script = ''] = project.scripts[name]?.split(' ') ?? []
    expect([program, existsSync(join(root, script))]).toEqual(['node', true])
    expect(spawnSync(process.execPath, ['--check', join(root, script)]).status).toBe(0)
  }
})

it('`npm ci` finds in the lock what package.json names, which it refuses to go on without', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Readonly<Record<string, Packages>>
  }
  const [locked, versions] = [
    packages[''],
    Object.entries({ ...project.dependencies, ...project.devDependencies }),
  ]
  expect(locked).toMatchObject({
    dependencies: project.dependencies,
    devDependencies: project.devDependencies,
  })
  for (const [name, version] of versions)
    expect([name, packages[`node_modules/${name}`]]).toMatchObject([name, { version }])
})

it('`npm start` and `npm run dev` answer --help', () => {
  for (const script of ['scripts/start.mjs', 'scripts/dev.mjs']) {
    const { status, stdout } = spawnSync(process.execPath, [script, '--help'], {
      cwd: root,
      encoding: 'utf8',
    })
    expect([script, status, stdout.includes('--data DIR')]).toEqual([script, 0, true])
  }
})

it('continuous integration runs the same', () => {
  const lines = read('.ci/run').split('\n')
  expect(lines.filter((line) => /^npm (ci|test)/.test(line))).toEqual([
    'npm ci --no-audit --no-fund',
    'npm test',
  ])
})
