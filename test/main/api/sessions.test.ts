import { describe, expect, it } from 'vitest'
import { Sessions } from '../../../src/main/api/sessions'

describe('Sessions', () => {
  it('trades a token once for a session that is then accepted', () => {
    const sessions = new Sessions()
    const token = sessions.mintKey()
    const session = sessions.exchange(token)
    expect(session).not.toBeNull()
    expect(session).not.toBe(token)
    expect(sessions.accepts(session ?? '')).toBe(true)
    expect(sessions.exchange(token)).toBeNull()
  })

  it('makes tokens of 32 random bytes', () => {
    const sessions = new Sessions()
    const tokens = new Set(Array.from({ length: 20 }, () => sessions.mintKey()))
    expect(tokens.size).toBe(20)
    for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32)
  })

  it('accepts nothing else', () => {
    const sessions = new Sessions()
    expect(sessions.exchange('')).toBeNull()
    const old = sessions.mintKey()
    sessions.mintKey()
    expect(sessions.exchange(old)).toBeNull()
    expect(sessions.accepts(undefined)).toBe(false)
    expect(sessions.accepts('')).toBe(false)
    expect(sessions.accepts(old)).toBe(false)
  })

  it('lets the oldest session go when there are too many', () => {
    const sessions = new Sessions()
    const all = Array.from({ length: 33 }, () => sessions.exchange(sessions.mintKey()) ?? '')
    expect(all.map((session) => sessions.accepts(session))).toEqual([false, ...Array(32).fill(true)])
  })
})
