import { describe, expect, it } from 'vitest'
import { isLocalHost, isOwnOrigin } from '../../../src/main/api/local-server'

describe('isLocalHost', () => {
  it.each(['127.0.0.1:4000', 'localhost:4000', 'LOCALHOST:4000', '[::1]:4000'])('takes %s', (host) => {
    expect(isLocalHost(host, 4000)).toBe(true)
  })
  it.each([undefined, '', 'evil.example:4000', '127.0.0.1', '127.0.0.1:4001', 'localhost.evil.example:4000'])(
    'refuses %s',
    (host) => expect(isLocalHost(host, 4000)).toBe(false),
  )
  it('takes names without a port on port 80', () => expect(isLocalHost('localhost', 80)).toBe(true))
})

describe('isOwnOrigin', () => {
  it.each([undefined, 'http://127.0.0.1:4000', 'http://localhost:4000'])('takes %s', (origin) => {
    expect(isOwnOrigin(origin, 4000)).toBe(true)
  })
  it.each(['null', '', 'https://127.0.0.1:4000', 'http://127.0.0.1:4001', 'http://evil.example'])(
    'refuses %s',
    (origin) => expect(isOwnOrigin(origin, 4000)).toBe(false),
  )
})
