import { basename, dirname } from 'node:path'
import type { PreTrainedModel, PreTrainedTokenizer, Tensor } from '@huggingface/transformers'
import { cosine } from '../../../core/retrieval/cosine'
import { toUnitLength } from '../../../core/retrieval/lexical-embedder'
import { LoamError } from '../../../shared/errors'
import { throwIfAborted } from '../../../core/ground/abort'
import type { EmbedResult } from '../../ground/engine-protocol'
import { type EmbedderFolder, readEmbedderFolder } from '../../embedders/embedder-folder'

/** An encoder on one device. */
export interface LoadedEncoder {
  readonly folder: EmbedderFolder
  readonly tokenizer: PreTrainedTokenizer
  readonly model: PreTrainedModel
}

/** Where ONNX's runtime computes: `webgpu` and `dml` are graphics cards. */
type Device = 'cpu' | 'webgpu' | 'dml'

/** What a graphics card's vector has to have in common with the processor's, as the cosine of both: kernels round differently, which moves less. */
const LEAST_LIKENESS = 0.99

/** Read on both. */
const PROBE = 'Twelve boats left the harbour in the morning.'

/** What is needed to choose where encoders are computed. */
export interface EncoderPlace {
  /** Where they are tried first; null: on the processor at once. */
  readonly card: 'webgpu' | 'dml' | null
  readonly log: (message: string) => void
  /** Default: transformers.js. */
  readonly load?: (folder: string, device: Device) => Promise<LoadedEncoder>
}

/** The device that the environment names for encoders; null where it names none. */
export const encoderDeviceOf = (name: string | undefined): EncoderPlace['card'] =>
  name === 'webgpu' || name === 'dml' ? name : null

/**
 * Embedding models inside the engine process, loaded from disk on first use and kept. Never goes to the network. Where a card is to be tried, it is taken
 * once its vector of a text is like the processor's; else the encoder stays on the processor, and why is logged.
 */
export class SentenceEmbedders {
  readonly #loaded = new Map<string, Promise<LoadedEncoder>>()
  #loading: Promise<unknown> = Promise.resolve()

  constructor(private readonly place: EncoderPlace = { card: null, log: () => undefined }) {}

  /** Unit vectors of the texts, end to end. Throws `EMBEDDER_MISSING` or an AbortError. */
  async embed(folder: string, texts: readonly string[], signal?: AbortSignal): Promise<EmbedResult> {
    const embedder = await this.#open(folder)
    const { dimension } = embedder.folder
    const values = new Float32Array(dimension * texts.length)
    // One text at a time: quantised encoders scale by what else is in the batch, and a text's vector must not depend on that.
    for (const [index, text] of texts.entries()) {
      throwIfAborted(signal)
      values.set(await encode(embedder, text), index * dimension)
    }
    return { dimension, values }
  }

  #open(folder: string): Promise<LoadedEncoder> {
    const encoderPromise = this.#loaded.get(folder)
    if (encoderPromise) return encoderPromise
    // The library's model path is one global setting, so encoders are loaded one after another.
    const opening = this.#loading.then(() => this.#load(folder))
    this.#loading = opening.catch(() => this.#loaded.delete(folder))
    this.#loaded.set(folder, opening)
    return opening
  }

  async #load(folder: string): Promise<LoadedEncoder> {
    const { card, log, load = loadOn } = this.place
    const onProcessor = await load(folder, 'cpu')
    if (card === null) return onProcessor
    let onCard: LoadedEncoder | null = null
    try {
      onCard = await load(folder, card)
      const likeness = cosine(await encode(onProcessor, PROBE), await encode(onCard, PROBE)) ?? 0
      if (!(likeness >= LEAST_LIKENESS))
        throw new Error(
          `its vector of a text is ${likeness.toFixed(2)} like the processor’s, where 1 is the same`,
        )
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      log(
        `The embedding model ${basename(folder)} works on the processor, not on the graphics card: ${reason}`,
      )
      await onCard?.model.dispose()
      return onProcessor
    }
    await onProcessor.model.dispose()
    return onCard
  }
}

async function loadOn(folder: string, device: Device): Promise<LoadedEncoder> {
  const foundFolder = await readEmbedderFolder(folder)
  if (!foundFolder) throw getError(folder, 'there are no ONNX weights in it')
  const { AutoModel, AutoTokenizer, env } = await import('@huggingface/transformers')
  env.allowRemoteModels = false
  env.allowLocalModels = true
  env.localModelPath = dirname(folder)
  try {
    const tokenizer = await AutoTokenizer.from_pretrained(basename(folder), { local_files_only: true })
    const model = await AutoModel.from_pretrained(basename(folder), {
      local_files_only: true,
      dtype: foundFolder.dtype,
      device,
      session_options: { intraOpNumThreads: 1, interOpNumThreads: 1 },
    })
    return { folder: foundFolder, tokenizer, model }
  } catch (error) {
    throw getError(folder, error instanceof Error ? error.message : String(error), error)
  }
}

async function encode({ folder, tokenizer, model }: LoadedEncoder, text: string): Promise<Float32Array> {
  const inputs = tokenizer(text, { truncation: true, max_length: folder.maxTokens }) as Record<string, Tensor>
  const length = inputs['input_ids']?.dims[1] ?? 0
  if (length === 0) return toUnitLength(new Float32Array(folder.dimension))
  const outputs = (await model(inputs)) as Record<string, Tensor>
  const ready = outputs['sentence_embedding']
  const hiddenTensor = outputs['last_hidden_state'] ?? outputs['token_embeddings']
  const tensor = ready ?? hiddenTensor
  const width = tensor?.dims.at(-1)
  if (!tensor || width !== folder.dimension)
    throw getError(folder.folder, `it answers vectors of ${width ?? 'no'} values, not ${folder.dimension}`)
  const data = tensor.data as Float32Array
  return toUnitLength(ready ? Float32Array.from(data) : pool(data, width, length, folder.pooling))
}

/** One text has no padding, so every token counts. */
function pool(
  data: Float32Array,
  width: number,
  length: number,
  how: EmbedderFolder['pooling'],
): Float32Array {
  if (how === 'cls') return data.slice(0, width)
  const pooled = data.slice(0, width)
  for (let token = 1; token < length; token++)
    for (let i = 0; i < width; i++) {
      const value = data[token * width + i] as number
      pooled[i] = how === 'max' ? Math.max(pooled[i] as number, value) : (pooled[i] as number) + value
    }
  return pooled
}

const getError = (folder: string, why: string, underlying?: unknown) =>
  new LoamError('EMBEDDER_MISSING', `The embedding model at ${folder} cannot be used: ${why}.`, {
    suggestion: 'Copy its files again, or choose the built-in word matcher.',
    underlying,
  })
