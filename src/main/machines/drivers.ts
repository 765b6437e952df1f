import type { MachineChoice, OsDriver, OsDrivers } from '../../core/tasks/lab-os/machine'
import { createBubblewrapDriver } from './bubblewrap'
import { createContainerDriver } from './container'
import { createSimulatedDriver } from '../adapters/simulated'
import { createProgramsDriver } from '../adapters/programs'

/** What makes each kind of system. */
const MAKERS: Readonly<Record<MachineChoice['driver'], (choice: MachineChoice) => Promise<OsDriver>>> = {
  simulated: () => createSimulatedDriver(),
  bubblewrap: ({ root }) => createBubblewrapDriver(root),
  container: ({ image }) => createContainerDriver(image),
}

/** Every kind of system. Drivers are made at their first use and kept; one that failed is tried again. */
export const createOsDrivers = (): OsDrivers => driversOf(MAKERS)

/** The same, but for a simulated system with programs in it: Node and Python for the code of tasks. */
export const createProgramDrivers = (): OsDrivers =>
  driversOf({ ...MAKERS, simulated: () => createProgramsDriver() })

function driversOf(makers: typeof MAKERS): OsDrivers {
  const driverPromiseMap = new Map<string, Promise<OsDriver>>()
  return {
    find(choice) {
      const key = JSON.stringify([choice.driver, choice.root, choice.image])
      const driver = driverPromiseMap.get(key) ?? makers[choice.driver](choice)
      driverPromiseMap.set(key, driver)
      driver.catch(() => driverPromiseMap.delete(key))
      return driver
    },
  }
}
