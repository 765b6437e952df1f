import { abortError } from '../../ground/abort'

/** Lets at most `width` pieces of work happen at a time, the others in the order in which they came. */
export function createGate(width: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = width
  const waiters: (() => void)[] = []
  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiters.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiters.shift()
      if (next) next()
      else free++
    }
  }
}

/**
 * Works on all items at the same time and answers in their order. After a failure the others are told to stop through their
 * signal; when they have, the first failure is passed on.
 */
export async function workOnAll<T, R>(
  items: readonly T[],
  signal: AbortSignal,
  work: (item: T, signal: AbortSignal) => Promise<R>,
): Promise<R[]> {
  const controller = new AbortController()
  const stop = (): void => {
    controller.abort()
  }
  if (signal.aborted) throw abortError()
  signal.addEventListener('abort', stop, { once: true })
  const failures: unknown[] = []
  try {
    const results = await Promise.all(
      items.map((item) =>
        work(item, controller.signal).then(
          (value) => ({ value }),
          (error: unknown) => {
            failures.push(error)
            stop()
            return null
          },
        ),
      ),
    )
    if (signal.aborted) throw abortError()
    if (failures.length > 0) throw failures[0]
    return results.flatMap((result) => (result ? [result.value] : []))
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
