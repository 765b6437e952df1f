import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { runChild } from './run-child.mjs'

const require = createRequire(import.meta.url)
const binOf = (name, file) => join(dirname(require.resolve(`${name}/package.json`)), file)

/** What holds before any test is worth running; each is one program with its arguments. */
export const CHECKS = [
  { name: 'types', program: binOf('typescript', 'bin/tsc'), args: ['-b'] },
  { name: 'lint', program: binOf('eslint', 'bin/eslint.js'), args: ['.', '--max-warnings', '0'] },
  {
    name: 'format',
    program: binOf('prettier', 'bin/prettier.cjs'),
    args: ['--check', '.', '--log-level', 'warn'],
  },
]

/** Lint takes as long as the others together, so it runs beside them: that is what two processors are busy with. */
const SIDE_BY_SIDE = [['lint'], ['types', 'format']]

/** Runs all checks in a folder and resolves to the names of those that failed. What each says is printed as a whole. */
export async function runChecks(folder) {
  const failed = new Set()
  const run = async (name) => {
    const { program, args } = CHECKS.find((check) => check.name === name)
    const said = []
    const keep = (chunk) => said.push(chunk)
    const code = await runChild(process.execPath, [program, ...args], { cwd: folder, onOutput: keep })
    process.stdout.write(`\nChecked ${name}\n`)
    for (const chunk of said) process.stdout.write(chunk)
    if (code !== 0) failed.add(name)
  }
  await Promise.all(
    SIDE_BY_SIDE.map(async (names) => {
      for (const name of names) await run(name)
    }),
  )
  return CHECKS.map(({ name }) => name).filter((name) => failed.has(name))
}
