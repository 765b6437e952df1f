/** What is served to programs outside besides the contract. */
export interface Serving {
  /**
   * Tells `said`, then keeps what is served until `signal` aborts, the reader goes or Loam closes; then `close` is called, once.
   * `more`: what else there is to tell, one after the other, until it ends.
   */
  hold<T>(
    said: T,
    close: () => Promise<void>,
    signal: AbortSignal | undefined,
    more?: (signal: AbortSignal) => AsyncIterable<T>,
  ): AsyncGenerator<T, void, void>
  /** Ends all that is served; resolves when it is closed. */
  close(): Promise<void>
}

/** Nothing is served yet. */
export function createServing(): Serving {
  const closing = new AbortController()
  const open = new Set<Promise<void>>()
  return {
    async *hold(said, close, signal, more) {
      const ended = AbortSignal.any([closing.signal, ...(signal ? [signal] : [])])
      let closed = (): void => undefined
      const gone = new Promise<void>((resolve) => (closed = resolve))
      open.add(gone)
      try {
        yield said
        if (more) yield* more(ended)
        else if (!ended.aborted)
          await new Promise<void>((resolve) => {
            ended.addEventListener('abort', () => resolve(), { once: true })
          })
      } finally {
        await close().finally(() => {
          open.delete(gone)
          closed()
        })
      }
    },
    async close() {
      closing.abort()
      await Promise.all(open)
    },
  }
}
