import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildIfNeeded, root } from '../build-if-needed.mjs'
import { runChild } from '../run-child.mjs'
import { installerConfig } from './config.mjs'
import { stage } from './stage.mjs'

const HELP = `npm run package -- [options]

  --dir             an unpacked folder alone, no installer
  --electron DIR    a folder with Electron's program, in place of fetching it
  --output DIR      where packages are written (default: dist)

Packs Loam for the system it runs on. Once before: npm ci --prefix scripts/installer
`

const installer = join(root, 'scripts', 'installer')

/** The time that files in packages carry: of the commit that is packed, so that whoever packs it comes to the same. */
function timeOfCommit() {
  const { stdout, status } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' })
  return status === 0 ? { SOURCE_DATE_EPOCH: stdout.trim() } : {}
}

/** Runs electron-builder over what was staged. Resolves to its exit code. */
async function pack({ output, electron, dir }) {
  // Outside the repository: below it, everything that the repository depends on would be found and packed as well.
  const folder = mkdtempSync(join(tmpdir(), 'loam-installer-'))
  const app = join(folder, 'app')
  stage(app)
  const config = join(folder, 'config.json')
  writeFileSync(config, JSON.stringify(installerConfig({ app, output, electron }), null, 2))
  const cli = createRequire(join(installer, 'package.json')).resolve('electron-builder/cli.js')
  const args = [cli, '--projectDir', app, '--config', config, '--publish', 'never', ...(dir ? ['--dir'] : [])]
  try {
    return await runChild(process.execPath, args, { cwd: root, env: { ...timeOfCommit(), ...process.env } })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

try {
  const { values } = parseArgs({
    options: {
      dir: { type: 'boolean', default: false },
      electron: { type: 'string' },
      output: { type: 'string', default: join(root, 'dist') },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) process.stdout.write(HELP)
  else if (!existsSync(join(installer, 'node_modules')))
    throw new Error('What packs is not installed. Run: npm ci --prefix scripts/installer')
  else {
    await buildIfNeeded()
    process.exitCode = await pack({ ...values, output: resolve(values.output) })
  }
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
