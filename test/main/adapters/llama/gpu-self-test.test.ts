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
/** What llama.cpp was asked to be started for, and what kinds of card the made-up machine has. */
const targets: unknown[] = []
let present: string[] = []
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
  getLlamaGpuTypes: async () => present,
  getLlama: async ({ gpu }: { gpu: 'auto' | 'cuda' | 'vulkan' | 'metal' | false }) => {
    targets.push(gpu)
    if (gpu === 'vulkan') throw new Error('Failed to load the Vulkan driver')
    return llamaOn(gpu === false ? false : 'cuda')
  },
}))

const llamaOn = (gpu: 'cuda' | false) => ({
  gpu,
  loadModel: async ({ gpuLayers }: { gpuLayers: 'max' | 0 }) =>
    modelOn(gpuLayers === 'max' ? 'card' : 'processor'),
  dispose: async () => void disposed.push(gpu === false ? 'llama on the processor' : 'llama on the card'),
})

beforeEach(() => {
  disposed.length = 0
  targets.length = 0
  present = ['cuda']
  reads.length = 0
})

const start = async (shares: Shares | Error) => {
  card = shares
  const log = vi.fn()
  const runtime = new LlamaRuntime(log)
  const { gpu } = await runtime.for({ gpuLayers: 'auto', gpuBackend: 'auto' })
  return { runtime, gpu, log }
}

describe('a graphics card', () => {
  it('is used where it computes what the processor does, which is tried out once', async () => {
    const { runtime, gpu, log } = await start(ROUNDED)
    expect({ gpu, absence: runtime.gpuAbsence }).toEqual({ gpu: 'cuda', absence: null })
    expect(await runtime.for({ gpuLayers: 'max', gpuBackend: 'auto' })).toMatchObject({ gpu: 'cuda' })
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
    expect(await runtime.for({ gpuLayers: 'max', gpuBackend: 'auto' })).toMatchObject({ gpu: false })
    expect(reads.filter(({ place }) => place === 'card')).toHaveLength(1)
  })

  it('is spoken to by what a person chose, and tried out all the same', async () => {
    card = ROUNDED
    const runtime = new LlamaRuntime(() => undefined)
    const chosen = await runtime.for({ gpuLayers: 'auto', gpuBackend: 'cuda' })
    expect({ gpu: chosen.gpu, absence: runtime.gpuAbsence }).toEqual({ gpu: 'cuda', absence: null })
    expect(await runtime.for({ gpuLayers: 4, gpuBackend: 'cuda' })).toBe(chosen)
    expect(targets).toEqual(['cuda'])
    expect(reads).toHaveLength(2)
    // Another choice starts it anew.
    await runtime.for({ gpuLayers: 'auto', gpuBackend: 'auto' })
    expect(targets).toEqual(['cuda', 'auto'])
    expect(disposed.at(-3)).toBe('llama on the card')
  })

  it('that was chosen and cannot be used is refused with the reason, and nothing takes its place', async () => {
    card = ROUNDED
    const runtime = new LlamaRuntime(() => undefined)
    const refusal = (gpuBackend: 'vulkan' | 'metal') =>
      runtime.for({ gpuLayers: 'auto', gpuBackend }).catch((error: unknown) => error)
    expect(await refusal('vulkan')).toMatchObject({
      code: 'MODEL_LOAD',
      why: 'This machine has no Vulkan that llama.cpp can use.',
      suggestion: expect.stringContaining('Automatic') as unknown,
    })
    // Something else answers: it is let go.
    expect(await refusal('metal')).toMatchObject({ why: 'This machine has no Metal that llama.cpp can use.' })
    expect(disposed).toEqual(['llama on the card'])
    present = ['cuda', 'metal']
    expect(await refusal('metal')).toMatchObject({
      why: 'llama.cpp could not use Metal (it does not say why).',
    })
    expect(targets).toEqual(['vulkan', 'metal', 'metal'])
  })

  it('is not touched where the processor is chosen', async () => {
    const runtime = new LlamaRuntime(() => undefined)
    expect(await runtime.for({ gpuLayers: 'cpu', gpuBackend: 'vulkan' })).toMatchObject({ gpu: false })
    expect(targets).toEqual([false])
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
