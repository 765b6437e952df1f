import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildIfNeeded, root } from './build-if-needed.mjs'
import { fetchElectron } from './fetch-electron.mjs'
import { findElectron } from './find-electron.mjs'
import { programEnvironment, runChild } from './run-child.mjs'
import { startFailure } from './start-failure.mjs'

const HELP = `npm start -- [options] [file...]

  --headless     serve the interface to a browser even where a desktop window is possible
  --port N       port for the browser interface (default: any free one)
  --no-open      do not open the browser
  --data DIR     data folder (default: the one of this user)
  file           a model to add, or a bundle, a log or another file to preview as an import

Where there is a display the desktop window opens. Electron's program is fetched for it at the first start; where that
cannot be done the browser interface starts instead and says why.
`

/** Whether a window can appear at all. */
function hasDisplay() {
  if (process.platform !== 'linux') return true
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)
}

/** Electron's program, fetched when it is not there, or why there will be no window. */
async function electronProgram(args) {
  if (args.includes('--headless')) return { why: 'you asked for the browser interface (--headless)' }
  if (!hasDisplay()) return { why: 'this machine has no display' }
  const electron = findElectron()
  if (electron === null) return { why: 'Electron is not installed' }
  if (electron.program !== null) return { program: electron.program }
  return fetchElectron(electron, (text) => process.stderr.write(text))
}

/** How long a window may take to appear before that is said, in ms. */
const APPEAR_WITHIN_MS = 60_000

/**
 * Runs the desktop window to its end. Answers its exit code, or why it did not begin: whatever way Electron's program ends before its
 * window was shown, or another start took over, or an error was told. `said` is then what it said.
 */
async function openWindow(program, args, folder) {
  const begun = join(folder, 'begun')
  const env = { ...process.env, LOAM_BEGUN: begun }
  delete env.ELECTRON_RUN_AS_NODE
  let said = ''
  let isStopped = false
  const hasBegun = () => isStopped || existsSync(begun)
  const timer = setTimeout(() => {
    if (!hasBegun())
      process.stderr.write(
        'The window has not appeared yet. Ctrl-C stops it; npm start -- --headless uses the browser.\n',
      )
  }, APPEAR_WITHIN_MS)
  try {
    const code = await runChild(program, [root, ...args], {
      env,
      onError: (chunk) => (said = (said + chunk).slice(-20_000)),
      onSignal: () => (isStopped = true),
    })
    return hasBegun() ? { code } : { why: startFailure(said, code), said }
  } catch (error) {
    return { why: `Electron’s program could not be started (${error.message})`, said }
  } finally {
    clearTimeout(timer)
  }
}

async function start(args) {
  if (args.includes('--help')) {
    process.stdout.write(HELP)
    return 0
  }
  await buildIfNeeded()
  const electron = await electronProgram(args)
  let { why } = electron
  const folder = mkdtempSync(join(tmpdir(), 'loam-start-'))
  try {
    const said = join(folder, 'said')
    if (electron.program !== undefined) {
      const outcome = await openWindow(electron.program, args, folder)
      if (outcome.why === undefined) return outcome.code
      why = outcome.why
      writeFileSync(said, outcome.said)
    }
    const rest = args.filter((arg) => arg !== '--headless')
    const host = [join(root, 'out/main/headless.js'), '--why', why, ...rest]
    if (existsSync(said)) host.push('--said', said)
    return await runChild(process.execPath, host, { env: programEnvironment() })
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

try {
  process.exitCode = await start(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
