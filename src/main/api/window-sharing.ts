import type { ServedNowInfo } from '../../shared/domain/sharing'
import type { App } from '../app'
import type { ServedNow } from '../share/serving'
import { serveKb } from './serve-kb'
import { serveMemory } from './serve-memory'
import { serveProxy } from './serve-proxy'

/** The newest requests that are shown of each. */
const MOST_REQUESTS = 50

/** Something that is served, as the window shows it. */
export const servedInfo = ({
  id,
  what,
  since,
  said: { url, key, memory },
  requests,
}: ServedNow): ServedNowInfo => ({
  id,
  what,
  since,
  url,
  key,
  memory,
  requests: requests().slice(0, MOST_REQUESTS),
})

/** What a person starts in the window. */
export interface StartInput {
  readonly memoryId: string
  readonly what: 'memory' | 'proxy' | 'experiences'
  readonly port: number
  readonly write: boolean
  readonly hold: boolean
  readonly tokenless: boolean
  readonly model: string | null
}

/** Serves a memory until it is stopped or Loam closes. */
export async function startServing(app: App, { what, ...input }: StartInput): Promise<ServedNowInfo> {
  const givenInput = { ...input, client: null }
  const now = await app.serving.start((signal) =>
    what === 'memory'
      ? serveMemory(app, givenInput, signal)
      : what === 'experiences'
        ? serveKb(app, givenInput, signal)
        : serveProxy(app, { ...givenInput, contextSize: null, terms: {}, clients: {} }, signal),
  )
  return servedInfo(now)
}
