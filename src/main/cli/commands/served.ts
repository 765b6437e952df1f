import { isAbortError } from '../../../core/ground/abort'
import type { Served } from '../../../shared/domain/sharing'
import { LoamError } from '../../../shared/errors'
import type { CommandContext } from './command'

/** What is served by the Loam that was reached, for as long as `work` takes. */
export interface ServedBy<Told> {
  /** Where it is. */
  readonly first: Told
  /** Resolves when the person or the system ends the command; rejects when the Loam that serves ends before. */
  ended(): Promise<void>
  /** What was told last. */
  latest(): Told
}

/**
 * Has the Loam that has the data folder open serve something, its own or another's, until `work` is done.
 * @throws LoamError what serving fails with; `INTERRUPTED` when that Loam is closed meanwhile
 */
export async function served<Told extends Served, Result>(
  { io, host }: Pick<CommandContext, 'io' | 'host'>,
  open: (
    client: Awaited<ReturnType<CommandContext['host']>>['client'],
    signal: AbortSignal,
  ) => Promise<AsyncIterator<Told>>,
  work: (by: ServedBy<Told>) => Promise<Result>,
): Promise<Result> {
  const reached = await host()
  await reached.share()
  const stop = new AbortController()
  const feed = await open(reached.client, AbortSignal.any([io.signal, stop.signal]))
  const beginning = await feed.next()
  if (beginning.done === true) throw getError()
  let last = beginning.value
  const removalPromise = (async () => {
    try {
      for (;;) {
        // A feed does not always hear that the other side is gone.
        const next = await Promise.race([feed.next(), reached.gone])
        if (next === undefined || next.done === true) break
        last = next.value
      }
    } catch (error) {
      if (!isAbortError(error) && !io.signal.aborted && !stop.signal.aborted) throw getError(error)
    }
    if (!io.signal.aborted && !stop.signal.aborted) throw getError()
  })()
  removalPromise.catch(() => undefined)
  try {
    return await work({ first: beginning.value, ended: () => removalPromise, latest: () => last })
  } finally {
    stop.abort()
    await removalPromise.catch(() => undefined)
  }
}

const getError = (underlying?: unknown): LoamError =>
  new LoamError('INTERRUPTED', 'The Loam that served this was closed.', {
    suggestion: 'Start the command again; it then serves by itself.',
    retryable: true,
    underlying,
  })
