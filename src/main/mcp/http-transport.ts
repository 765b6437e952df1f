import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { guardedFetch } from '../net/guarded-fetch'

/** Most bytes of one answer. */
const MOST_ANSWER_BYTES = 16 * 1024 * 1024

export interface HttpServer {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * A server at an address: one on this machine, or anywhere when `network` is on. The address is checked after its name is
 * resolved, redirects are not followed, so its headers go nowhere else.
 */
export function httpTransport(server: HttpServer, network: boolean): StreamableHTTPClientTransport {
  const reach = guardedFetch(network ? 'any' : 'loopback')
  return new StreamableHTTPClientTransport(new URL(server.url), {
    requestInit: { headers: { ...server.headers } },
    fetch: async (url, init) => {
      const response = await reach(url, init)
      // The standing stream of notifications may go on for ever; an answer may not.
      return init?.method === 'GET' ? response : limited(response)
    },
  })
}

function limited(response: Response): Response {
  if (response.body === null) return response
  let size = 0
  const body = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.length
        if (size > MOST_ANSWER_BYTES)
          controller.error(new Error(`The server's answer is larger than ${MOST_ANSWER_BYTES} bytes.`))
        else controller.enqueue(chunk)
      },
    }),
  )
  const { status, statusText, headers } = response
  return new Response(body, { status, statusText, headers })
}
