import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './build-if-needed.mjs'
import { runChild } from './run-child.mjs'

const require = createRequire(import.meta.url)
const binOf = (name, file) => join(dirname(require.resolve(`${name}/package.json`)), file)
/** What a file's content was answered with last time, in the folder that is checked. */
const remembered = (name) => ['--cache', '--cache-strategy', 'content', '--cache-location', `.cache/${name}`]

/** What holds before any test is worth running; each is one program with its arguments. */
export const CHECKS = [
  { name: 'types', program: binOf('typescript', 'bin/tsc'), args: ['-b'] },
  // Its rules read types of other files too, which the memory of one file's content does not notice: `npm test` looks at all anew.
  {
    name: 'lint',
    program: binOf('eslint', 'bin/eslint.js'),
    args: ['.', '--max-warnings', '0'],
    again: remembered('eslint'),
  },
  {
    name: 'format',
    program: binOf('prettier', 'bin/prettier.cjs'),
    args: ['--check', '.', '--log-level', 'warn', ...remembered('prettier')],
  },
  { name: 'commits', program: join(root, 'scripts', 'check-commits.mjs'), args: [] },
]

/** Lint takes as long as the others together, so it runs beside them: that is what two processors are busy with. */
const SIDE_BY_SIDE = [['lint'], ['types', 'format', 'commits']]

/**
 * Runs all checks in a folder and resolves to the names of those that failed. What each says goes to `say` as a whole, by default to the
 * terminal. With `again`, lint looks only at files that changed since it last ran so.
 */
export async function runChecks(
  folder,
  { again = false, say = (chunk) => process.stdout.write(chunk) } = {},
) {
  const failed = new Set()
  const run = async (name) => {
    const { program, args, again: more = [] } = CHECKS.find((check) => check.name === name)
    const output = []
    const code = await runChild(process.execPath, [program, ...args, ...(again ? more : [])], {
      cwd: folder,
      onOutput: (chunk) => output.push(chunk),
    })
    say(`\nChecked ${name}\n`)
    for (const chunk of output) say(chunk)
    if (code !== 0) failed.add(name)
  }
  await Promise.all(
    SIDE_BY_SIDE.map(async (names) => {
      for (const name of names) await run(name)
    }),
  )
  return CHECKS.map(({ name }) => name).filter((name) => failed.has(name))
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const failed = await runChecks(root, { again: true })
  process.stdout.write(
    failed.length === 0 ? '\nAll checks hold.\n' : `\nFailed checks: ${failed.join(', ')}\n`,
  )
  process.exitCode = failed.length === 0 ? 0 : 1
}
