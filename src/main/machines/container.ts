import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import type { CommandResult, Machine, OsDriver } from '../../core/tasks/lab-os/machine'
import { LoamError } from '../../shared/errors'
import { createOutputReader } from './output-reader'
import { isInstalled } from './root-folder'

const run = promisify(execFile)

/** What one container may take: no network, a share of the machine, no new rights. */
const LIMITS = [
  ...['--network', 'none', '--pids-limit', '256', '--memory', '1g', '--cpus', '1'],
  ...[
    '--ulimit',
    'fsize=268435456',
    '--ulimit',
    'nofile=1024:1024',
    '--security-opt',
    'no-new-privileges',
    '--hostname',
    'loam',
  ],
]

/** Beside those where the program may not raise the limit on processes to what it sets by itself. */
const LOWER = ['--ulimit', 'nproc=16384:16384']

/** Both limits as a container sees them, on either kind of control groups; a program without root rights cannot set them on the older kind. */
const READ_LIMITS =
  'cd /sys/fs/cgroup; cat pids.max pids/pids.max 2>/dev/null; cat memory.max memory/memory.limit_in_bytes 2>/dev/null; true'
const KEPT = `256\n${2 ** 30}`

/** Process 1 of a container: waits for ever, and for what others leave behind. */
const REAPER = 'while :; do sleep 3600 & wait $!; done'

/** How long beyond its own limit a command may take before the container is given up, in milliseconds. */
const GRACE_MS = 8_000

/**
 * Systems as containers of an image that is on this computer, by podman or else docker. Nothing is pulled; what a killed process left behind is
 * removed, and one container is tried.
 * @throws LoamError `BAD_INPUT` that says what is missing
 */
export async function createContainerDriver(image: string): Promise<OsDriver> {
  const program = await findProgram()
  try {
    await run(program, ['image', 'inspect', image])
  } catch (error) {
    throw new LoamError('BAD_INPUT', `${program} has no image ${image}: ${reasonOf(error)}`, {
      suggestion: `Fetch it (${program} pull ${image}), or name another with lab-os.image.`,
    })
  }
  await sweep(program)
  const limits = await workingLimits(program, image)
  return { id: 'container', open: () => openMachine(program, image, limits) }
}

/** Limits that containers start under here. @throws LoamError `BAD_INPUT` in the program's words where none does */
async function workingLimits(program: string, image: string): Promise<readonly string[]> {
  let why = ''
  for (const limits of [LIMITS, [...LIMITS, ...LOWER]]) {
    try {
      const machine = await openMachine(program, image, limits)
      const { output } = await machine.run(READ_LIMITS, 10)
      await machine.close()
      if (output.trim() === KEPT) return limits
      why = `${program} does not keep limits on processes and memory here (it reads ${JSON.stringify(output.trim().slice(0, 80))}).`
      break
    } catch (error) {
      why = (error as Error).message
      if (!/rlimit/i.test(why)) break
    }
  }
  throw new LoamError('BAD_INPUT', why, {
    suggestion: `See that "${program} run --rm --network none --memory 1g ${image} true" works, or choose another system.`,
  })
}

/** Removes containers whose process is gone: one that was killed could not. */
async function sweep(program: string): Promise<void> {
  const { stdout } = await run(program, ['ps', '--all', '--filter', 'name=loam-', '--format', '{{.Names}}'])
  const rest = stdout.split('\n').filter((name) => {
    const pid = /^loam-(\d{1,10})-[0-9a-f]{16}$/.exec(name)?.[1]
    return pid !== undefined && !isAlive(Number(pid))
  })
  if (rest.length > 0) await run(program, ['rm', '--force', ...rest]).catch(() => undefined)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

async function findProgram(): Promise<string> {
  for (const program of ['podman', 'docker']) if (await isInstalled(program)) return program
  throw new LoamError('BAD_INPUT', 'Neither podman nor docker is installed.', {
    suggestion: 'Install one, or choose the simulated system.',
  })
}

const reasonOf = (error: unknown): string =>
  (error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)).trim().slice(0, 300)

async function openMachine(program: string, image: string, limits: readonly string[]): Promise<Machine> {
  const name = `loam-${process.pid}-${randomBytes(8).toString('hex')}`
  const args = ['run', '--detach', '--rm', '--pull', 'never', '--name', name, ...limits]
  await run(program, [...args, '--entrypoint', 'bash', image, '-c', REAPER]).catch((error: unknown) => {
    throw new Error(`The container did not start: ${reasonOf(error)}`)
  })
  let closurePromise: Promise<void> | null = null
  const close = () =>
    (closurePromise ??= run(program, ['rm', '--force', '--time', '0', name]).then(
      () => undefined,
      () =>
        run(program, ['rm', '--force', name]).then(
          () => undefined,
          () => undefined,
        ),
    ))
  return {
    run: async (script, seconds) => {
      if (closurePromise) return { exitCode: null, output: '' }
      const result = await execute(program, name, script, seconds)
      if (result === null) await close()
      return result ?? { exitCode: null, output: '' }
    },
    close,
  }
}

/** Null when the container does not answer any more. */
async function execute(
  program: string,
  name: string,
  script: string,
  seconds: number,
): Promise<CommandResult | null> {
  const mark = randomBytes(12).toString('hex')
  const wrapped = `timeout -s KILL ${seconds} bash -c "$1" </dev/null 2>&1; printf '\\n%s %s\\n' ${mark} "$?"`
  const since = performance.now()
  const child = spawn(program, ['exec', '--workdir', '/', name, 'bash', '-c', wrapped, 'bash', script])
  child.on('error', () => undefined)
  const result = await createOutputReader([child.stdout]).until(mark, seconds * 1000 + GRACE_MS)
  child.kill('SIGKILL')
  if (result.exitCode === null) return null
  const late = result.exitCode === 137 && performance.now() - since >= seconds * 1000
  return late ? { exitCode: null, output: result.output } : result
}
