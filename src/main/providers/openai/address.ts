import { LoamError } from '../../../shared/errors'
import { isLoopback } from '../../net/address'

function withoutLastSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}

/** A server's base address without a slash at its end. @throws LoamError `BAD_INPUT` */
export function baseAddress(text: string): URL {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw bad(text)
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw bad(text)
  if (url.username !== '' || url.password !== '') {
    throw new LoamError('BAD_INPUT', 'The address holds a name or a password.', {
      suggestion: 'Give the key by --key-env, or add a connection: it is kept apart from addresses then.',
    })
  }
  url.hash = ''
  url.search = ''
  url.pathname = withoutLastSlashes(url.pathname)
  return url
}

const bad = (text: string): LoamError =>
  new LoamError('BAD_INPUT', `${text} is no address of a server.`, {
    suggestion: 'For example openai:qwen3@http://127.0.0.1:11434/v1.',
  })

/** `path` below a base address. */
export const below = (base: URL, path: string): string => `${withoutLastSlashes(base.href)}/${path}`

/** `path` beside a base address that ends in `/v1`: where servers keep what is not OpenAI's. */
export const beside = (base: URL, path: string): string =>
  `${withoutLastSlashes(base.href).replace(/\/v\d+$/, '')}/${path}`

/** Whether a server runs on this very machine. */
export function isOnThisMachine({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return host === 'localhost' || host.endsWith('.localhost') || isLoopback(host)
}

/**
 * Lets only servers on this machine through while the network is off, and says what would leave the machine.
 * @throws LoamError `NETWORK_OFF`
 */
export function requireNetwork(base: URL, allowed: boolean): void {
  if (allowed || isOnThisMachine(base)) return
  throw new LoamError('NETWORK_OFF', `${base.host} is not on this machine.`, {
    suggestion: `Turn the network on in Settings if you want that. ${base.host} then gets every prompt of a run: tasks, what was recalled from memory, and what tools answered.`,
  })
}
