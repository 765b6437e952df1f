import { request as overHttp, type IncomingMessage } from 'node:http'
import { request as overHttps } from 'node:https'
import { isGeminiCall } from './dialects/gemini'
import type { UpstreamDialect } from './translate'

/** A server that requests are passed on to. */
export interface Upstream {
  /** Without a slash at its end. */
  readonly base: URL
  /** Its key, for clients that send none of their own; null for none. */
  readonly key: string | null
  /** What it speaks; null: every request passes as it is. */
  readonly dialect: UpstreamDialect | null
}

/** A request as it is passed on. `headers`: name and value in turns, as they came. */
export interface Passage {
  readonly method: string
  /** Path with its query. */
  readonly path: string
  readonly headers: readonly string[]
  readonly body: Uint8Array
  readonly signal: AbortSignal
}

/** What belongs to one connection and not to the request or answer. */
const HOP = /^(?:connection|keep-alive|proxy-[a-z-]+|te|trailer|transfer-encoding|upgrade)$/i
/** What is said anew, or is Loam's own. */
const OWN = /^(?:host|content-length|accept-encoding|expect|origin|x-loam-[a-z-]+)$/i
/** A part of a path that names a version of a protocol: `v1`, `v1beta`. */
const VERSION = /^v\d{1,3}[a-z0-9]{0,12}$/

export type Header = readonly [name: string, value: string]

/** Headers in pairs, without those that a pattern names. */
export const headersBut = (raw: readonly string[], pattern: RegExp): Header[] =>
  raw.flatMap((name, i): Header[] =>
    i % 2 === 0 && !HOP.test(name) && !pattern.test(name) ? [[name, raw[i + 1] ?? '']] : [],
  )

/** The address of a client's path: a version that the base names already is not said twice. */
export function addressOf({ base }: Pick<Upstream, 'base'>, path: string): URL {
  const own = base.pathname.split('/').filter((part) => part !== '')
  const [first = '', ...rest] = path.split('/').slice(1)
  const isVersioned = VERSION.test(first) && rest.length > 0
  // What has no version of its own stands beside the versioned paths, as Ollama's does.
  const prefix = !isVersioned && VERSION.test(own.at(-1) ?? '') ? own.slice(0, -1) : own
  const names = own.some((part) => VERSION.test(part)) && isVersioned ? rest : [first, ...rest]
  return new URL(`${base.origin}/${[...prefix, ...names].join('/')}`)
}

/** How a key is said where a path's protocol expects it. */
function keyHeader(path: string, key: string): Header {
  if (/\/messages(?:\/|\?|$)/.test(path)) return ['x-api-key', key]
  return isGeminiCall(path) ? ['x-goog-api-key', key] : ['authorization', `Bearer ${key}`]
}

/** Passes a request on and answers with what the server begins to say. `withKey`: with the upstream's own key. @throws what the connection fails with */
export function passOn(
  upstream: Upstream,
  { method, path, headers, body, signal }: Passage,
  withKey: boolean,
): Promise<IncomingMessage> {
  const address = addressOf(upstream, path)
  const list: Header[] = [
    ['host', address.host],
    ...headersBut(headers, OWN),
    // Compressed bytes could not be read; they would still pass.
    ['accept-encoding', 'identity'],
    ...(withKey && upstream.key !== null ? [keyHeader(path, upstream.key)] : []),
    ...(body.length > 0 || method === 'POST' ? [['content-length', String(body.length)] as const] : []),
  ]
  return new Promise((resolve, reject) => {
    const start = address.protocol === 'https:' ? overHttps : overHttp
    const request = start(address, { method, headers: list.flat(), signal }, resolve)
    request.on('error', reject)
    request.end(body)
  })
}
