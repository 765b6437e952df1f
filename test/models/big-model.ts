import { closeSync, openSync, writeSync } from 'node:fs'
import { aligned, ggufHead, ggufMetadata, type GgufValue } from '../../src/main/gguf/gguf-writer'
import { vocabularyOf } from './random-model'

/** Widths of a llama of about a billion parameters. */
const WIDTH = 2048
const HEADS = 32
const KV_HEADS = 4
const HEAD = WIDTH / HEADS
const INNER = 5632
const LAYERS = 22
const F32 = 0
const Q4_K = 12
/** Weights of one block of Q4_K, and the bytes it takes: two half floats, eight scales and minima, and four bits per weight. */
const BLOCK = 256
const BLOCK_BYTES = 144
const FIRST_WEIGHT = 16
/** All eight scales and all eight minima, as 32 in six bits each. */
const SCALES = [0xa0, 0xa0, 0xa0, 0xa0, 0xa0, 0xa0, 0xa0, 0xa0, 0, 0, 0, 0]
const SCALE = 32
/** Standard deviation of four random bits. */
const SPREAD = 4.61
/** Written at once. */
const PIECE_BLOCKS = 1 << 12

interface Planned {
  readonly name: string
  readonly type: number
  readonly shape: readonly number[]
  readonly bytes: number
}

/** A half float's bits, for small positive numbers. */
function half(value: number): number {
  const exponent = Math.floor(Math.log2(value))
  return ((exponent + 15) << 10) | Math.round((value / 2 ** exponent - 1) * 1024)
}

/** What a big model came to. */
export interface BigModel {
  readonly parameters: number
  readonly bytes: number
}

/**
 * Writes a llama of 1.1 billion parameters with random weights in Q4_K, piece by piece: about 620 MB on disk, a few MB in memory. The same
 * seed writes the same file.
 */
export function writeBigModel(path: string, vocabulary: string, seed: number): BigModel {
  const tokenizer = vocabularyOf(vocabulary)
  const words = tokenizer['tokenizer.ggml.tokens']
  if (words?.kind !== 'strings') throw new Error('the vocabulary has no tokens')
  const tensors: Planned[] = []
  const matrix = (name: string, from: number, to: number) =>
    tensors.push({ name, type: Q4_K, shape: [from, to], bytes: ((from * to) / BLOCK) * BLOCK_BYTES })
  const ones = (name: string) => tensors.push({ name, type: F32, shape: [WIDTH], bytes: WIDTH * 4 })
  matrix('token_embd.weight', WIDTH, words.value.length)
  ones('output_norm.weight')
  matrix('output.weight', WIDTH, words.value.length)
  for (let layer = 0; layer < LAYERS; layer++) {
    const name = (part: string) => `blk.${layer}.${part}.weight`
    ones(name('attn_norm'))
    ones(name('ffn_norm'))
    matrix(name('attn_q'), WIDTH, HEADS * HEAD)
    matrix(name('attn_k'), WIDTH, KV_HEADS * HEAD)
    matrix(name('attn_v'), WIDTH, KV_HEADS * HEAD)
    matrix(name('attn_output'), HEADS * HEAD, WIDTH)
    matrix(name('ffn_gate'), WIDTH, INNER)
    matrix(name('ffn_up'), WIDTH, INNER)
    matrix(name('ffn_down'), INNER, WIDTH)
  }
  const metadata = bigMetadata(tokenizer)
  let offset = 0
  const placed = tensors.map((tensor) => {
    const at = offset
    offset += aligned(tensor.bytes)
    return { ...tensor, offset: at }
  })
  const head = ggufHead(Object.keys(metadata).length, ggufMetadata(metadata), placed)
  const file = openSync(path, 'w')
  try {
    writeSync(file, head)
    let state = seed >>> 0 || 1
    const word = (): number => {
      state ^= state << 13
      state ^= state >>> 17
      return (state ^= state << 5)
    }
    for (const { type, shape, bytes } of tensors) {
      if (type === F32) writeSync(file, new Uint8Array(new Float32Array(WIDTH).fill(1).buffer))
      else writeBlocks(file, bytes / BLOCK_BYTES, 1 / (SPREAD * SCALE * Math.sqrt(shape[0] ?? 1)), word)
      writeSync(file, Buffer.alloc(aligned(bytes) - bytes))
    }
  } finally {
    closeSync(file)
  }
  const parameters = tensors.reduce((sum, { shape }) => sum + shape.reduce((a, b) => a * b, 1), 0)
  return { parameters, bytes: head.length + offset }
}

function writeBlocks(file: number, blocks: number, scale: number, word: () => number): void {
  const piece = new DataView(new ArrayBuffer(Math.min(blocks, PIECE_BLOCKS) * BLOCK_BYTES))
  for (let done = 0; done < blocks; done += PIECE_BLOCKS) {
    const count = Math.min(PIECE_BLOCKS, blocks - done)
    for (let block = 0; block < count; block++) {
      const at = block * BLOCK_BYTES
      piece.setUint16(at, half(scale), true)
      // So that the weights' mean is zero.
      piece.setUint16(at + 2, half(7.5 * scale), true)
      for (const [i, byte] of SCALES.entries()) piece.setUint8(at + 4 + i, byte)
      for (let i = FIRST_WEIGHT; i < BLOCK_BYTES; i += 4) piece.setInt32(at + i, word(), true)
    }
    writeSync(file, new Uint8Array(piece.buffer, 0, count * BLOCK_BYTES))
  }
}

function bigMetadata(tokenizer: Readonly<Record<string, GgufValue>>): Record<string, GgufValue> {
  const whole = (value: number): GgufValue => ({ kind: 'uint32', value })
  return {
    'general.architecture': { kind: 'string', value: 'llama' },
    'general.name': { kind: 'string', value: 'Big random llama' },
    'general.file_type': whole(15),
    'llama.context_length': whole(32_768),
    'llama.embedding_length': whole(WIDTH),
    'llama.block_count': whole(LAYERS),
    'llama.feed_forward_length': whole(INNER),
    'llama.attention.head_count': whole(HEADS),
    'llama.attention.head_count_kv': whole(KV_HEADS),
    'llama.rope.dimension_count': whole(HEAD),
    'llama.rope.freq_base': { kind: 'float32', value: 10_000 },
    'llama.attention.layer_norm_rms_epsilon': { kind: 'float32', value: 1e-5 },
    ...tokenizer,
    'tokenizer.chat_template': {
      kind: 'string',
      value: '{% for m in messages %}<|{{ m.role }}|>\n{{ m.content }}<|end|>\n{% endfor %}<|assistant|>\n',
    },
  }
}
