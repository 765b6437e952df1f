import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { buildIfNeeded, root } from './build-if-needed.mjs'
import { findBrowser } from './find-browser.mjs'
import { runChild } from './run-child.mjs'

/** Takes the pictures of docs/screenshots anew: the built app, a real model, a real browser. */
const browser = await findBrowser()
if (!browser.path) {
  process.stderr.write(`No pictures: ${browser.why}.\n`)
  process.exit(1)
}
await buildIfNeeded()
const cli = join(dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')), 'cli.js')
const config = join(root, 'test', 'screenshots', 'playwright.config.ts')
process.exitCode = await runChild(process.execPath, [cli, 'test', '--config', config], {
  cwd: root,
  env: { ...process.env, LOAM_CHROMIUM: browser.path },
})
