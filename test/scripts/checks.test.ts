import { spawn } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

/** The names of the checks that fail in a folder with one TypeScript file. */
async function failedChecks(source: string): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'loam-checks-'))
  folders.push(folder)
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n')
  await writeFile(
    join(folder, 'tsconfig.json'),
    '{ "compilerOptions": { "strict": true, "noEmit": true, "types": [] }, "files": ["a.ts"] }\n',
  )
  const format = { semi: false, singleQuote: true, ignorePatterns: ['*.json'] }
  await writeFile(join(folder, '.oxfmtrc.json'), JSON.stringify(format))
  await copyFile(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
  await writeFile(join(folder, 'a.ts'), source)
  const checks = new URL(`file://${join(root, 'scripts', 'checks.mjs')}`).href
  const code = `import { runChecks } from '${checks}'
    process.stdout.write('\\n' + JSON.stringify(await runChecks(${JSON.stringify(folder)})))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code])
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  await new Promise((done) => child.once('close', done))
  return JSON.parse(said.split('\n').at(-1) ?? '')
}

it('types, lint and format each fail on their own fault, and pass on clean code', async () => {
  expect(await failedChecks('export const one = 1\n')).toEqual([])
  expect(await failedChecks("export const one: number = 'one'\n")).toEqual(['lint'])
  expect(await failedChecks('export const one: any = 1\n')).toEqual(['lint'])
  expect(await failedChecks('export const one = 1;\n')).toEqual(['format'])
})

it('the tests of the project run the checks as well', async () => {
  const runner = await readFile(join(root, 'scripts', 'test.mjs'), 'utf8')
  expect(runner).toContain('await runChecks(root, { say })')
  expect(await readFile(join(root, '.ci', 'run'), 'utf8')).toContain('npm test')
})
