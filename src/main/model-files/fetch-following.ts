import { LoamError } from '../../shared/errors'
import { isLoopback } from '../net/address'

const MOST_REDIRECTS = 6

/** Why nothing is asked while the network is off. */
export const networkOff = (): LoamError =>
  new LoamError('NETWORK_OFF', 'Loam may not connect to anything.', {
    suggestion: 'Turn the network on in Settings if you want to find and download models.',
  })

/** Whether an address may be downloaded from: https, or http on this very machine. */
export function isSafeSource(url: URL): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return url.protocol === 'https:' || (url.protocol === 'http:' && (host === 'localhost' || isLoopback(host)))
}

/**
 * GET that follows redirects by hand: each step has to be a safe source, and a key goes to the first host alone.
 * @throws LoamError `DOWNLOAD` for an address that is not used, TypeError from the connection, AbortError
 */
export async function fetchFollowing(
  start: string,
  {
    headers = {},
    key,
    signal,
  }: { headers?: Record<string, string>; key?: string | null; signal?: AbortSignal },
): Promise<Response> {
  let url = new URL(start)
  const { origin } = url
  for (let hops = 0; ; hops++) {
    if (!isSafeSource(url))
      throw new LoamError('DOWNLOAD', `${url.href} is not an https address.`, {
        suggestion: 'Only encrypted sources are used.',
      })
    const response = await fetch(url, {
      headers: { ...headers, ...(key && url.origin === origin && { authorization: `Bearer ${key}` }) },
      redirect: 'manual',
      signal,
    })
    const location = response.headers.get('location')
    if (response.status < 300 || response.status > 399 || location === null) return response
    await response.body?.cancel()
    if (hops >= MOST_REDIRECTS)
      throw new LoamError('DOWNLOAD', `${start} leads from one address to the next without end.`, {
        suggestion: 'Try another source.',
      })
    url = new URL(location, url)
  }
}
