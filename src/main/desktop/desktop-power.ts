import { powerMonitor } from 'electron'
import { readPower, type PowerState } from '../ground/power'

const HOT: Readonly<Record<string, boolean | null>> = { serious: true, critical: true, unknown: null }

/** What the machine runs on, as the system tells the desktop app. */
export async function powerOfDesktop(): Promise<PowerState> {
  const battery = powerMonitor.isOnBatteryPower()
  // Only macOS tells how it bears the heat in words.
  if (process.platform === 'darwin') {
    const hot = HOT[powerMonitor.getCurrentThermalState()]
    return { battery, hot: hot === undefined ? false : hot }
  }
  return { ...(await readPower()), battery }
}
