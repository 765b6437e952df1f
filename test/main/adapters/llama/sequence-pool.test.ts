import type { LlamaContext, LlamaContextSequence, Token } from 'node-llama-cpp'
import { describe, expect, it } from 'vitest'
import { noteRead, SequencePool, type SequenceUse } from '../../../../src/main/adapters/llama/sequence-pool'

/** A sequence that keeps tokens and computes nothing. */
class FakeSequence {
  contextTokens: Token[] = []
  get nextTokenIndex(): number {
    return this.contextTokens.length
  }
  eraseContextTokenRanges([range]: { start: number; end: number }[]): Promise<void> {
    this.contextTokens = this.contextTokens.slice(0, range?.start)
    return Promise.resolve()
  }
}

const open = (totalSequences: number, reserve: number): SequencePool =>
  new SequencePool(
    {
      totalSequences,
      getSequence: () => new FakeSequence() as unknown as LlamaContextSequence,
    } as LlamaContext,
    true,
    reserve,
  )

const tokens = (from: number, count: number): Token[] =>
  Array.from({ length: count }, (_, i) => (from + i) as Token)

/** Reads a prompt and writes `reply` behind it; answers how many tokens of the prompt were there already. */
async function call(pool: SequencePool, use: SequenceUse, prompt: Token[], reply: Token[] = []) {
  const pooled = await pool.acquire(prompt, use)
  const reused = await pool.adapt(pooled, prompt, use.reuse)
  const sequence = pooled.sequence as unknown as FakeSequence
  sequence.contextTokens = [...prompt, ...reply]
  noteRead(pooled, prompt.length)
  pool.release(pooled)
  return reused
}

const RUN: SequenceUse = { lane: 'run', first: false, reuse: 'exact' }
const ASK: SequenceUse = { lane: 'ask', first: true, reuse: 'exact' }
const PROGRAM: SequenceUse = { ...ASK, lane: 'program' }

describe('sequences of one context', () => {
  it('keep what a run, asks and programs read apart, whoever comes in between', async () => {
    const pool = open(3, 2)
    const system = { run: tokens(0, 160), ask: tokens(1000, 96), program: tokens(5000, 320) }
    await call(pool, RUN, [...system.run, ...tokens(200, 40)])
    await call(pool, ASK, [...system.ask, ...tokens(1200, 20)])
    await call(pool, PROGRAM, [...system.program, ...tokens(5400, 20)])
    // Another prompt of the run's lane, such as a writer's, takes nobody else's.
    await call(pool, RUN, tokens(9000, 50))
    expect(await call(pool, ASK, [...system.ask, ...tokens(1300, 20)])).toBe(96)
    expect(await call(pool, PROGRAM, [...system.program, ...tokens(5500, 20)])).toBe(320)
    await call(pool, RUN, [...system.run, ...tokens(300, 40)])
    await call(pool, ASK, [...system.ask, ...tokens(1400, 20)])
    expect(await call(pool, RUN, [...system.run, ...tokens(400, 40)])).toBe(160)
  })

  it('are taken from another lane only where there is no other', async () => {
    const pool = open(2, 1)
    const [run, ask] = [tokens(0, 64), tokens(1000, 64)]
    await call(pool, ASK, ask)
    await call(pool, RUN, run)
    // The asks’ was used longer ago.
    await call(pool, PROGRAM, tokens(5000, 64))
    expect(await call(pool, RUN, [...run, ...tokens(100, 8)])).toBe(64)
  })

  it('answer exactly from what was read, and fast also from what was written', async () => {
    const [prompt, reply, more] = [tokens(0, 70), tokens(500, 30), tokens(800, 25)]
    const exact = open(1, 0)
    await call(exact, RUN, prompt, reply)
    expect(await call(exact, RUN, [...prompt, ...reply, ...more])).toBe(64)
    const fast = open(1, 0)
    await call(fast, { ...ASK, reuse: 'fast' }, prompt, reply)
    expect(await call(fast, { ...ASK, reuse: 'fast' }, [...prompt, ...reply, ...more])).toBe(100)
    // What was read behind written tokens is no base for an exact call.
    expect(await call(fast, ASK, [...prompt, ...reply, ...more, ...tokens(900, 40)])).toBe(64)
  })
})
