import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** What the machine runs on, and whether it is too warm for work that can wait; null: it does not tell. */
export interface PowerState {
  readonly battery: boolean | null
  readonly hot: boolean | null
}

/** Degrees Celsius from which a processor is too warm for work that can wait. */
const HOT = 85
const ASK_WITHIN_MS = 3000

const textOf = (path: string): Promise<string | null> =>
  readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => null,
  )

/** Asks this machine. `root`: where Linux tells of its devices, default `/sys/class`. */
export async function readPower(
  platform: NodeJS.Platform = process.platform,
  root = '/sys/class',
): Promise<PowerState> {
  switch (platform) {
    case 'linux':
      return { battery: await onBattery(join(root, 'power_supply')), hot: await isHot(join(root, 'thermal')) }
    case 'darwin': {
      const [power, heat] = [await ask('pmset', ['-g', 'batt']), await ask('pmset', ['-g', 'therm'])]
      const limit = /CPU_Speed_Limit\s*=\s*(\d{1,3})/.exec(heat ?? '')?.[1]
      return {
        battery: power === null ? null : power.includes('Battery Power'),
        hot: limit === undefined ? null : Number(limit) < 100,
      }
    }
    case 'win32': {
      const status = await ask('powershell', [
        ...['-NoProfile', '-NonInteractive', '-Command'],
        '(Get-CimInstance Win32_Battery).BatteryStatus',
      ])
      // 1: it is discharging. A machine without a battery says nothing.
      return { battery: status === null ? null : status.trim() === '1', hot: null }
    }
    default:
      return { battery: null, hot: null }
  }
}

/** Whether a battery is being emptied; a machine without one is not on it. */
async function onBattery(folder: string): Promise<boolean | null> {
  const names = await readdir(folder).catch(() => null)
  if (names === null) return null
  const supplies = await Promise.all(
    names.map(async (name) => ({
      type: await textOf(join(folder, name, 'type')),
      scope: await textOf(join(folder, name, 'scope')),
      online: await textOf(join(folder, name, 'online')),
      status: await textOf(join(folder, name, 'status')),
    })),
  )
  // The battery of a mouse is none of the machine's.
  const own = supplies.filter(({ scope }) => scope !== 'Device')
  if (own.some(({ type, online }) => type === 'Mains' && online === '1')) return false
  return own.some(({ type, status }) => type === 'Battery' && status === 'Discharging')
}

async function isHot(folder: string): Promise<boolean | null> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith('thermal_zone'))
  const degrees = (await Promise.all(names.map((name) => textOf(join(folder, name, 'temp')))))
    .filter((text) => text !== null)
    .map((text) => Number(text) / 1000)
    .filter((value) => Number.isFinite(value) && value > 0)
  return degrees.length === 0 ? null : Math.max(...degrees) >= HOT
}

const run = promisify(execFile)

const ask = (command: string, args: readonly string[]): Promise<string | null> =>
  run(command, [...args], { timeout: ASK_WITHIN_MS, windowsHide: true }).then(
    ({ stdout }) => stdout,
    () => null,
  )
