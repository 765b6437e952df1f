/** The error every cancelled call rejects with; `toErrorShape` turns it into `CANCELLED`. */
export function abortError(): Error {
  const error = new Error('The work was cancelled.')
  error.name = 'AbortError'
  return error
}

/** Throws an AbortError once `signal` has fired. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortError()
}

/** Stops waiting for `work`, not the work itself, with an AbortError when `signal` fires. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return await work
  throwIfAborted(signal)
  let leave: () => void = () => undefined
  const aborted = new Promise<never>((_, reject) => {
    leave = () => reject(abortError())
    signal.addEventListener('abort', leave, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
