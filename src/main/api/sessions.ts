import { timingSafeEqual } from 'node:crypto'
import { digest, newSecret } from './secrets'

/** Browsers that may have a session at a time; the oldest has to go when one more comes. */
const MAX_SESSIONS = 32

/**
 * Who may talk to the host: a one-time token, shown to the person, is traded for a session that lives as long as the
 * host. Only hashes are kept, and they are compared in constant time.
 */
export class Sessions {
  private token: Buffer | null = null
  private sessions: Buffer[] = []

  /** A fresh one-time token (32 random bytes, base64url). Any token given out before stops working. */
  mintKey(): string {
    const token = newSecret()
    this.token = digest(token)
    return token
  }

  /** Trades the token for a session's secret; null when it is not the current token or was used before. */
  exchange(token: string): string | null {
    if (this.token === null || !timingSafeEqual(this.token, digest(token))) return null
    this.token = null
    const session = newSecret()
    this.sessions = [...this.sessions, digest(session)].slice(-MAX_SESSIONS)
    return session
  }

  /** Whether this is the secret of a session. */
  accepts(session: string | undefined): boolean {
    if (session === undefined) return false
    const buffer = digest(session)
    // Every session is compared, so that the time taken tells nothing about which one matched.
    return this.sessions.reduce((isFound, bytes) => timingSafeEqual(bytes, buffer) || isFound, false)
  }
}
