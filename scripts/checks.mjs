import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './build-if-needed.mjs'
import { runChild } from './run-child.mjs'

const require = createRequire(import.meta.url)
const binOf = (name, file) => join(dirname(require.resolve(`${name}/package.json`)), file)
/** What holds before any test is worth running; each is one program with its arguments. */
export const CHECKS = [
  // Types as well: the compiler's own findings are among its.
  { name: 'lint', program: binOf('oxlint', 'bin/oxlint'), args: [] },
  { name: 'format', program: binOf('oxfmt', 'bin/oxfmt'), args: ['--check'] },
  { name: 'commits', program: join(root, 'scripts', 'check-commits.mjs'), args: [] },
]

/** Runs all checks in a folder and resolves to the names of those that failed. What each says goes to `say` as a whole, by default to the terminal. */
export async function runChecks(folder, { say = (chunk) => process.stdout.write(chunk) } = {}) {
  const ends = await Promise.all(
    CHECKS.map(async ({ name, program, args }) => {
      const output = []
      const code = await runChild(process.execPath, [program, ...args], {
        cwd: folder,
        onOutput: (chunk) => output.push(chunk),
      })
      say(`\nChecked ${name}\n`)
      for (const chunk of output) say(chunk)
      return code === 0 ? [] : [name]
    }),
  )
  return ends.flat()
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const failed = await runChecks(root)
  process.stdout.write(
    failed.length === 0 ? '\nAll checks hold.\n' : `\nFailed checks: ${failed.join(', ')}\n`,
  )
  process.exitCode = failed.length === 0 ? 0 : 1
}
