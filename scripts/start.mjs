import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { buildIfNeeded, root } from './build-if-needed.mjs'
import { runChild } from './run-child.mjs'

const HELP = `npm start -- [options]

  --headless     serve the interface to a browser even where a desktop window is possible
  --port N       port for the browser interface (default: any free one)
  --no-open      do not open the browser
  --data DIR     data folder (default: the one of this user)
`

/** The Electron program that belongs to this installation, or why there is none. */
function findElectron() {
  const require = createRequire(import.meta.url)
  let folder
  try {
    folder = dirname(require.resolve('electron/package.json'))
  } catch {
    return { why: 'Electron is not installed' }
  }
  const dist = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(folder, 'dist')
  const pathFile = join(folder, 'path.txt')
  const name = existsSync(pathFile) ? readFileSync(pathFile, 'utf8').trim() : 'electron'
  const program = join(dist, name)
  if (existsSync(program)) return { program }
  return { why: 'Electron’s program is not installed (npx install-electron fetches it)' }
}

/** Whether a window can appear at all. */
function hasDisplay() {
  if (process.platform !== 'linux') return true
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)
}

async function start(args) {
  if (args.includes('--help')) {
    process.stdout.write(HELP)
    return 0
  }
  await buildIfNeeded()
  const electron = findElectron()
  const why = args.includes('--headless')
    ? 'you asked for the browser interface (--headless)'
    : (electron.why ?? (hasDisplay() ? null : 'this machine has no display'))
  if (why === null) {
    const env = { ...process.env }
    delete env.ELECTRON_RUN_AS_NODE
    return runChild(electron.program, [root, ...args], { env })
  }
  const rest = args.filter((arg) => arg !== '--headless')
  return runChild(process.execPath, [join(root, 'out/main/headless.js'), '--why', why, ...rest])
}

try {
  process.exitCode = await start(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
