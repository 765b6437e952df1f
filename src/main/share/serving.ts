import type { Served, ServedRequest } from '../../shared/domain/sharing'
import { LoamError } from '../../shared/errors'

/** Something that is served now. */
export interface ServedNow {
  readonly id: string
  /** What the person calls it: a memory server, a proxy, experiences. */
  readonly what: string
  /** ISO time. */
  readonly since: string
  readonly said: Served
  /** The newest requests first, where they are kept. */
  readonly requests: () => readonly ServedRequest[]
}

/** What is told of something that is served, beside where it is. */
export interface ServedAbout {
  readonly what: string
  readonly requests?: () => readonly ServedRequest[]
}

/** What is served to programs outside besides the contract. */
export type Serving = ReturnType<typeof createServing>

const idOf = ({ url }: Served): string => url

/** Nothing is served yet. */
export function createServing() {
  const closing = new AbortController()
  const open = new Set<Promise<void>>()
  const now = new Map<string, ServedNow>()
  const startedMap = new Map<string, () => Promise<void>>()
  return {
    /**
     * Tells `said`, then keeps what is served until `signal` aborts, the reader goes or Loam closes; then `close` is called, once.
     * `more`: what else there is to tell, one after the other, until it ends.
     */
    async *hold<T extends Served>(
      about: ServedAbout,
      message: T,
      close: () => Promise<void>,
      signal: AbortSignal | undefined,
      more?: (signal: AbortSignal) => AsyncIterable<T>,
    ) {
      const endedSignal = AbortSignal.any([closing.signal, ...(signal ? [signal] : [])])
      let getClosure = (): void => undefined
      const removalPromise = new Promise<void>((resolve) => (getClosure = resolve))
      open.add(removalPromise)
      const id = idOf(message)
      now.set(id, {
        id,
        what: about.what,
        since: new Date().toISOString(),
        said: message,
        requests: about.requests ?? (() => []),
      })
      try {
        yield message
        if (more) yield* more(endedSignal)
        else if (!endedSignal.aborted)
          await new Promise<void>((resolve) => {
            endedSignal.addEventListener('abort', () => resolve(), { once: true })
          })
      } finally {
        now.delete(id)
        await close().finally(() => {
          open.delete(removalPromise)
          getClosure()
        })
      }
    },
    /** What is served now, oldest first. */
    list: (): readonly ServedNow[] => [...now.values()],
    /** Starts serving on its own, until it is stopped or Loam closes; answers once it listens. */
    async start(from: (signal: AbortSignal) => AsyncGenerator<Served, void, void>): Promise<ServedNow> {
      const stop = new AbortController()
      const feed = from(stop.signal)
      const first = await feed.next()
      const foundNow = first.done === true ? undefined : now.get(idOf(first.value))
      if (!foundNow) throw new Error('It ended before it listened.')
      // Whoever reads a feed hears that it ended; nobody else reads this one.
      const endingPromise = (async () => {
        while ((await feed.next()).done !== true);
      })().catch(() => undefined)
      startedMap.set(foundNow.id, async () => {
        stop.abort()
        await endingPromise
      })
      return foundNow
    },
    /** Ends what `start` began. @throws LoamError `NOT_FOUND` */
    async stop(id: string): Promise<void> {
      const end = startedMap.get(id)
      if (!end || !now.has(id))
        throw new LoamError('NOT_FOUND', 'Nothing that was started in the window is served there.', {
          suggestion: 'What a command serves ends with the command.',
        })
      startedMap.delete(id)
      await end()
    },
    /** Ends all that is served; resolves when it is closed. */
    async close(): Promise<void> {
      closing.abort()
      await Promise.all(open)
    },
  }
}
