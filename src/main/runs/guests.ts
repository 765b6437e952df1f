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
  /** Who asks, where programs do: those go in by turns. Default: all are one. */
  readonly client?: string
  /** What it is called by when it is to start now, or to wait again where it was. Default: neither happens. */
  readonly id?: string
  /** Whether it gave its place back before its end, and waits where it was in line. Default: it comes for the first time. */
  readonly again?: boolean
  /** Asks it to give its place back soon, for another that is to start now. Default: it keeps it to its end. */
  readonly yields?: () => void
  /** Told its place in line while it waits, and null when it may begin. */
  readonly onWait?: (wait: ModelWait | null) => void
}

interface Guest extends GuestRequest {
  /** Its place among all that ever came; a guest that is to start now goes before them. */
  number: number
  isUrgent: boolean
  begin(): void
}

/** Guests at a time that share one model, by who they are: one in all where other work shares it too. */
const MOST = { ask: 2, learning: 2, program: 4 } as const
const MOST_BESIDE_OTHERS = 1
/** Durations that the expected wait is told by. */
const KNOWN_DURATIONS = 8

const isProgram = ({ lane }: GuestRequest): boolean => lane === 'program'

interface GuestsDeps {
  /** What has the engine besides guests, in a few words; null: nothing. */
  atWork(): string | null
  /** Whether what has the engine lets guests in. */
  isOpen(): boolean
  /** Guests came or went. */
  changed(): void
  readonly now: () => number
}

/** The order of the line: what is to start now, then by lane. Of programs the one goes first that went in longest ago, however much it asks. */
function createTurns() {
  const last = new Map<string, number>()
  let turn = 0
  const rank = ({ lane, number, isUrgent }: Guest): number =>
    (isUrgent ? -1 : LANES.indexOf(lane)) * 1e9 + number
  const turnOf = ({ client = '' }: Guest): number => last.get(client) ?? 0
  return {
    /** One goes in. */
    count(guest: Guest): void {
      if (isProgram(guest)) last.set(guest.client ?? '', ++turn)
    },
    compare: (a: Guest, b: Guest): number =>
      (isProgram(a) && isProgram(b) ? turnOf(a) - turnOf(b) : 0) || rank(a) - rank(b),
  }
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
  /** Those that are to give their place back before their end, and their places in line. */
  const yielded = new Set<Guest>()
  const numbers = new Map<string, number>()
  const turns = createTurns()

  /** Whether there is room for one beside those. */
  const hasRoom = ({ model, lane }: Guest, guests: readonly Guest[]): boolean => {
    if (!isOpen() || guests.some((one) => one.model !== model)) return false
    if (atWork() !== null) return guests.length < MOST_BESIDE_OTHERS
    // Programs leave a place for an ask.
    const alike = guests.filter((one) => isProgram(one) === (lane === 'program')).length
    return alike < MOST[lane] && guests.length <= MOST.program
  }
  const isAllowed = (guest: Guest): boolean => hasRoom(guest, [...working.keys()])

  /** Who has to give way so that one may begin now; null where they cannot. */
  const inTheWay = (guest: Guest): readonly Guest[] | null => {
    const others = [...working.keys()].filter((one) => !yielded.has(one))
    for (const pool of [others.filter((one) => isProgram(one) === isProgram(guest)), others])
      for (let count = 0; count <= pool.length; count++) {
        // Who came last has done the least.
        const yielders = pool.slice(pool.length - count)
        const stay = others.filter((one) => !yielders.includes(one))
        if (hasRoom(guest, stay)) return yielders.every((one) => one.yields) ? yielders : null
      }
    return null
  }

  /** About how long one works, in ms; null where none has yet. */
  const usualMs = (): number | null =>
    durations.length === 0 ? null : durations.reduce((sum, ms) => sum + ms, 0) / durations.length

  const tell = (): void => {
    const usual = usualMs()
    const [first] = working.keys()
    for (const [i, guest] of line.entries())
      guest.onWait?.({
        place: i + 1,
        behind: line[i - 1]?.title ?? first?.title ?? atWork() ?? 'other work',
        waitMs: usual === null || !isOpen() ? null : usual * (i + Math.min(1, working.size)),
        canStart: guest.id !== undefined && !guest.isUrgent && inTheWay(guest) !== null,
      })
  }

  /** Lets in whoever may begin now, in order. */
  const next = (): void => {
    for (let first = line[0]; first && isAllowed(first); first = line[0]) {
      line = line.slice(1)
      working.set(first, now())
      turns.count(first)
      sortLine()
      first.onWait?.(null)
      first.begin()
    }
    tell()
  }

  const sortLine = (): void => {
    line = line.sort(turns.compare)
  }

  const leave = (guest: Guest): void => {
    const began = working.get(guest)
    if (began === undefined) return
    working.delete(guest)
    lastLeft = now()
    const isWhole = !yielded.delete(guest)
    if (guest.lane === 'ask' && isWhole) {
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
        const { id, again } = request
        const before = id !== undefined && again ? numbers.get(id) : undefined
        if (id !== undefined) numbers.delete(id)
        const guest: Guest = {
          ...request,
          number: before ?? count++,
          isUrgent: false,
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
        line.push(guest)
        sortLine()
        next()
        if (line.includes(guest)) changed()
      }),
    /** Has one in line begin now: those in its way give their place back and wait again. Answers whether that can be. */
    startNow(id: string): boolean {
      const guest = line.find((one) => one.id === id)
      const yielders = guest && inTheWay(guest)
      if (!guest || !yielders) return false
      // The one that was urgent last goes first.
      Object.assign(guest, { isUrgent: true, number: -count++ })
      sortLine()
      for (const one of yielders) {
        yielded.add(one)
        if (one.id !== undefined) numbers.set(one.id, one.number)
        one.yields?.()
      }
      next()
      return true
    },
    quiet: createQuiet({ isWorking: () => working.size > 0, lastLeft: () => lastLeft, leaving, now }),
  }
}

/** Waits until nobody has worked for a while. `leaving` are called whenever somebody leaves. */
const createQuiet =
  (of: { isWorking(): boolean; lastLeft(): number; readonly leaving: Set<() => void>; now(): number }) =>
  /** Resolves once no guest has worked for `quietMs`; rejects with an AbortError when `signal` fires. */
  (quietMs: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      const end = (): void => {
        clearTimeout(timer)
        of.leaving.delete(look)
        signal?.removeEventListener('abort', giveUp)
      }
      const look = (): void => {
        clearTimeout(timer)
        if (of.isWorking()) return
        const rest = of.lastLeft() + quietMs - of.now()
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
      of.leaving.add(look)
      signal?.addEventListener('abort', giveUp, { once: true })
      look()
    })
