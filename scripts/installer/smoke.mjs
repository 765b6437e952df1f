import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from '../build-if-needed.mjs'

// node scripts/installer/smoke.mjs [DIR]: what was packed into DIR (default: dist) plays tasks, and opens its window and closes it in order.
const dist = process.argv[2] ?? join(root, 'dist')
const data = mkdtempSync(join(tmpdir(), 'loam-smoke-'))

function packed() {
  for (const folder of readdirSync(dist).map((name) => join(dist, name))) {
    const mac = join(folder, 'Loam.app', 'Contents')
    if (existsSync(mac))
      return { program: join(mac, 'MacOS', 'Loam'), command: join(mac, 'Resources', 'bin', 'loam') }
    for (const [program, command] of [
      ['loam', 'loam'],
      ['Loam.exe', 'loam.cmd'],
    ])
      if (existsSync(join(folder, program)))
        return { program: join(folder, program), command: join(folder, 'resources', 'bin', command) }
  }
  throw new Error(`Nothing was packed into ${dist}.`)
}

function loam(command, ...args) {
  const shell = process.platform === 'win32'
  const { status, stdout, stderr } = spawnSync(shell ? `"${command}"` : command, args, {
    encoding: 'utf8',
    shell,
  })
  if (status !== 0) throw new Error(`loam ${args.join(' ')} ended with ${status}: ${stdout}${stderr}`)
  return stdout
}

/** Starts the window and resolves once the host has its data folder; it must then end in order when it is asked to. */
async function openAndClose(program) {
  const folder = join(data, 'window')
  const child = spawn(program, ['--data', folder], { stdio: 'inherit' })
  const ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve(code ?? signal)))
  const deadline = Date.now() + 120_000
  while (!existsSync(join(folder, 'my-memory.json'))) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`The window did not start: ${child.exitCode ?? 'no data folder within two minutes'}`)
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  await new Promise((resolve) => setTimeout(resolve, 5000))
  if (child.exitCode !== null) throw new Error(`The window ended by itself with ${child.exitCode}.`)
  child.kill('SIGTERM')
  const end = await ended
  // Windows knows no signal that asks.
  if (end !== 0 && process.platform !== 'win32') throw new Error(`The window ended with ${end}.`)
}

try {
  const { program, command } = packed()
  process.stdout.write(`${dirname(program)}\n${loam(command, '--version')}`)
  process.stdout.write(
    loam(
      command,
      '--data',
      data,
      'run',
      '--stream',
      'house-rules-a',
      '--tasks',
      '6',
      '--method',
      'case-bank',
    ),
  )
  if (!process.argv.includes('--no-window')) await openAndClose(program)
  process.stdout.write('What was packed works.\n')
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
} finally {
  rmSync(data, { recursive: true, force: true, maxRetries: 5 })
}
