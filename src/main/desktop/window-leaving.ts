/** How long closing in good order may take before the app goes anyway, in ms. */
export const CLOSE_WITHIN_MS = 10_000

interface Preventable {
  preventDefault(): void
}

/** What is needed of Electron to leave in good order. */
export interface LeavingOptions {
  readonly app: {
    on(event: 'before-quit', listener: (event: Preventable) => void): unknown
    exit(code: number): void
  }
  readonly platform: NodeJS.Platform
  /** Closes the data folder and everything over it; null while nothing is open. */
  readonly close: () => Promise<void> | null
  /** What is done last of all, once everything is closed in good order. Default: nothing. */
  readonly atExit?: (code: number) => void
  /** Default `CLOSE_WITHIN_MS`. */
  readonly withinMs?: number
}

/** Holds up a quit until everything is closed. */
export function leaveInOrder({
  app,
  platform,
  close,
  atExit = () => undefined,
  withinMs = CLOSE_WITHIN_MS,
}: LeavingOptions) {
  let isLeaving = false
  let poweringOff = false

  /** Closes and exits with `code` (1 when closing fails or takes too long). A second call changes nothing. */
  const leave = (code: number): void => {
    if (isLeaving) return
    isLeaving = true
    const closurePromise = close()
    if (closurePromise === null) return app.exit(code)
    const timer = setTimeout(() => app.exit(1), withinMs)
    void closurePromise
      .then(
        () => code,
        () => 1,
      )
      .then((endCount) => {
        clearTimeout(timer)
        // A machine that goes down waits for nothing.
        if (!poweringOff) atExit(endCount)
        app.exit(endCount)
      })
  }

  app.on('before-quit', (event) => {
    if (poweringOff) return
    // Exits by itself once everything is closed; a second request does not start that again.
    event.preventDefault()
    leave(0)
  })

  return {
    leave,
    /**
     * The machine goes down or the person logs out. On macOS a quit that is held up then would cancel that, so from now on none is;
     * what cannot be closed in time is as after a kill: the journal has it, and runs are paused.
     */
    powerOff(event?: Preventable) {
      poweringOff = true
      // Linux waits for an app that asks for it; macOS and Windows do not.
      if (platform === 'linux') event?.preventDefault()
      leave(0)
    },
  }
}
