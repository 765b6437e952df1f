import { expect, it } from 'vitest'
import { loam } from './loam-process'

it('a command goes on to its end when nobody reads any more', { timeout: 120_000 }, async () => {
  const { child, ended } = loam('verify-env', 'lab-db', 'house-rules-a', '--json')
  child.stdout?.destroy()
  const { code, err } = await ended
  expect({ code, broken: err.includes('EPIPE') }).toEqual({ code: 0, broken: false })
})
