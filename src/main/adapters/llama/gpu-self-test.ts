import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Llama, Token } from 'node-llama-cpp'
import { createRng } from '../../../core/ground/random'
import { tensorBytes } from '../../gguf/ggml-types'
import { rm } from '../../ground/steady-files'
import { GgmlType } from '../ggml/ggml-type'
import { TINY, type TinyMatrix, writeTinyModel } from '../ggml/tiny-model'

/**
 * The largest share of probability that a graphics card may give to other tokens than the processor does. Kernels round differently, which moves
 * some hundredths; one that computes something else moves most of it.
 */
export const LARGEST_DIFFERENCE = 0.2

/** So few that llama.cpp leaves weights in main memory to the processor: from 32 on a card computes with those as well. */
const TOKENS = 24
/** Of the model, as blocks of 256 values need it. */
const WIDTH = 256

interface BlockShape {
  readonly type: number
  /** In a block. */
  readonly values: number
  /** Bytes of a block where its scales lie, in 16 bits each, and what the first is multiplied by for them. */
  readonly scales: readonly (readonly [offset: number, factor: number])[]
  /** How far values spread whose other bytes are chance, at a scale of 1. */
  readonly spread: number
}

/** Parts of a model in the types that most files have, by how their names begin. */
const BLOCKS: readonly (readonly [part: RegExp, BlockShape])[] = [
  [/\.attn_/, { type: GgmlType.Q8_0, values: 32, scales: [[0, 1]], spread: 74 }],
  // The second scale is that of what is taken off: so the mean is 0.
  [
    /\.ffn_/,
    {
      type: GgmlType.Q4_K,
      values: 256,
      scales: [
        [0, 1],
        [2, 7.5],
      ],
      spread: 257,
    },
  ],
  [/^output\.weight/, { type: GgmlType.Q6_K, values: 256, scales: [[208, 1]], spread: 1366 }],
]

/** A number as 16 bits; for those between 2^-14 and 2^15. */
function half(value: number): number {
  const exponent = Math.floor(Math.log2(value))
  return ((exponent + 15) << 10) + Math.round((value / 2 ** exponent - 1) * 1024)
}

/** Weights by chance in blocks, which spread as far as `values` do; null for parts that stay as they are. */
function inBlocks(name: string, values: Float32Array, shape: readonly number[]): TinyMatrix | null {
  const block = BLOCKS.find(([part]) => part.test(name))?.[1]
  if (!block) return null
  const size = tensorBytes(block.type, [block.values])
  const random = createRng(name)
  const bytes = Buffer.from(
    Array.from({ length: tensorBytes(block.type, shape) }, () => Math.floor(random.next() * 256)),
  )
  const scale =
    Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length) / block.spread
  for (let start = 0; start < bytes.length; start += size)
    for (const [offset, factor] of block.scales) bytes.writeUInt16LE(half(scale * factor), start + offset)
  return { type: block.type, data: bytes }
}

/** A share of probability for every token. */
type Distribution = ReadonlyMap<number, number>

/** The largest share of probability that two readings of the same text differ by, from 0 to 1; 1 where one has no numbers. */
export function largestDifference(some: readonly Distribution[], others: readonly Distribution[]): number {
  if (some.length !== others.length || some.length === 0) return 1
  const differences = some.map((one, index) => {
    const other = others[index] ?? new Map<number, number>()
    const tokens = [...new Set([...one.keys(), ...other.keys()])]
    const apart = tokens.reduce(
      (sum, token) => sum + Math.abs((one.get(token) ?? 0) - (other.get(token) ?? 0)),
      0,
    )
    return tokens.length > 0 && Number.isFinite(apart) ? apart / 2 : 1
  })
  return Math.max(...differences)
}

/**
 * Has a tiny model of chance, whose parts are in the types that most files have, read the same text on the graphics card and on the processor.
 * Answers the largest share of probability that the two differ by (0 to 1); takes a part of a second on a processor.
 */
export async function compareWithProcessor(llama: Llama, seed = 'self-test'): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'loam-gpu-test-'))
  try {
    const modelPath = join(folder, 'tiny.gguf')
    writeTinyModel(modelPath, { architecture: 'llama', width: WIDTH, headWidth: 64, encode: inBlocks })
    const random = createRng(seed)
    const text = Array.from({ length: TOKENS }, () => Math.floor(random.next() * TINY.vocabulary) as Token)
    const read = async (gpuLayers: 'max' | 0): Promise<Distribution[]> => {
      const model = await llama.loadModel({ modelPath, gpuLayers })
      try {
        const sequence = (await model.createContext({ contextSize: 256 })).getSequence()
        const output = await sequence.controlledEvaluate(
          text.map((token) => [token, { generateNext: { probabilities: true } }]),
        )
        return output.map((item) => item?.next.probabilities ?? new Map<number, number>())
      } finally {
        await model.dispose()
      }
    }
    return largestDifference(await read('max'), await read(0))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
