import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { findKey, type ProgramKey } from './program-keys'

/** Who a request's key was given to. */
export interface KeyHolder {
  readonly name: string
  readonly mayWrite: boolean
  /** Whether it is the server's own. */
  readonly isOwn: boolean
}

/** The keys that a server takes: one of its own, made when it starts, and the keys of the data folder. */
export type KeyRing = ReturnType<typeof createKeyRing>

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Makes it; `name` is who uses the server's own key. Keys are read for each request, so that a removed one stops working at once. */
export function createKeyRing(name: string, keys: () => Promise<readonly ProgramKey[]>) {
  const key = randomBytes(32).toString('base64url')
  const bytes = digest(key)
  return {
    /** The server's own key. */
    key,
    /** Null when an authorization header carries no key that counts. */
    async holder(header: string | undefined): Promise<KeyHolder | null> {
      const inputText = /^Bearer\s+(\S{1,256})$/i.exec(header ?? '')?.[1]
      if (inputText === undefined) return null
      if (timingSafeEqual(digest(inputText), bytes)) return { name, mayWrite: true, isOwn: true }
      const key = findKey(await keys(), inputText)
      return key?.scopes.includes('read') === true
        ? { name: key.name, mayWrite: key.scopes.includes('write'), isOwn: false }
        : null
    },
  }
}
