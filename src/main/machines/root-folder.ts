import { execFile } from 'node:child_process'
import { access, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { LoamError } from '../../shared/errors'

const run = promisify(execFile)

/** Programs of the host that a bubblewrap system is made with; without root rights one more. */
const PROGRAMS = ['bwrap', 'unshare', 'setpriv', 'prlimit', 'tar']
const AS_USER = ['newuidmap']

const getError = (cause: string, suggestion: string): LoamError =>
  new LoamError('BAD_INPUT', cause, { suggestion })

/** The folder of a small system, resolved. @throws LoamError `BAD_INPUT` when this computer or the folder cannot carry one */
export async function runnable(root: string): Promise<string> {
  if (process.platform !== 'linux')
    throw getError('Bubblewrap works on Linux only.', 'Choose the simulated system, or a container.')
  const targets = process.getuid?.() === 0 ? PROGRAMS : [...PROGRAMS, ...AS_USER]
  for (const program of targets) {
    if (!(await isInstalled(program)))
      throw getError(
        `The program ${program} is not installed.`,
        'Install bubblewrap, util-linux, tar and uidmap.',
      )
  }
  if (root === '')
    throw getError(
      'Bubblewrap needs the folder of a small Linux system.',
      'Set lab-os.root; docs/environments.md says how one is made.',
    )
  try {
    const folder = await realpath(root)
    await access(join(folder, 'usr', 'bin', 'bash'))
    return folder
  } catch (error) {
    throw getError(
      `${root} holds no Linux system with usr/bin/bash: ${(error as Error).message}.`,
      'Make one as docs/environments.md says.',
    )
  }
}

/** Whether a program is found on the path. */
export const isInstalled = (program: string): Promise<boolean> =>
  run('which', [program]).then(
    () => true,
    () => false,
  )

/** Folders below usr that all systems share and none can change. */
export const SHARED = [
  'lib',
  'lib32',
  'lib64',
  'libx32',
  'libexec',
  'share',
  'include',
  'src',
  'games',
] as const

/** What systems do not get a copy of: what they share, links into it, the kernel's folders, and what is of no use to them. */
const LEFT_OUT = new Set([
  'bin',
  'sbin',
  'lib',
  'lib32',
  'lib64',
  'libx32',
  'proc',
  'sys',
  'dev',
  'boot',
  'tmp',
  'run',
])

/** The files of a system that its attempts may change, as a tar. Owners are kept as root reads them; read by anyone else all belong to root. */
export async function packRoot(root: string): Promise<Buffer> {
  const names = (await readdir(root)).filter((name) => !LEFT_OUT.has(name))
  const owners = process.getuid?.() === 0 ? [] : ['--owner=0', '--group=0']
  const args = ['-C', root, '-cf', '-', '--numeric-owner', '--ignore-failed-read', ...owners]
  const leftOut = ['--exclude=var/cache/*', '--exclude=var/lib/apt/lists/*', '--exclude=var/log/*'].concat(
    SHARED.map((name) => `--exclude=usr/${name}`),
  )
  const { stdout } = await run('tar', [...args, ...leftOut, ...names], {
    encoding: 'buffer',
    maxBuffer: 512 * 2 ** 20,
  })
  return stdout
}
