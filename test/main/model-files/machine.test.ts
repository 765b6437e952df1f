import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  instructionsIn,
  mayHaveCard,
  measureBandwidth,
  openMachine,
} from '../../../src/main/model-files/machine'

const GB = 1e9
const bare = (ram: number) => ({ ramBytes: ram * GB, cores: 4, processor: 'made up', instructions: [] })

describe('what a machine has for models', () => {
  let folder: string
  let large: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loam-machine-'))
    large = join(folder, 'large.gguf')
    await writeFile(large, 'GGUF')
    // Takes no room on disk.
    await truncate(large, 38.8 * GB)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('refuses a model that is larger than its memory by its size alone, in words', async () => {
    const machine = openMachine(bare(16), () => Promise.resolve(null))
    await expect(machine.requireRoom(large)).rejects.toMatchObject({
      code: 'MODEL_LOAD',
      message: expect.stringContaining(
        'its weights alone are 38.8 GB, and this machine has 16.0 GB of memory',
      ) as unknown,
    })
  })

  it('counts the graphics card, which is asked once and only where it matters', async () => {
    const cards = vi.fn(() => Promise.resolve({ bytes: 24 * GB, name: 'cuda' }))
    const machine = openMachine(bare(16), cards)
    await machine.requireRoom(join(folder, 'not-there.gguf'))
    expect(cards).not.toHaveBeenCalled()
    await machine.requireRoom(large)
    await machine.requireRoom(large)
    expect(cards).toHaveBeenCalledTimes(1)
    expect(await machine.read()).toMatchObject({ ramBytes: 16 * GB, vramBytes: 24 * GB, gpu: 'cuda' })
    expect(cards).toHaveBeenCalledTimes(1)
  })

  it('takes an engine that cannot be asked for no card', async () => {
    const machine = openMachine(bare(64), () => Promise.reject(new Error('no engine')))
    await machine.requireRoom(large)
    expect(await machine.read()).toMatchObject({ vramBytes: null, gpu: null })
  })

  it('asks nobody for cards where Linux has no device of one', () => {
    expect(mayHaveCard('linux', () => false)).toBe(false)
    expect(mayHaveCard('linux', (path) => path === '/dev/dri')).toBe(true)
    expect(mayHaveCard('win32', () => false)).toBe(true)
  })

  it('tries out how fast memory is read', async () => expect(await measureBandwidth()).toBeGreaterThan(1e8))

  describe('keeps that', () => {
    let file: string
    let speed: number
    let busy: boolean
    beforeEach(async () => {
      file = join(await mkdtemp(join(folder, 'kept-')), 'machine.json')
      speed = 1e9
      busy = false
    })
    const measure = () => Promise.resolve((speed += 1e9))
    const start = (ram: number) =>
      openMachine(bare(ram), () => Promise.resolve(null), file, { measure, isBusy: () => busy })
    const read = async (ram: number, isAnew = false) => (await start(ram).read(isAnew)).bandwidth

    it('so that what is advised stays, until the machine is another or a person asks', async () => {
      expect(await read(16)).toBe(2e9)
      expect(await read(16)).toBe(2e9)
      expect(await read(16, true)).toBe(3e9)
      expect(await read(16)).toBe(3e9)
      expect(await read(32)).toBe(4e9)
      await writeFile(file, '{')
      expect(await read(32)).toBe(5e9)
    })

    it('until nobody works any more where others did', async () => {
      busy = true
      const machine = start(16)
      expect(await machine.read()).toMatchObject({ bandwidth: 2e9, busy: true })
      expect(await machine.read()).toMatchObject({ bandwidth: 2e9 })
      expect(await read(16)).toBe(2e9)
      busy = false
      expect(await machine.read()).toMatchObject({ bandwidth: 3e9, busy: false })
      busy = true
      expect(await machine.read()).toMatchObject({ bandwidth: 3e9, busy: false })
      expect(await read(16)).toBe(3e9)
    })
  })

  it('reads sets of instructions as Linux tells them', () => {
    expect(
      instructionsIn('processor\t: 0\nflags\t\t: fpu sse4_2 avx avx2 fma avx512f\nprocessor\t: 1'),
    ).toEqual(['avx', 'avx2', 'avx512f', 'fma'])
    expect(instructionsIn('Features\t: fp asimd i8mm')).toEqual(['asimd', 'i8mm'])
    expect(instructionsIn('')).toEqual([])
  })
})
