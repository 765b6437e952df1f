import type { ModelSizes } from '../../../core/soft-prompts/estimate'
import { LoamError } from '../../../shared/errors'
import { tensorBytes } from '../../gguf/ggml-types'
import { partsOf } from '../../gguf/gguf-parts'
import { type GgufHeader, type GgufTensor, readGgufHere } from '../../gguf/gguf-header'
import { GgmlType } from './ggml-type'

/** Everything the pass needs to know of a model beside its weights. */
export interface ModelShape {
  readonly architecture: string
  readonly sizes: ModelSizes
  /** Numbers of layers, heads and so on, as in `sizes`; repeated here for the formulas. */
  readonly epsilon: number
  readonly rope: {
    /** ggml's mode: 0 turns neighbouring values (llama), 2 turns halves (NeoX: qwen). */
    readonly mode: 0 | 2
    /** Values of a head that are turned. */
    readonly dimensions: number
    readonly base: number
    /** 1 / linear scaling factor. */
    readonly scale: number
    readonly context: number
  }
  /** No `output.weight`: the embeddings are used a second time to make logits. */
  readonly tied: boolean
  readonly tensors: ReadonlyMap<string, GgufTensor>
  readonly dataOffset: number
}

const ROPE_MODES: Readonly<Record<string, 0 | 2>> = { llama: 0, qwen2: 2, qwen3: 2 }
const WEIGHT_TYPES = new Map<number, string>(
  Object.entries(GgmlType).flatMap(([name, type]) => (name === 'I32' ? [] : [[type, name]])),
)
const GLOBAL = /^(token_embd|output_norm|output|rope_freqs)\.weight$/u
const LAYER =
  /^blk\.\d+\.(attn_norm\.weight|ffn_norm\.weight|attn_(q|k|v|output)\.(weight|bias)|attn_(q|k)_norm\.weight|ffn_(gate|up|down)\.(weight|bias)|rope_freqs\.weight|attn_rot_embd\.weight)$/u
const MATRIX = /^(output|blk\.\d+\.(attn_(q|k|v|output)|ffn_(gate|up|down)))\.weight$/u

/** Whether a gradient passes through this tensor. */
export const isMatrix = (name: string): boolean => MATRIX.test(name)

/** Reads a model's shape. Throws `MODEL_*` for the file and `TRAINER_MODEL` when training does not cover the model. */
export async function readModelShape(path: string): Promise<ModelShape> {
  if (partsOf(path).length > 1) throw notCovered('it lies in several parts')
  return shapeOf(await readGgufHere(path))
}

/** The shape a header describes. Throws `TRAINER_MODEL` with the reason when training does not cover it. */
export function shapeOf(header: GgufHeader): ModelShape {
  const { metadata } = header
  const architecture = String(metadata.get('general.architecture') ?? '')
  const mode = ROPE_MODES[architecture]
  if (mode === undefined)
    throw notCovered(
      `its architecture is ${architecture || 'unknown'}; covered are ${Object.keys(ROPE_MODES).join(', ')}`,
    )
  const number = (key: string, fallback?: number): number => {
    const value = metadata.get(`${architecture}.${key}`) ?? fallback
    if (typeof value !== 'number') throw notCovered(`it does not say its ${key}, or says it per layer`)
    return value
  }
  const tensors = new Map(header.tensors.map((tensor) => [tensor.name, tensor]))
  const embedding = tensors.get('token_embd.weight')
  if (!embedding) throw notCovered('it has no token embeddings')
  for (const { name, type } of header.tensors) {
    if (!GLOBAL.test(name) && !LAYER.test(name))
      throw notCovered(`its tensor ${name} has no part in the known pass`)
    if (!WEIGHT_TYPES.has(type))
      throw notCovered(
        `its tensor ${name} is stored as type ${type}; covered are ${[...WEIGHT_TYPES.values()].join(', ')}`,
      )
  }
  const scaling = metadata.get(`${architecture}.rope.scaling.type`)
  const factor = number('rope.scaling.factor', 0)
  if (scaling !== undefined && scaling !== 'none' && scaling !== 'linear')
    throw notCovered(`it stretches its context by ${String(scaling)}`)
  const width = number('embedding_length')
  const heads = number('attention.head_count')
  const keyHeads = number('attention.head_count_kv', heads)
  const headWidth = number('attention.key_length', width / heads)
  if (number('attention.value_length', headWidth) !== headWidth)
    throw notCovered('its keys and values differ in width')
  const matrices = header.tensors.filter(({ name }) => isMatrix(name))
  const tied = !tensors.has('output.weight')
  return {
    architecture,
    sizes: {
      layers: number('block_count'),
      width,
      heads,
      keyHeads,
      headWidth,
      feedForward: number('feed_forward_length'),
      vocabulary: embedding.shape[1] ?? 0,
      weightBytes: header.tensors.reduce((sum, { type, shape }) => sum + tensorBytes(type, shape), 0),
      matrixValues: [...matrices, ...(tied ? [embedding] : [])].reduce(
        (sum, tensor) => sum + values(tensor),
        0,
      ),
    },
    epsilon: number('attention.layer_norm_rms_epsilon'),
    rope: {
      mode,
      dimensions: number('rope.dimension_count', headWidth),
      base: number('rope.freq_base', 10_000),
      scale: scaling !== 'none' && factor > 0 ? 1 / factor : 1,
      context: number('context_length'),
    },
    tied,
    tensors,
    dataOffset: header.dataOffset,
  }
}

const values = ({ shape }: GgufTensor): number => shape.reduce((product, size) => product * size, 1)

const notCovered = (why: string) =>
  new LoamError('TRAINER_MODEL', `The model is not covered: ${why}.`, {
    suggestion: 'Take a Llama, Qwen2 or Qwen3 model as F16, or as Q8_0 down to Q3_K_M.',
  })
