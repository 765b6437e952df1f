import { guardedFetch, RefusedAddress, type Reach } from './guarded-fetch'

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const MOST_REDIRECTS = 5

/** What an address answered, read to its end. */
export interface AddressContent {
  /** Where the answer came from, after redirects. */
  readonly url: string
  readonly type: string
  readonly bytes: Uint8Array
}

/**
 * Reads an address, following at most 5 redirects; each is checked like the first.
 * @throws Error with words for the one who asked, AbortError
 */
export async function readAddress(
  address: string,
  options: {
    readonly reach: Reach
    readonly mostBytes: number
    readonly accept?: string
    readonly signal: AbortSignal
  },
): Promise<AddressContent> {
  const fetchGuarded = guardedFetch(options.reach)
  let url = new URL(address)
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    if (url.username !== '' || url.password !== '')
      throw new RefusedAddress('An address with a name and password in it is not allowed.')
    const response = await fetchGuarded(url, {
      headers: { accept: options.accept ?? '*/*', 'user-agent': 'Loam' },
      signal: options.signal,
    })
    const onward = REDIRECTS.has(response.status) ? response.headers.get('location') : null
    if (onward === null) {
      if (!response.ok)
        throw new Error(`${url.host} answered ${response.status} ${response.statusText}`.trim())
      return {
        url: url.href,
        type: response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '',
        bytes: await readAll(response, options.mostBytes),
      }
    }
    await response.body?.cancel()
    url = new URL(onward, url)
  }
  throw new Error(`More than ${MOST_REDIRECTS} redirects.`)
}

async function readAll(response: Response, mostBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > mostBytes) throw new Error(`The answer is larger than ${mostBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
