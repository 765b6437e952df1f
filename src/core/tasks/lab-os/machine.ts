import { portKey } from '../../ground/environment-module'

/** What a command came to. */
export interface CommandResult {
  /** Null when it did not end in time. */
  readonly exitCode: number | null
  /** What it wrote, standard output and error together; cut at `MAX_OUTPUT_CHARS`. */
  readonly output: string
}

/** Longest output that is kept of one command, in characters. */
export const MAX_OUTPUT_CHARS = 16_000

/** One small system of its own: its files last until it is closed, each command gets a fresh shell as root in `/`. */
export interface Machine {
  /** Runs a script in bash for at most `seconds`. @throws LoamError `TOOL_FAILED` when the machine itself broke down */
  run(script: string, seconds: number): Promise<CommandResult>
  /** Ends everything that runs in it and forgets its files; safe to call twice, and while a command runs. */
  close(): Promise<void>
}

/** What can run commands. */
export type OsDriverId = 'simulated' | 'bubblewrap' | 'container'

/** Which driver, and what it needs: `root` for bubblewrap, `image` for containers. */
export interface MachineChoice {
  readonly driver: OsDriverId
  /** Folder of a small Linux system. */
  readonly root: string
  /** A container image with bash. */
  readonly image: string
}

/** A way to get at small systems that tasks cannot reach out of. */
export interface OsDriver {
  readonly id: OsDriverId
  open(): Promise<Machine>
}

/** One system, set up when it is first asked for; closed before, it is closed as soon as it is there. */
export function openedOnce(driver: OsDriver): { open(): Promise<Machine>; close(): void } {
  let machine: Promise<Machine> | null = null
  let isClosed = false
  return {
    async open() {
      machine ??= driver.open()
      const openedMachine = await machine
      if (isClosed) await openedMachine.close()
      return openedMachine
    },
    close() {
      isClosed = true
      void machine?.then((openedMachine) => openedMachine.close()).catch(() => undefined)
    },
  }
}

/** Every driver this computer can work with. */
export interface OsDrivers {
  /** @throws LoamError `BAD_INPUT` that says what is missing where the driver cannot be used */
  find(choice: MachineChoice): Promise<OsDriver>
}

/** Where systems come from. */
export const OS_DRIVERS = portKey<OsDrivers>('operating systems')
