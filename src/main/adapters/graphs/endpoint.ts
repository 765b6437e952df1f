import { z } from 'zod'
import { LoamError } from '../../../shared/errors'
import type { Graph } from '../../../core/tasks/lab-kg/graph'
import { guardedFetch, RefusedAddress } from '../../net/guarded-fetch'
import { plainName } from './embedded-graph'

/** How long a query may take, in milliseconds. */
const LONGEST_MS = 60_000
/** Longest answer, in characters. */
const LARGEST = 64 * 2 ** 20

const answerSchema = z.object({
  results: z.object({ bindings: z.array(z.record(z.string(), z.object({ value: z.string() }))) }),
})

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
        text = await bounded(answer)
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
      return valuesIn(text) ?? Promise.reject(getError('did not answer as SPARQL has it'))
    },
    close: () => undefined,
  }
}

async function bounded(answer: Response): Promise<string> {
  const reader = answer.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done) return text + decoder.decode()
    text += decoder.decode(value as Uint8Array, { stream: true })
    if (text.length > LARGEST) {
      await reader?.cancel()
      throw new Error('its answer is too long')
    }
  }
}

function valuesIn(text: string): string[] | null {
  try {
    const { results } = answerSchema.parse(JSON.parse(text))
    return results.bindings.flatMap((row) => Object.values(row).map(({ value }) => plainName(value)))
  } catch {
    return null
  }
}
