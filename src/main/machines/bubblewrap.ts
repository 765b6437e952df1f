import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import type { CommandResult, Machine, OsDriver } from '../../core/tasks/lab-os/machine'
import { packRoot, runnable, SHARED } from './root-folder'
import { createOutputReader, type OutputReader } from './output-reader'

/** What one system may take; the network is not there at all. */
export interface SystemLimits {
  /** Bytes that all its files may hold together beyond those it starts with, in memory. Default 256 MiB. */
  readonly files?: number
  /** Processes at a time. Default 256. */
  readonly processes?: number
  /** Bytes of address memory of one process. Default 1 GiB. */
  readonly memory?: number
}

/** Host users that those of a system become, beyond every real one: a range of 65,536 for each system. */
const FIRST_UID = 1_000_000
const UIDS = 65_536

/** How long beyond its own limit a command may take before the whole system is given up, in milliseconds. */
const GRACE_MS = 5_000

/** What root may do inside: what containers commonly leave it. No mounting, no tracing, no raising of limits. */
const CAPABILITIES = [
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'SETGID',
  'SETPCAP',
  'SETUID',
]
  .concat(['SYS_CHROOT', 'SETFCAP', 'AUDIT_WRITE'])
  .flatMap((name) => ['--cap-add', `CAP_${name}`])

/** Process 1 of a system: unpacks its files, then runs a script per line and says how it ended. Nothing in the system can kill it. */
const INIT = `
/dev/.unpack -xpf - -C / --numeric-owner <&3 2>/dev/null
exec 3<&- 4<&-
[ -e /etc/shadow ] || { pwconv; grpconv; } 2>/dev/null
chmod 1777 /tmp
echo "$LOAM_READY 0"
unset LOAM_READY
while read -r mark seconds script; do
  cd /
  timeout -s KILL "$seconds" bash -c "$(base64 -d <<< "$script")" < /dev/null 2>&1
  printf '\\n%s %s\\n' "$mark" "$?"
done
`

const folders = (root: string): string[] => [
  ...['--tmpfs', '/'],
  ...SHARED.flatMap((name) => ['--ro-bind-try', `${root}/usr/${name}`, `/usr/${name}`]),
  ...['bin', 'sbin', 'lib', 'lib64'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
  ...['--proc', '/proc', '--dev', '/dev', '--size', '16777216', '--tmpfs', '/dev/shm'],
  // What unpacks /usr/bin cannot lie there.
  ...['--ro-bind', `${root}/usr/bin/bash`, '/dev/.init', '--ro-bind', `${root}/usr/bin/tar`, '/dev/.unpack'],
  ...['--remount-ro', '/dev'],
  ...['--dir', '/tmp', '--dir', '/run'],
]

/** The program and its arguments that become process 1. Its file descriptors: 0 scripts, 1 and 2 output, 3 the files, 4 a go. */
function command(root: string, ready: string, limits: Required<SystemLimits>): readonly [string, string[]] {
  const bwrap = [
    ...['bwrap', '--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...['--as-pid-1', '--die-with-parent', '--new-session', '--hostname', 'loam', '--chdir', '/'],
    ...['--clearenv', '--setenv', 'PATH', '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
    ...['--setenv', 'HOME', '/root', '--setenv', 'LOAM_READY', ready],
    ...['--size', String(limits.files), ...folders(root)],
    ...['--cap-drop', 'ALL', ...CAPABILITIES, '/dev/.init', '-c', INIT],
  ]
  const limited = [
    'prlimit',
    `--nproc=${limits.processes}`,
    `--as=${limits.memory}`,
    '--core=0',
    '--',
    ...bwrap,
  ]
  if (process.getuid?.() !== 0)
    return ['unshare', ['--user', '--map-root-user', '--map-auto', '--', ...limited]]
  // Root maps users itself, once the process is there; root inside is then nobody outside.
  const dropRights = ['setpriv', '--reuid', '0', '--regid', '0', '--clear-groups', '--', ...limited]
  return [
    'unshare',
    ['--user', '--keep-caps', '--', 'sh', '-c', 'read _ <&4; exec "$@"', 'sh', ...dropRights],
  ]
}

/**
 * Small Linux systems over the programs of `root`, by bubblewrap: their files lie in memory up to a limit, users are mapped to ones that own
 * nothing outside, and there is no network. Needs Linux, bubblewrap and util-linux; without root rights also newuidmap and a range in /etc/subuid.
 * @throws LoamError `BAD_INPUT` that says what is missing
 */
export async function createBubblewrapDriver(root: string, limits: SystemLimits = {}): Promise<OsDriver> {
  const { files = 256 * 2 ** 20, processes = 256, memory = 2 ** 30 } = limits
  const folder = await runnable(root)
  const packed = await packRoot(folder)
  const limited = { files: files + packed.length, processes, memory }
  return { id: 'bubblewrap', open: () => openMachine(folder, packed, limited) }
}

async function openMachine(root: string, packed: Buffer, limits: Required<SystemLimits>): Promise<Machine> {
  const ready = randomBytes(12).toString('hex')
  const child = spawn(...command(root, ready, limits), { stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'] })
  const output = createOutputReader([child.stdout as Readable, child.stderr as Readable])
  const endingPromise = new Promise<void>((resolve) =>
    child.once('close', () => resolve()).once('error', () => resolve()),
  )
  for (const stream of child.stdio) stream?.on('error', () => undefined)
  const commandResultPromise = output.until(ready, 30_000)
  if (process.getuid?.() === 0 && child.pid !== undefined) mapUsers(child.pid)
  ;(child.stdio[4] as Writable).end('go\n')
  ;(child.stdio[3] as Writable).end(packed)
  const first = await commandResultPromise
  if (first.exitCode !== 0) {
    child.kill('SIGKILL')
    await endingPromise
    throw new Error(`The system did not start: ${first.output.trim().slice(0, 400)}`)
  }
  return machineOn(child, output, endingPromise)
}

/** Gives a process that made its own user namespace the users 0 to 65,535, none of which is one outside. */
function mapUsers(pid: number): void {
  const map = `0 ${FIRST_UID + UIDS * randomInt(2_000)} ${UIDS}\n`
  for (let tries = 0; ; tries++) {
    try {
      writeFileSync(`/proc/${pid}/uid_map`, map)
      writeFileSync(`/proc/${pid}/gid_map`, map)
      return
    } catch (error) {
      // Until it has made its namespace the map is the host's own, which cannot be written again.
      if (tries > 500) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2)
    }
  }
}

function machineOn(child: ChildProcess, output: OutputReader, endingPromise: Promise<void>): Machine {
  let isGone = false
  void endingPromise.then(() => (isGone = true))
  const close = async () => {
    child.kill('SIGKILL')
    await endingPromise
  }
  return {
    async run(script, seconds): Promise<CommandResult> {
      if (isGone) return { exitCode: null, output: '' }
      const mark = randomBytes(12).toString('hex')
      const since = performance.now()
      const result = output.until(mark, seconds * 1000 + GRACE_MS)
      child.stdin?.write(`${mark} ${seconds} ${Buffer.from(script).toString('base64')}\n`)
      const { exitCode, output: text } = await result
      if (exitCode === null) await close()
      const late = exitCode === 137 && performance.now() - since >= seconds * 1000
      return late ? { exitCode: null, output: text } : { exitCode, output: text }
    },
    close,
  }
}
