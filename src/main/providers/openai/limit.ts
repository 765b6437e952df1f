import { abortError, throwIfAborted } from '../../../core/ground/abort'

/** Lets at most `most` pieces of work run at a time; the others wait in order, and leave the line when they are aborted. */
export function limitTo(most: number): <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T> {
  let running = 0
  const waiters: (() => void)[] = []
  /** A place that becomes free goes to whoever waits longest. */
  const free = (): void => {
    const first = waiters.shift()
    if (first) first()
    else running -= 1
  }
  /** Resolves to false when it was aborted in line. */
  const place = async (signal?: AbortSignal): Promise<boolean> => {
    throwIfAborted(signal)
    if (running < most) {
      running += 1
      return true
    }
    return new Promise<boolean>((resolve) => {
      const go = (): void => {
        signal?.removeEventListener('abort', leave)
        resolve(true)
      }
      const leave = (): void => {
        waiters.splice(waiters.indexOf(go), 1)
        resolve(false)
      }
      waiters.push(go)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }
  return async (work, signal) => {
    if (!(await place(signal))) throw abortError()
    try {
      throwIfAborted(signal)
      return await work()
    } finally {
      free()
    }
  }
}
