import { createRng } from '../../../core/ground/random'
import { GgmlType } from './ggml-type'
import type { Ggml } from './bindings'
import { tensorBytes } from '../../gguf/ggml-types'
import { type GgufTensorData, type GgufValue, writeGguf } from '../../gguf/gguf-writer'

/** A matrix as it is written. */
export interface TinyMatrix {
  readonly type: number
  readonly data: NodeJS.ArrayBufferView
}

export interface TinyModel {
  readonly architecture: 'llama' | 'qwen2' | 'qwen3'
  readonly tied?: boolean
  /** Type of the matrices; the norms and biases are F32. Default F32. */
  readonly type?: number
  /** Needed for all types but F32. */
  readonly ggml?: Ggml
  /** How a matrix is written, by its name and its shape, fastest axis first; null for the usual way. */
  readonly encode?: (name: string, values: Float32Array, shape: readonly number[]) => TinyMatrix | null
  readonly width?: number
  /** Default 16. */
  readonly headWidth?: number
  /** Rows of the embedding table to replace. */
  readonly rows?: ReadonlyMap<number, Float32Array>
}

export const TINY = { vocabulary: 320, heads: 4, keyHeads: 2, feedForward: 256 } as const
const RESERVED = 32
const LAYERS = 2
/** The first of 32 reserved token ids. */
export const FIRST_RESERVED = TINY.vocabulary - RESERVED

/** Writes a tiny random model that stock llama.cpp loads. Weights are such that the logits are spread out. */
export function writeTinyModel(path: string, model: TinyModel): void {
  const { architecture, width = 64, headWidth = 16, tied = false, type = GgmlType.F32 } = model
  const { vocabulary, heads, keyHeads, feedForward } = TINY
  const random = createRng(architecture)
  const normal = () => Math.sqrt(-2 * Math.log(random.next() + 1e-12)) * Math.cos(2 * Math.PI * random.next())
  const tensors: GgufTensorData[] = []
  const values = (count: number, spread: number, mean = 0) =>
    Float32Array.from({ length: count }, () => mean + spread * normal())
  const vector = (name: string, data: Float32Array) =>
    tensors.push({ name, type: GgmlType.F32, shape: [data.length], data })
  const matrix = (name: string, inner: number, outer: number, spread: number) => {
    const data = values(inner * outer, spread)
    if (name === 'token_embd.weight') for (const [id, row] of model.rows ?? []) data.set(row, id * inner)
    const shape = [inner, outer]
    const block = model.encode?.(name, data, shape)
    tensors.push({
      ...{ name, shape },
      ...(block ?? { type, data: encode(data, type, inner, outer, model.ggml) }),
    })
  }
  matrix('token_embd.weight', width, vocabulary, 0.5)
  if (!tied) matrix('output.weight', width, vocabulary, 2 / Math.sqrt(width))
  vector('output_norm.weight', values(width, 0.1, 1))
  if (architecture === 'llama')
    vector(
      'rope_freqs.weight',
      Float32Array.from({ length: headWidth / 2 }, (_, i) => (i < 4 ? 1 : 1 + i * 0.5)),
    )
  for (let index = 0; index < LAYERS; index++) {
    const block = `blk.${index}.`
    const spread = 1 / Math.sqrt(width)
    vector(`${block}attn_norm.weight`, values(width, 0.1, 1))
    vector(`${block}ffn_norm.weight`, values(width, 0.1, 1))
    for (const [name, count] of [
      ['q', heads],
      ['k', keyHeads],
      ['v', keyHeads],
    ] as const) {
      matrix(`${block}attn_${name}.weight`, width, count * headWidth, name === 'v' ? spread : 2 * spread)
      if (architecture === 'qwen2') vector(`${block}attn_${name}.bias`, values(count * headWidth, 0.3))
      if (architecture === 'qwen3' && name !== 'v')
        vector(`${block}attn_${name}_norm.weight`, values(headWidth, 0.1, 1))
    }
    matrix(`${block}attn_output.weight`, heads * headWidth, width, 1 / Math.sqrt(heads * headWidth))
    matrix(`${block}ffn_gate.weight`, width, feedForward, spread)
    matrix(`${block}ffn_up.weight`, width, feedForward, spread)
    matrix(`${block}ffn_down.weight`, feedForward, width, 1 / Math.sqrt(feedForward))
  }
  writeGguf(path, metadata(architecture, width, headWidth), tensors)
}

