#!/usr/bin/env node
import { readFileSync } from 'node:fs'

// Asked by scripts and before every report: answered without looking for a build or starting a second program.
if (process.argv.length === 3 && process.argv[2] === '--version') {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  process.stdout.write(`${version}\n`)
} else await start()

async function start() {
  const [{ join }, { buildIfNeeded, root }, { programEnvironment, runChild }] = await Promise.all([
    import('node:path'),
    import('./build-if-needed.mjs'),
    import('./run-child.mjs'),
  ])
  try {
    await buildIfNeeded()
    const program = [join(root, 'out/main/cli/index.js'), ...process.argv.slice(2)]
    process.exitCode = await runChild(process.execPath, program, { env: programEnvironment() })
  } catch (error) {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}
