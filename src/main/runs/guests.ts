import { abortError } from '../../core/ground/abort'
import type { ModelWait } from '../../shared/domain/ask'

/** Work that a person waits for, in the order it goes in: asks, then learning from verdicts, then requests of connected programs. */
export type GuestLane = 'ask' | 'learning' | 'program'

const LANES: readonly GuestLane[] = ['ask', 'learning', 'program']

/** Work that a person waits for: it shares the engine with a run, or has it while the run rests. */
export interface GuestRequest {
  readonly title: string
  readonly lane: GuestLane
  /** Path of the file. */
  readonly model: string
  /** Told its place in line while it waits, and null when it may begin. */
  readonly onWait?: (wait: ModelWait | null) => void
}

interface Guest extends GuestRequest {
  readonly number: number
  begin(): void
}

/** Guests at a time that share one model, by who they are: one in all where other work shares it too. */
const MOST = { ask: 2, learning: 2, program: 4 } as const
const MOST_BESIDE_OTHERS = 1
/** Durations that the expected wait is told by. */
const KNOWN_DURATIONS = 8

interface GuestsDeps {
  /** What has the engine besides guests, in a few words; null: nothing. */
  atWork(): string | null
  /** Whether what has the engine lets guests in. */
  isOpen(): boolean
  /** Guests came or went. */
  changed(): void
  readonly now: () => number
}

/** The guests of the engine: those at work, and those in line. */
export type Guests = ReturnType<typeof createGuests>

export function createGuests({ atWork, isOpen, changed, now }: GuestsDeps) {
  const working = new Map<Guest, number>()
  let line: Guest[] = []
  const durations: number[] = []
  const leaving = new Set<() => void>()
  let lastLeft = -Infinity
  let count = 0

  const isAllowed = ({ model, lane }: Guest): boolean => {
    const guests = [...working.keys()]
    if (!isOpen() || guests.some((one) => one.model !== model)) return false
    if (atWork() !== null) return guests.length < MOST_BESIDE_OTHERS
    // Programs leave a place for an ask.
    const alike = guests.filter((one) => (one.lane === 'program') === (lane === 'program')).length
    return alike < MOST[lane] && guests.length <= MOST.program
  }

  /** About how long one works, in ms; null where none has yet. */
  const usualMs = (): number | null =>
    durations.length === 0 ? null : durations.reduce((sum, ms) => sum + ms, 0) / durations.length

  const tell = (): void => {
    const usual = usualMs()
    const [first] = working.keys()
    for (const [i, { onWait }] of line.entries())
      onWait?.({
        place: i + 1,
        behind: line[i - 1]?.title ?? first?.title ?? atWork() ?? 'other work',
        waitMs: usual === null || !isOpen() ? null : usual * (i + Math.min(1, working.size)),
      })
  }

  /** Lets in whoever may begin now, in order. */
  const next = (): void => {
    for (let first = line[0]; first && isAllowed(first); first = line[0]) {
      line = line.slice(1)
      working.set(first, now())
      first.onWait?.(null)
      first.begin()
    }
    tell()
  }

  const leave = (guest: Guest): void => {
    const began = working.get(guest)
    if (began === undefined) return
    working.delete(guest)
    lastLeft = now()
    if (guest.lane === 'ask') {
      durations.push(lastLeft - began)
      if (durations.length > KNOWN_DURATIONS) durations.shift()
    }
    for (const look of [...leaving]) look()
    next()
    changed()
  }

  return {
    next,
    /** Whether a guest works or waits. */
    isAny: (): boolean => working.size + line.length > 0,
    isAwaited: (): boolean => line.length > 0,
    /** What the first of them is about; null where none works. */
    title: (): string | null => [...working.keys()][0]?.title ?? null,
    /** Waits for a place; resolves to what gives it back, rejects with an AbortError when `signal` fires before. */
    enter: (request: GuestRequest, signal: AbortSignal): Promise<() => void> =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(abortError())
        const guest: Guest = {
          ...request,
          number: count++,
          begin() {
            signal.removeEventListener('abort', giveUp)
            changed()
            resolve(() => leave(guest))
          },
        }
        const giveUp = (): void => {
          line = line.filter((one) => one !== guest)
          reject(abortError())
          tell()
          changed()
        }
        signal.addEventListener('abort', giveUp, { once: true })
        const rank = ({ lane, number }: Guest): number => LANES.indexOf(lane) * 1e9 + number
        line = [...line, guest].sort((a, b) => rank(a) - rank(b))
        next()
        if (line.includes(guest)) changed()
      }),
    /** Resolves once no guest has worked for `quietMs`; rejects with an AbortError when `signal` fires. */
    quiet: (quietMs: number, signal?: AbortSignal): Promise<void> =>
      new Promise((resolve, reject) => {
        let timer: NodeJS.Timeout | undefined
        const end = (): void => {
          clearTimeout(timer)
          leaving.delete(look)
          signal?.removeEventListener('abort', giveUp)
        }
        const look = (): void => {
          clearTimeout(timer)
          if (working.size > 0) return
          const rest = lastLeft + quietMs - now()
          if (rest > 0) {
            timer = setTimeout(look, rest)
            return
          }
          end()
          resolve()
        }
        const giveUp = (): void => {
          end()
          reject(abortError())
        }
        if (signal?.aborted) return reject(abortError())
        leaving.add(look)
        signal?.addEventListener('abort', giveUp, { once: true })
        look()
      }),
  }
}
