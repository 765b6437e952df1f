export interface AwakeOptions {
  /** Default 6. */
  readonly most?: number
  /** Milliseconds without use after which one rests. Default 30,000. */
  readonly idleMs?: number
}

/** The memories that hold files and indexes open: the few that were used last, and none for long that nobody uses. */
export type AwakeMemories = ReturnType<typeof awakeMemories>

/** Makes a set of its own; nothing is in it. */
export function awakeMemories({ most = 6, idleMs = 30_000 }: AwakeOptions = {}) {
  type Rest = () => Promise<void>
  /** Longest unused first. */
  const timers = new Map<Rest, NodeJS.Timeout>()
  let newest: Rest | null = null

  function forget(memory: Rest): void {
    clearTimeout(timers.get(memory))
    timers.delete(memory)
  }

  function sendToRest(memory: Rest): void {
    forget(memory)
    // What could not be closed stays open; who uses it next meets the error.
    memory().catch(() => undefined)
  }

  function use(memory: Rest): void {
    const ownTimer = memory === newest ? timers.get(memory) : undefined
    // A map that an entry leaves and enters at every read leaves a chain of dead tables behind, which lives until the whole heap is gone through.
    if (ownTimer) return void ownTimer.refresh()
    forget(memory)
    newest = memory
    const timer = setTimeout(() => sendToRest(memory), idleMs)
    timer.unref()
    timers.set(memory, timer)
    const [oldest] = timers.keys()
    if (timers.size > most && oldest) sendToRest(oldest)
  }

  return {
    get size(): number {
      return timers.size
    },
    /** The place of one memory. `rest` closes what it holds open, once what is under way is over; it opens that again at its next use. */
    place(rest: Rest) {
      let isOpen = false
      return {
        /** Notes a use. Whoever was not used for longest rests where there are too many. One that is not open yet does not rest. */
        use: (): void => (isOpen ? use(rest) : undefined),
        /** The memory is open. */
        take(): void {
          isOpen = true
          use(rest)
        },
        /** It is closed for good. */
        leave: (): void => forget(rest),
      }
    },
  }
}
