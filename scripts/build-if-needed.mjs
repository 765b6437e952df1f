import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** The repository's root folder. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

const STAMP = join(root, 'out', '.built')
const LOCK = join(root, '.cache', 'building')
const SOURCES = ['src', 'electron.vite.config.ts', 'tsconfig.base.json', 'package.json', 'package-lock.json']
const PRODUCTS = [
  'out/main/index.js',
  'out/main/headless.js',
  'out/main/cli/index.js',
  'out/main/engine/index.js',
  'out/main/engine/trainer.js',
  'out/main/mcp/index.js',
  'out/main/mcp/isolate.js',
  'out/main/mcp/module-isolate.js',
  'out/preload/index.cjs',
  'out/renderer/index.html',
]

/** The newest modification time (ms) under a file or folder; folders count too, so that a deletion is noticed. */
function newest(path) {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  return readdirSync(path).reduce((time, name) => Math.max(time, newest(join(path, name))), stat.mtimeMs)
}

/** Whether `out` is missing or older than anything it is made from. */
export function isStale() {
  if (!existsSync(STAMP) || PRODUCTS.some((path) => !existsSync(join(root, path)))) return true
  const built = statSync(STAMP).mtimeMs
  return SOURCES.some((path) => newest(join(root, path)) > built)
}

/** Runs electron-vite's build; its output goes to stderr, so that stdout stays with the program that follows. */
export async function build() {
  // The stamp carries the time the build began: a file saved meanwhile makes it stale again.
  const began = new Date()
  const require = createRequire(import.meta.url)
  const cli = join(dirname(require.resolve('electron-vite/package.json')), 'bin', 'electron-vite.js')
  const code = await new Promise((done, fail) => {
    const child = spawn(process.execPath, [cli, 'build', '--logLevel', 'warn'], {
      cwd: root,
      stdio: ['ignore', 2, 2],
      env: { ...process.env, NODE_ENV: 'production' },
    })
    child.on('error', fail)
    child.on('exit', (exit, signal) => done(exit ?? (signal ? 1 : 0)))
  })
  if (code !== 0) throw new Error(`The build failed (electron-vite ended with ${code}).`)
  writeFileSync(STAMP, `${began.toISOString()}\n`)
  utimesSync(STAMP, began, began)
}

/** Builds when something changed since the last build. Of several that start at once, one builds and the others wait. */
export async function buildIfNeeded() {
  if (!isStale()) return
  const release = await waitForModel()
  try {
    if (!isStale()) return
    process.stderr.write('Building Loam...\n')
    await build()
  } finally {
    release()
  }
}

/** Resolves once no other process builds; the lock names its process, so that one that died does not count. */
async function waitForModel() {
  mkdirSync(dirname(LOCK), { recursive: true })
  for (;;) {
    try {
      writeFileSync(LOCK, String(process.pid), { flag: 'wx' })
      return () => rmSync(LOCK, { force: true })
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (!isAlive(readOwner())) rmSync(LOCK, { force: true })
    else await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** Whose lock it is; our own process when it has not written its number yet, so that it counts as alive. */
function readOwner() {
  try {
    return Number(readFileSync(LOCK, 'utf8')) || process.pid
  } catch {
    return 0
  }
}

function isAlive(pid) {
  if (pid === 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  // `npm run build`: whatever is there already.
  if (process.argv.includes('--always')) rmSync(STAMP, { force: true })
  await buildIfNeeded().catch((error) => {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  })
}
