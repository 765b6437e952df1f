import { spawn } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { expect, vi } from 'vitest'

const here = import.meta.dirname

/**
 * Boots the build in `project` as Electron boots an installed one, in the stand-in, and ends it by `how` before its window. What would open a
 * browser writes down in `folder` which address. Answers how it ended.
 */
export function startInstalled(
  project: string,
  folder: string,
  how: NodeJS.Signals,
): Promise<string | number | null> {
  const opener = join(folder, 'xdg-open')
  writeFileSync(
    opener,
    `#!/bin/sh\necho "$1" > "${folder}/address.part"\nmv "${folder}/address.part" "${folder}/address"\n`,
  )
  chmodSync(opener, 0o755)
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ...{ STAND_IN_PACKAGED: '1', STAND_IN_CRASH: how, DISPLAY: ':7', TMPDIR: folder },
    ...{ CI: '', SSH_CONNECTION: '', PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` },
  }
  const child = spawn(
    process.execPath,
    [
      ...['--import', 'tsx', '--import', join(here, 'register.mjs'), join(here, 'boot.ts')],
      ...[project, '--data', join(folder, 'data')],
    ],
    { cwd: resolve(here, '../..'), stdio: 'ignore', env },
  )
  return new Promise((done) => child.on('exit', (code, signal) => done(signal ?? code)))
}

/** The address that would have been opened. */
export async function addressOpened(folder: string): Promise<string> {
  await vi.waitFor(() => expect(existsSync(join(folder, 'address'))).toBe(true), 60_000)
  return readFileSync(join(folder, 'address'), 'utf8').trim()
}

/** Ends the host of that browser, which was let go by who started it. */
export async function endHostOf(folder: string): Promise<void> {
  const lock = join(folder, 'data/host.json')
  if (!existsSync(lock)) return
  const { pid } = JSON.parse(readFileSync(lock, 'utf8')) as { pid: number }
  process.kill(pid)
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow())
}
