import { timingSafeEqual } from 'node:crypto'
import { findKey, type ProgramKey } from './program-keys'
import { bearerOf, digest, newSecret } from './secrets'

/** Who a request's key was given to. */
export interface KeyHolder {
  readonly name: string
  readonly mayWrite: boolean
  /** Whether it is the server's own. */
  readonly isOwn: boolean
}

/** The keys that a server takes: one of its own, made when it starts, and the keys of the data folder. */
export type KeyRing = ReturnType<typeof createKeyRing>

/** Makes it; `name` is who uses the server's own key. Keys are read for each request, so that a removed one stops working at once. */
export function createKeyRing(name: string, keys: () => Promise<readonly ProgramKey[]>) {
  const key = newSecret()
  const bytes = digest(key)
  return {
    /** The server's own key. */
    key,
    /** Null when an authorization header carries no key that counts. */
    async holder(header: string | undefined): Promise<KeyHolder | null> {
      const inputText = bearerOf(header)
      if (inputText === undefined) return null
      if (timingSafeEqual(digest(inputText), bytes)) return { name, mayWrite: true, isOwn: true }
      const key = findKey(await keys(), inputText)
      return key?.scopes.includes('read') === true
        ? { name: key.name, mayWrite: key.scopes.includes('write'), isOwn: false }
        : null
    },
  }
}
