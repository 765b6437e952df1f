import { createServer, request as overHttp, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

type Headers = Readonly<Record<string, unknown>>

/** A request and its answer, as they passed one place. */
export interface Exchange {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly body: string
  readonly answer: { readonly status: number; readonly headers: Headers; readonly text: string }
}

/** Listens on a free port of this machine. */
export async function listenOn(server: Server): Promise<{ url: string; close: () => Promise<void> }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** Stands between a client and the gateway: numbers the requests, passes all on and keeps what it saw. */
export async function startWatch(target: string) {
  const exchanges = new Map<string, Exchange>()
  let count = 0
  const server = createServer((incoming, outgoing) => {
    const number = String(++count)
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const bytes = Buffer.concat(chunks)
      const { method = '', url: path = '', rawHeaders, headers } = incoming
      const { host } = new URL(target)
      const own = rawHeaders.map((value, i) =>
        /^host$/i.test(rawHeaders[i - (i % 2)] ?? '') && i % 2 === 1 ? host : value,
      )
      const options = { method, headers: [...own, 'x-bench', number] }
      const passed = overHttp(new URL(path, target), options, (answer) => {
        const { statusCode: status = 0 } = answer
        outgoing.writeHead(status, answer.statusMessage, answer.rawHeaders)
        const pieces: Buffer[] = []
        answer.on('data', (piece: Buffer) => {
          pieces.push(piece)
          outgoing.write(piece)
        })
        answer.on('end', () => outgoing.end())
        // A client may leave as soon as it has read the last event.
        outgoing.on('close', () => {
          const text = Buffer.concat(pieces).toString('utf8')
          const body = bytes.toString('utf8')
          exchanges.set(number, {
            method,
            path,
            headers,
            body,
            answer: { status, headers: answer.headers, text },
          })
        })
        answer.on('error', () => outgoing.destroy())
      })
      passed.on('error', () => outgoing.destroy())
      outgoing.on('close', () => outgoing.writableFinished || passed.destroy())
      passed.end(bytes)
    })
  })
  return { exchanges, ...(await listenOn(server)) }
}

/** What belongs to one connection, or carries a key: `host`, lengths, dates, and what the gateway says it changes. */
const OWN =
  /^(?:host|connection|keep-alive|content-length|transfer-encoding|date|accept-encoding|expect|authorization|x-api-key|x-goog-api-key|x-bench|x-loam-[a-z-]+)$/
const alikeHeaders = (headers: Headers): string =>
  JSON.stringify(
    Object.entries(headers)
      .filter(([name]) => !OWN.test(name))
      .sort(([a], [b]) => a.localeCompare(b)),
  )

/** What memory put into a request, as it stands in JSON: at the head of a string, or as a part of its own. */
const PART = /\{"(?:type":"(?:text|input_text)",")?text":"<memory from=\\"loam\\">(?:[^"\\]|\\.)*"\},/g
const TEXT = /<memory from=\\"loam\\">(?:[^"\\]|\\.)*?<\/memory>\\n\\n/g

/** A request's body without what memory put into it. */
export const withoutMemory = (body: string): string => body.replace(PART, '').replace(TEXT, '')

/** What is different between what a client sent and got and what the server got and said; nothing where they are alike but for memory. */
export function differences(here: Exchange, there: Exchange | undefined): string[] {
  if (!there) return ['the server never got it']
  // What a hook told the client stands on both sides.
  const [one, other] = [here, there].map(({ body }) => withoutMemory(body))
  return [
    here.method === there.method && here.path === there.path ? '' : `path ${here.path} / ${there.path}`,
    alikeHeaders(here.headers) === alikeHeaders(there.headers) ? '' : 'headers of the request',
    one === other ? '' : 'body',
    here.answer.status === there.answer.status ? '' : `status ${here.answer.status} / ${there.answer.status}`,
    alikeHeaders(here.answer.headers) === alikeHeaders(there.answer.headers) ? '' : 'headers of the answer',
    here.answer.text === there.answer.text ? '' : 'answer',
  ].filter((part) => part !== '')
}
