#!/usr/bin/env node
import { join } from 'node:path'
import { buildIfNeeded, root } from './build-if-needed.mjs'
import { runChild } from './run-child.mjs'

try {
  await buildIfNeeded()
  process.exitCode = await runChild(process.execPath, [
    join(root, 'out/main/cli/index.js'),
    ...process.argv.slice(2),
  ])
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
