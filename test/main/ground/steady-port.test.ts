import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { atPort } from '../../../src/main/ground/steady-port'
import { LoamError } from '../../../src/shared/errors'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-port-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Ports that other programs have. */
const machine = (taken: readonly number[], free = 5000) => {
  const tried: number[] = []
  const start = (port: number): Promise<{ port: number }> => {
    tried.push(port)
    return taken.includes(port)
      ? Promise.reject(new LoamError('CONFLICT', 'Taken.', { suggestion: 'Choose another.' }))
      : Promise.resolve({ port: port === 0 ? free : port })
  }
  return { tried, start }
}

it('a page has the port of the last time, and another one where that is taken', async () => {
  expect((await atPort(0, folder, machine([]).start)).port).toBe(5000)
  const again = machine([], 6000)
  expect((await atPort(0, folder, again.start)).port).toBe(5000)
  expect(again.tried).toEqual([5000])
  const busy = machine([5000], 7000)
  expect((await atPort(0, folder, busy.start)).port).toBe(7000)
  expect((await atPort(0, folder, machine([], 8000).start)).port).toBe(7000)
})

it('a port that is asked for is that one or none', async () => {
  expect((await atPort(4000, folder, machine([]).start)).port).toBe(4000)
  await expect(atPort(4000, folder, machine([4000]).start)).rejects.toMatchObject({ code: 'CONFLICT' })
})