function encode(
  data: Float32Array,
  type: number,
  inner: number,
  outer: number,
  ggml?: Ggml,
): NodeJS.ArrayBufferView {
  if (type === GgmlType.F32) return data
  if (!ggml) throw new Error('Only F32 can be written without ggml.')
  const bytes = new Uint8Array(tensorBytes(type, [inner, outer]))
  ggml.quantize_chunk(type, data, bytes, 0, outer, inner, null)
  return bytes
}

function metadata(architecture: string, width: number, headWidth: number): Record<string, GgufValue> {
  const uint32 = (value: number): GgufValue => ({ kind: 'uint32', value })
  const string = (value: string): GgufValue => ({ kind: 'string', value })
  const { tokens, types, merges } = vocabulary()
  return {
    'general.architecture': string(architecture),
    'general.name': string(`tiny random ${architecture}`),
    'general.file_type': uint32(0),
    [`${architecture}.context_length`]: uint32(512),
    [`${architecture}.embedding_length`]: uint32(width),
    [`${architecture}.block_count`]: uint32(LAYERS),
    [`${architecture}.feed_forward_length`]: uint32(TINY.feedForward),
    [`${architecture}.attention.head_count`]: uint32(TINY.heads),
    [`${architecture}.attention.head_count_kv`]: uint32(TINY.keyHeads),
    [`${architecture}.attention.key_length`]: uint32(headWidth),
    [`${architecture}.attention.value_length`]: uint32(headWidth),
    [`${architecture}.rope.dimension_count`]: uint32(headWidth),
    [`${architecture}.rope.freq_base`]: { kind: 'float32', value: 10_000 },
    [`${architecture}.attention.layer_norm_rms_epsilon`]: { kind: 'float32', value: 1e-5 },
    [`${architecture}.vocab_size`]: uint32(TINY.vocabulary),
    'tokenizer.ggml.model': string('gpt2'),
    'tokenizer.ggml.pre': string(architecture === 'llama' ? 'llama-bpe' : 'qwen2'),
    'tokenizer.ggml.tokens': { kind: 'strings', value: tokens },
    'tokenizer.ggml.token_type': { kind: 'int32s', value: types },
    'tokenizer.ggml.merges': { kind: 'strings', value: merges },
    'tokenizer.ggml.bos_token_id': uint32(FIRST_RESERVED - 2),
    'tokenizer.ggml.eos_token_id': uint32(FIRST_RESERVED - 1),
    'tokenizer.ggml.add_bos_token': { kind: 'bool', value: false },
  }
}

/** Byte-level BPE: 256 bytes, a few merges, beginning and end of text, 32 reserved tokens. */
function vocabulary() {
  const printable = (byte: number) =>
    (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174
  let movedCount = 0
  const tokens = [...Array(256).keys()].map((byte) =>
    String.fromCodePoint(printable(byte) ? byte : 256 + movedCount++),
  )
  const merges: string[] = []
  for (const first of 'etaoin')
    for (const second of 'srhdl')
      if (tokens.length < FIRST_RESERVED - 2) {
        merges.push(`${first} ${second}`)
        tokens.push(first + second)
      }
  const types = tokens.map(() => 1)
  tokens.push('<|begin|>', '<|end|>')
  types.push(3, 3)
  for (let i = 0; i < RESERVED; i++) {
    tokens.push(`<|reserved_${i}|>`)
    types.push(3)
  }
  return { tokens, types, merges }
}
