import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'

/** How long a tool of the system may take, in ms. */
const ASK_WITHIN_MS = 5000

/** Whether other work has more than half of a machine's processors, by the load of the last minute; where the system tells none, none has. */
export const isBusy = (load = loadavg()[0] ?? 0, processors = availableParallelism()): boolean =>
  load > processors / 2

/** More processors are taken only where they take at most this part of the time. */
const WORTH = 0.9

/** What is tried of a machine: one processor, half of them, and all. */
export const processorChoices = (processors: number): number[] => [
  ...new Set([1, Math.max(1, Math.floor(processors / 2)), processors]),
]

/** The fewest that nothing else beats by more than a tenth. `times`: ms of the same work by how many did it, fewest first. */
export const fastest = (times: readonly (readonly [count: number, ms: number])[]): number =>
  times.reduce((best, one) => (one[1] < best[1] * WORTH ? one : best)).at(0) as number

let recordText: string | null | undefined

/** Tells this machine from others, whatever it is called today. A hash, so that the system's own id goes nowhere. Null where it names none. */
export function machineId(): string | null {
  if (recordText === undefined) {
    const id = readMachineId(process.platform)
    recordText = id === null ? null : createHash('sha256').update(`loam:${id}`).digest('hex').slice(0, 32)
  }
  return recordText
}

function readMachineId(platform: NodeJS.Platform): string | null {
  switch (platform) {
    case 'linux':
      return read('/etc/machine-id') ?? read('/var/lib/dbus/machine-id')
    case 'darwin':
      return match(ask('ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice']), /"IOPlatformUUID" = "([^"]+)"/)
    case 'win32':
      return match(
        ask('reg', ['query', 'HKLM\\SOFTWARE\\Microsoft\\Cryptography', '/v', 'MachineGuid']),
        /MachineGuid\s+REG_SZ\s+(\S+)/,
      )
    default:
      return null
  }
}

/**
 * When a process began, in the system's own words: with its pid it names one process for good. Null where it is gone or the
 * system does not tell.
 */
export function processBirth(pid: number, platform: NodeJS.Platform = process.platform): string | null {
  switch (platform) {
    case 'linux': {
      const boot = read('/proc/sys/kernel/random/boot_id')
      const status = read(`/proc/${pid}/stat`)
      // Field 22; the name in field 2 may hold memories and brackets, so count from its last bracket.
      const startTick = status?.slice(status.lastIndexOf(')') + 2).split(' ')[19]
      return boot === null || startTick === undefined ? null : `${boot}:${startTick}`
    }
    case 'win32':
      return ask('powershell', [
        '-NoProfile',
        '-NonInteractive',
        '-Command',
        `(Get-Process -Id ${pid}).StartTime.ToFileTimeUtc()`,
      ])
    default:
      return ask('ps', ['-o', 'lstart=', '-p', String(pid)])
  }
}

/** Which processes can be seen from here: containers of one machine see only their own. Null where there is but one. */
export function pidNamespace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return null
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim() || null
  } catch {
    return null
  }
}

function ask(command: string, args: readonly string[]): string | null {
  try {
    const message = execFileSync(command, args, {
      encoding: 'utf8',
      timeout: ASK_WITHIN_MS,
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'ignore'],
      // Dates in one language, whatever the person's is.
      env: { ...process.env, LC_ALL: 'C' },
    })
    return message.trim() || null
  } catch {
    return null
  }
}

const match = (text: string | null, pattern: RegExp): string | null => pattern.exec(text ?? '')?.[1] ?? null
