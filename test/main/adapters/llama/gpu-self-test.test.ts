import { beforeEach, describe, expect, it, vi } from 'vitest'
import { LARGEST_DIFFERENCE, largestDifference } from '../../../../src/main/adapters/llama/gpu-self-test'
import { LlamaRuntime } from '../../../../src/main/adapters/llama/llama-runtime'

type Shares = ReadonlyMap<number, number>
const EVEN: Shares = new Map([
  [1, 0.5],
  [2, 0.5],
])
const ROUNDED: Shares = new Map([
  [1, 0.53],
  [2, 0.47],
])
const OTHER: Shares = new Map([
  [2, 0.1],
  [3, 0.9],
])
const BROKEN: Shares = new Map([
  [1, NaN],
  [2, NaN],
])

/** What the made-up card reads, or how it fails; the processor always reads `EVEN`. */
let card: Shares | Error
const disposed: string[] = []
const reads: { place: string; tokens: number }[] = []

const modelOn = (place: string) => ({
  createContext: async () => ({
    getSequence: () => ({
      controlledEvaluate: async (text: readonly unknown[]) => {
        reads.push({ place, tokens: text.length })
        if (place === 'card' && card instanceof Error) throw card
        return text.map(() => ({ next: { probabilities: place === 'card' ? card : EVEN } }))
      },
    }),
  }),
  dispose: async () => void disposed.push(`model on the ${place}`),
})
vi.mock('node-llama-cpp', () => ({
  LlamaLogLevel: { warn: 'warn' },
  NoBinaryFoundError: class extends Error {},
  getLlamaGpuTypes: async () => ['cuda'],
  getLlama: async ({ gpu }: { gpu: 'auto' | false }) => ({
    gpu: gpu === 'auto' ? 'cuda' : false,
    loadModel: async ({ gpuLayers }: { gpuLayers: 'max' | 0 }) =>
      modelOn(gpuLayers === 'max' ? 'card' : 'processor'),
    dispose: async () => void disposed.push(gpu === 'auto' ? 'llama on the card' : 'llama on the processor'),
  }),
}))

beforeEach(() => {
  disposed.length = 0
  reads.length = 0
})

const start = async (shares: Shares | Error) => {
  card = shares
  const log = vi.fn()
  const runtime = new LlamaRuntime(log)
  const { gpu } = await runtime.for('auto')
  return { runtime, gpu, log }
}

describe('a graphics card', () => {
  it('is used where it computes what the processor does, which is tried out once', async () => {
    const { runtime, gpu, log } = await start(ROUNDED)
    expect({ gpu, absence: runtime.gpuAbsence }).toEqual({ gpu: 'cuda', absence: null })
    expect(await runtime.for('max')).toMatchObject({ gpu: 'cuda' })
    // Fewer than 32 tokens, from which on a card computes for the processor too.
    expect(reads).toEqual([
      { place: 'card', tokens: 24 },
      { place: 'processor', tokens: 24 },
    ])
    expect(disposed).toEqual(['model on the card', 'model on the processor'])
    expect(log).not.toHaveBeenCalled()
  })

  it.each([
    [
      'computes something else',
      OTHER,
      /^CUDA computes something else than the processor \(90 % of probability/,
    ],
    [
      'computes no numbers',
      BROKEN,
      /^CUDA computes something else than the processor \(100 % of probability/,
    ],
    ['fails', new Error('device lost'), /^CUDA could not be tried out \(Error: device lost\)/],
  ] as const)('that %s is left for the processor, in words', async (_what, shares, words) => {
    const { runtime, gpu, log } = await start(shares)
    expect(gpu).toBe(false)
    expect(runtime.gpuAbsence).toMatch(words)
    expect(runtime.gpuAbsence).toMatch(/so models work on the CPU\. .* driver/)
    expect(log.mock.calls).toEqual([['error', runtime.gpuAbsence]])
    expect(disposed).toContain('model on the card')
    expect(disposed.at(-1)).toBe('llama on the card')
    // It stays so until the next start.
    expect(await runtime.for('max')).toMatchObject({ gpu: false })
    expect(reads.filter(({ place }) => place === 'card')).toHaveLength(1)
  })

  it('is not touched where the processor is chosen', async () => {
    const runtime = new LlamaRuntime(() => undefined)
    expect(await runtime.for('cpu')).toMatchObject({ gpu: false })
    expect({ reads, absence: runtime.gpuAbsence }).toEqual({ reads: [], absence: null })
  })
})

describe('two readings', () => {
  it('differ by the share of probability that lies elsewhere, at the worst token', () => {
    expect(largestDifference([EVEN, EVEN], [EVEN, ROUNDED])).toBeCloseTo(0.03)
    expect(largestDifference([EVEN, OTHER], [EVEN, EVEN])).toBeCloseTo(0.9)
    expect(largestDifference([EVEN], [BROKEN])).toBe(1)
    expect(largestDifference([], [])).toBe(1)
    expect(largestDifference([new Map()], [new Map()])).toBe(1)
    expect(LARGEST_DIFFERENCE).toBeLessThan(0.9)
  })
})
