import { lookup as lookUp, type LookupAddress } from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { isLoopback, isPublic } from './address'

/** Which addresses may be connected to. */
export type Reach = 'loopback' | 'public' | 'any'

/** A connection that was refused before it was made. */
export class RefusedAddress extends Error {
  override readonly name = 'RefusedAddress'
}

const allows: Readonly<Record<Reach, (address: string) => boolean>> = {
  loopback: isLoopback,
  public: isPublic,
  any: () => true,
}

const refusal = (host: string, reach: Reach): RefusedAddress =>
  new RefusedAddress(
    reach === 'loopback'
      ? `${host} is not this machine, and the network is off.`
      : `${host} leads to a private address, which is not allowed.`,
  )

/** Resolves a name and hands on only addresses within reach, so that what is checked is also what is connected to. */
const guardedLookup =
  (reach: Reach): LookupFunction =>
  (host, options, getOutcome) => {
    lookUp(host, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return getOutcome(error, '', 0)
      // One bad address condemns the name: which one is used must not be left to chance.
      const [first] = addresses
      if (!first || !addresses.every(({ address }) => allows[reach](address)))
        return getOutcome(refusal(host, reach), '', 0)
      if (options.all === true) return getOutcome(null, addresses)
      getOutcome(null, first.address, first.family)
    })
  }

/**
 * `fetch` over http(s) that connects only to addresses within `reach`, checked after the name is resolved, for every
 * connection. Redirects are answered as they are, not followed.
 * @throws RefusedAddress, Error from the connection, AbortError
 */
export function guardedFetch(reach: Reach): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return (input, init = {}) => {
    const url = new URL(input)
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      return Promise.reject(
        new RefusedAddress(`${url.protocol} addresses are not allowed, only http and https.`),
      )
    const literal = url.hostname.replace(/^\[|\]$/g, '')
    if (isIP(literal) !== 0 && !allows[reach](literal)) return Promise.reject(refusal(url.hostname, reach))
    const request = url.protocol === 'https:' ? https.request : http.request
    return new Promise<Response>((resolve, reject) => {
      const askedRequest = request(
        url,
        {
          method: init.method ?? 'GET',
          headers: { 'accept-encoding': 'identity', ...Object.fromEntries(new Headers(init.headers)) },
          lookup: guardedLookup(reach),
          // A connection kept from another reach must not be used again.
          agent: false,
          ...(init.signal && { signal: init.signal }),
        },
        (answer) => {
          const headers = new Headers()
          for (const [name, value] of Object.entries(answer.headers)) {
            for (const one of Array.isArray(value) ? value : [value ?? '']) headers.append(name, one)
          }
          const status = answer.statusCode ?? 502
          const empty = status === 204 || status === 205 || status === 304
          if (empty) answer.resume()
          resolve(
            new Response(empty ? null : (Readable.toWeb(answer) as ReadableStream), {
              status,
              statusText: answer.statusMessage ?? '',
              headers,
            }),
          )
        },
      )
      askedRequest.on('error', reject)
      askedRequest.end(typeof init.body === 'string' ? init.body : undefined)
    })
  }
}
