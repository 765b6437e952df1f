import { describe, expect, it } from 'vitest'
import { calibrate, threadsByWork } from '../../../../src/main/adapters/llama/choose-threads'
import { fastest, processorChoices } from '../../../../src/main/ground/machine'

describe('how many threads a model is worked out with', () => {
  it('is tried with one, half of the processors and all', () => {
    expect(processorChoices(16)).toEqual([1, 8, 16])
    expect(processorChoices(2)).toEqual([1, 2])
    expect(processorChoices(1)).toEqual([1])
  })

  it('is the fewest that nothing beats by more than a tenth', () => {
    expect(
      fastest([
        [1, 100],
        [8, 95],
        [16, 94],
      ]),
    ).toBe(1)
    expect(
      fastest([
        [1, 100],
        [8, 20],
        [16, 19],
      ]),
    ).toBe(8)
    expect(
      fastest([
        [1, 100],
        [8, 30],
        [16, 20],
      ]),
    ).toBe(16)
    expect(
      fastest([
        [1, 10],
        [2, 400],
      ]),
    ).toBe(1)
  })

  it('is chosen apart for reading and for writing', async () => {
    const clock = { ms: 0 }
    const trial = (msOf: (threads: number) => number, tokens: number) => (threads: number) => {
      clock.ms += msOf(threads) * tokens
      return Promise.resolve(msOf(threads))
    }
    // Reading gains from every processor; writing waits for memory, and more threads wait for each other.
    const trials = { read: trial((n) => 8 / n, 32), write: trial((n) => (n > 4 ? 30 : 20), 6) }
    // Tokens in a second with those: one in 1 ms, one in 20.
    expect(await calibrate([1, 4, 8], trials, false, () => clock.ms)).toEqual({
      ...{ threads: { reading: 8, writing: 1 }, rates: { reading: 1000, writing: 50 } },
    })
    expect(clock.ms).toBeLessThan(2000)
  })

  it('is found within three seconds, however slow a model is', async () => {
    const clock = { ms: 0 }
    const tries: string[] = []
    const slow = (kind: string, tokens: number) => (threads: number) => {
      tries.push(`${kind} ${threads}`)
      clock.ms += (1300 / threads) * tokens
      return Promise.resolve(1300 / threads)
    }
    const trials = { read: slow('read', 32), write: slow('write', 1) }
    // Nothing is said of reading, which nobody had the time to try.
    expect(await calibrate([1, 4, 8], trials, false, () => clock.ms)).toEqual({
      ...{ threads: { reading: 8, writing: 8 }, rates: { reading: null, writing: 1000 / (1300 / 8) } },
    })
    expect(tries.slice(0, 3)).toEqual(['write 8', 'write 4', 'write 1'])
    expect(clock.ms).toBeLessThanOrEqual(3000)
  })

  it('is fewer where a busy machine has time for one trial alone: threads that wait for each other are far slower', async () => {
    const trialsOf = (clock: { ms: number }, wait: number) => {
      const trial = (threads: number) => {
        const ms = threads === 2 ? wait : 20
        clock.ms += ms
        return Promise.resolve(ms)
      }
      return { read: trial, write: trial }
    }
    const [late, early] = [{ ms: 0 }, { ms: 0 }]
    // One thread is tried even where it might take twice as long.
    expect((await calibrate([1, 2], trialsOf(early, 900), true, () => early.ms)).threads.writing).toBe(1)
    const { threads, rates } = await calibrate([1, 2], trialsOf(late, 1600), true, () => late.ms)
    expect(threads).toEqual({ reading: 1, writing: 1 })
    expect(rates.writing).toBe(1000 / 1600)
    late.ms = 0
    expect((await calibrate([1, 2], trialsOf(late, 1600), false, () => late.ms)).threads.writing).toBe(2)
  })

  it('is set for each batch by how many rows it has', async () => {
    const log: string[] = []
    const native = {
      initBatch: (rows: number) => void log.push(`rows ${rows}`),
      setThreads: (threads: number) => void log.push(`threads ${threads}`),
      decodeBatch: () => Promise.resolve(log.push('decode')),
    }
    const counts = threadsByWork(native, { reading: 8, writing: 2 })
    const batch = async (rows: number): Promise<void> => {
      native.initBatch(rows)
      native.setThreads(99)
      await native.decodeBatch()
    }
    await batch(48)
    await batch(1)
    counts.use({ reading: 4, writing: 1 })
    await batch(16)
    expect(log.filter((line) => line.startsWith('threads'))).toEqual(['threads 8', 'threads 2', 'threads 4'])
  })
})
