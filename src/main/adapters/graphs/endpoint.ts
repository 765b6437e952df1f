import { LoamError } from '../../../shared/errors'
import type { Graph } from '../../../core/tasks/lab-kg/graph'
import { readBindings } from '../../ground/isolate/foreign-answer'
import { boundedText } from '../../net/bounded-text'
import { guardedFetch, RefusedAddress } from '../../net/guarded-fetch'
import { plainName } from './embedded-graph'

/** How long a query may take, in milliseconds. */
const LONGEST_MS = 60_000
/** Longest answer, in characters. */
const LARGEST = 64 * 2 ** 20

/** A graph behind an address that answers SPARQL's protocol. `network` is asked before each query. */
export function graphAtEndpoint(address: string, network: () => boolean): Graph {
  const getError = (why: string, underlying?: unknown): LoamError =>
    new LoamError('TASK_SERVER', `${address} ${why}.`, {
      suggestion: 'See that the endpoint runs and holds the graph, then go on.',
      retryable: true,
      underlying,
    })
  return {
    async select(sparql) {
      let text: string
      try {
        const answer = await guardedFetch(network() ? 'any' : 'loopback')(address, {
          method: 'POST',
          headers: {
            accept: 'application/sparql-results+json',
            'content-type': 'application/x-www-form-urlencoded',
          },
          body: new URLSearchParams({ query: sparql }).toString(),
          signal: AbortSignal.timeout(LONGEST_MS),
        })
        text = await boundedText(answer, LARGEST)
        if (!answer.ok) throw getError(`answered with status ${answer.status}: ${text.slice(0, 200).trim()}`)
      } catch (error) {
        if (error instanceof LoamError) throw error
        if (error instanceof RefusedAddress)
          throw new LoamError('NETWORK_OFF', error.message, {
            suggestion:
              'Turn the network on in Settings if you want that; the endpoint then gets every query.',
          })
        throw getError(`did not answer: ${(error as Error).message}`, error)
      }
      const values = await readBindings(text, address).catch((error: unknown) => {
        throw getError('did not answer as SPARQL has it', error)
      })
      return values.map(plainName)
    },
    close: () => undefined,
  }
}
