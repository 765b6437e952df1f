import { basename, dirname } from 'node:path'
import type { PreTrainedModel, PreTrainedTokenizer, Tensor } from '@huggingface/transformers'
import { toUnitLength } from '../../../core/retrieval/lexical-embedder'
import { LoamError } from '../../../shared/errors'
import { throwIfAborted } from '../../../core/ground/abort'
import type { EmbedResult } from '../../ground/engine-protocol'
import { type EmbedderFolder, readEmbedderFolder } from '../../embedders/embedder-folder'

interface LoadedEncoder {
  readonly folder: EmbedderFolder
  readonly tokenizer: PreTrainedTokenizer
  readonly model: PreTrainedModel
}

/** Embedding models inside the engine process, loaded from disk on first use and kept. Never goes to the network. */
export class SentenceEmbedders {
  readonly #loaded = new Map<string, Promise<LoadedEncoder>>()
  #loading: Promise<unknown> = Promise.resolve()

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
    const opening = this.#loading.then(() => load(folder))
    this.#loading = opening.catch(() => this.#loaded.delete(folder))
    this.#loaded.set(folder, opening)
    return opening
  }
}

async function load(folder: string): Promise<LoadedEncoder> {
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
      device: 'cpu',
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
