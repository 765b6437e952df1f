import { readFileSync } from 'node:fs'
import { writeGguf, type GgufTensorData, type GgufValue } from '../../src/main/gguf/gguf-writer'

/** Shapes of models that are written here. */
export const ARCHITECTURES = ['llama', 'qwen2', 'qwen3', 'gemma', 'phi3'] as const
export type Architecture = (typeof ARCHITECTURES)[number]

export interface RandomModel {
  readonly architecture: Architecture
  /** A GGUF whose `tokenizer.*` is taken over. */
  readonly vocabulary: string
  /** Null: none. */
  readonly template: string | null
  readonly seed: number
  /** Tokens it likes to say, so that texts in its forms come to an end. Default: none more than others. */
  readonly loud?: readonly string[]
  /** Tokens it is said to have been trained for. Default 4096. */
  readonly context?: number
}

const WIDTH = 64
const HEADS = 4
const KV_HEADS = 2
const HEAD = 16
const INNER = 128
const LAYERS = 2
const F32 = 0
/** How much longer the rows of loud tokens are: about every fourth position then says one of them. */
const LOUD = 6

/** Normal numbers from a seed. */
function normals(seed: number): () => number {
  let state = seed >>> 0
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  return () => Math.sqrt(-2 * Math.log(uniform() + 1e-12)) * Math.cos(2 * Math.PI * uniform())
}

/** The entries of a GGUF whose keys begin with `tokenizer.`. */
export function vocabularyOf(path: string): Record<string, GgufValue> {
  const bytes = readFileSync(path)
  let at = 24
  const u32 = () => bytes.readUInt32LE((at += 4) - 4)
  const u64 = () => Number(bytes.readBigUInt64LE((at += 8) - 8))
  const text = () => {
    const length = u64()
    return bytes.toString('utf8', at, (at += length))
  }
  const sizes: Readonly<Record<number, number>> = { 0: 1, 1: 1, 2: 2, 3: 2, 7: 1, 10: 8, 11: 8, 12: 8 }
  const value = (type: number): GgufValue | null => {
    if (type === 4 || type === 5) return { kind: type === 4 ? 'uint32' : 'int32', value: u32() | 0 }
    if (type === 6) return { kind: 'float32', value: bytes.readFloatLE((at += 4) - 4) }
    if (type === 7) return { kind: 'bool', value: bytes[at++] === 1 }
    if (type === 8) return { kind: 'string', value: text() }
    if (type !== 9) {
      at += sizes[type] ?? 0
      return null
    }
    const inner = u32()
    const items = Array.from({ length: u64() }, () => value(inner))
    const plain = items.flatMap((item) => (item ? [item.value] : []))
    if (inner === 8) return { kind: 'strings', value: plain as string[] }
    if (inner === 5 || inner === 4) return { kind: 'int32s', value: plain as number[] }
    return inner === 6 ? { kind: 'float32s', value: plain as number[] } : null
  }
  const kept: Record<string, GgufValue> = {}
  const entries = Number(bytes.readBigUInt64LE(16))
  for (let i = 0; i < entries; i++) {
    const key = text()
    const read = value(u32())
    if (read && key.startsWith('tokenizer.') && key !== 'tokenizer.chat_template') kept[key] = read
  }
  return kept
}

/** Writes a model with random weights: it loads, and says anything. */
export function writeRandomModel(
  path: string,
  { architecture: arch, vocabulary, template, seed, loud = [], context = 4096 }: RandomModel,
): void {
  const tokenizer = vocabularyOf(vocabulary)
  const words = tokenizer['tokenizer.ggml.tokens']
  if (words?.kind !== 'strings') throw new Error('the vocabulary has no tokens')
  const normal = normals(seed)
  const loudness = Float32Array.from(words.value, (word) => (loud.includes(word) ? LOUD : 1))
  const tensors: GgufTensorData[] = []
  const add = (name: string, shape: readonly number[], fill: () => number) =>
    void tensors.push({
      name,
      type: F32,
      shape,
      data: Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, fill),
    })
  const matrix = (name: string, from: number, to: number) =>
    add(name, [from, to], () => normal() / Math.sqrt(from))
  const ones = (name: string, size: number) => add(name, [size], () => 1 + 0.1 * normal())

  const rows = (name: string, spread: number) => {
    let at = 0
    add(
      name,
      [WIDTH, words.value.length],
      () => spread * normal() * (loudness[Math.floor(at++ / WIDTH)] ?? 1),
    )
  }
  rows('token_embd.weight', 0.5)
  ones('output_norm.weight', WIDTH)
  if (arch === 'phi3') rows('output.weight', 0.5)
  for (let layer = 0; layer < LAYERS; layer++) {
    const name = (part: string) => `blk.${layer}.${part}`
    ones(name('attn_norm.weight'), WIDTH)
    ones(name('ffn_norm.weight'), WIDTH)
    if (arch === 'phi3') {
      matrix(name('attn_qkv.weight'), WIDTH, (HEADS + 2 * KV_HEADS) * HEAD)
      matrix(name('ffn_up.weight'), WIDTH, 2 * INNER)
    } else {
      for (const [part, heads] of [
        ['q', HEADS],
        ['k', KV_HEADS],
        ['v', KV_HEADS],
      ] as const) {
        matrix(name(`attn_${part}.weight`), WIDTH, heads * HEAD)
        if (arch === 'qwen2') add(name(`attn_${part}.bias`), [heads * HEAD], () => 0.1 * normal())
      }
      if (arch === 'qwen3') for (const part of ['q', 'k']) ones(name(`attn_${part}_norm.weight`), HEAD)
      matrix(name('ffn_gate.weight'), WIDTH, INNER)
      matrix(name('ffn_up.weight'), WIDTH, INNER)
    }
    matrix(name('attn_output.weight'), HEADS * HEAD, WIDTH)
    matrix(name('ffn_down.weight'), INNER, WIDTH)
  }
  const whole = (value: number): GgufValue => ({ kind: 'uint32', value })
  const own: Record<string, GgufValue> = {
    context_length: whole(context),
    embedding_length: whole(WIDTH),
    block_count: whole(LAYERS),
    feed_forward_length: whole(INNER),
    'attention.head_count': whole(HEADS),
    'attention.head_count_kv': whole(KV_HEADS),
    'attention.key_length': whole(HEAD),
    'attention.value_length': whole(HEAD),
    'rope.dimension_count': whole(HEAD),
    'rope.freq_base': { kind: 'float32', value: 10_000 },
    'attention.layer_norm_rms_epsilon': { kind: 'float32', value: 1e-5 },
    ...(arch === 'phi3' && { 'rope.scaling.original_context_length': whole(context) }),
  }
  writeGguf(
    path,
    {
      'general.architecture': { kind: 'string', value: arch },
      'general.name': { kind: 'string', value: `Babel ${arch}` },
      ...Object.fromEntries(Object.entries(own).map(([key, value]) => [`${arch}.${key}`, value])),
      ...tokenizer,
      ...(template !== null && { 'tokenizer.chat_template': { kind: 'string', value: template } }),
    },
    tensors,
  )
}
