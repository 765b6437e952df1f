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
