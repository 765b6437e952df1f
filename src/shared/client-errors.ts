import { mapEventIterator, ORPCError } from '@orpc/client'
import { readErrorShape, LoamError } from './errors'

/**
 * What a call rejected with, as the caller should see it: the `LoamError` the host threw, `CONNECTION_LOST` when the
 * call went down with its connection, and an AbortError, unchanged, when the caller itself gave up.
 */
function toClientError(error: unknown, signal?: AbortSignal): unknown {
  if (error instanceof LoamError || signal?.aborted) return error
  if (error instanceof ORPCError) {
    const shape = readErrorShape(error.data)
    if (shape) return LoamError.fromShape(shape)
    return new LoamError('INTERNAL', `${error.code}: ${error.message}`, {
      suggestion: 'This Loam and the window it serves may be of different versions; start it again.',
      underlying: error,
    })
  }
  // The transports reject everything under way with plain or Abort errors when the connection goes.
  return connectionLost(error)
}

/** The error of a call whose connection went away. Retryable. */
export function connectionLost(underlying?: unknown): LoamError {
  return new LoamError('CONNECTION_LOST', 'Loam did not answer.', {
    suggestion: 'Loam tries to connect again by itself. If it was closed, start it again.',
    retryable: true,
    underlying,
  })
}

/** Interceptor for an oRPC link or client: every rejection, also in the middle of a feed, goes through `toClientError`. */
export async function mapClientErrors(call: {
  next: () => Promise<unknown>
  signal?: AbortSignal | undefined
}): Promise<unknown> {
  try {
    const output = await call.next()
    if (!isIterator(output)) return output
    return mapEventIterator(output, {
      value: async (value) => value,
      error: async (error) => toClientError(error, call.signal),
    })
  } catch (error) {
    throw toClientError(error, call.signal)
  }
}

/** Whether a call's output is a feed. */
export function isIterator(value: unknown): value is AsyncIteratorObject<unknown, unknown, void> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value && 'next' in value
}
