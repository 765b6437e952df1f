import type { LlamaEmbeddingContext, LlamaModel } from 'node-llama-cpp'
import { throwIfAborted } from '../../../core/ground/abort'
import { toUnitLength } from '../../../core/retrieval/lexical-embedder'
import type { EmbedResult } from '../../ground/engine-protocol'
import type { LlamaRuntime } from './llama-runtime'
import { readGgufEmbedder, unusable, type GgufEmbedder } from '../../embedders/gguf-embedder'

interface Loaded {
  readonly embedder: GgufEmbedder
  readonly model: LlamaModel
  readonly context: LlamaEmbeddingContext
}

/** Room for the marks that a model wants around a text. */
const MARKS = 4

/** GGUF encoders inside the engine process, beside the chat model and on the CPU; one is kept. */
export class GgufEmbedders {
  #held: Loaded | null = null
  #turn: Promise<unknown> = Promise.resolve()

  constructor(private readonly runtime: LlamaRuntime) {}

  /** Unit vectors of the texts, end to end. Throws `EMBEDDER_MISSING` or an AbortError. */
  embed(path: string, texts: readonly string[], signal?: AbortSignal): Promise<EmbedResult> {
    const work = this.#turn.then(() => this.#embed(path, texts, signal))
    this.#turn = work.catch(() => undefined)
    return work
  }

  async #embed(path: string, texts: readonly string[], signal?: AbortSignal): Promise<EmbedResult> {
    throwIfAborted(signal)
    const { embedder, model, context } = await this.#open(path)
    const values = new Float32Array(embedder.dimension * texts.length)
    for (const [index, text] of texts.entries()) {
      throwIfAborted(signal)
      const tokens = model.tokenize(text).slice(0, Math.max(1, embedder.maxTokens - MARKS))
      const vector =
        tokens.length === 0
          ? new Float32Array(embedder.dimension)
          : Float32Array.from((await context.getEmbeddingFor(tokens)).vector)
      if (vector.length !== embedder.dimension)
        throw unusable(path, `it answers vectors of ${vector.length} values, not ${embedder.dimension}`)
      values.set(toUnitLength(vector), index * embedder.dimension)
    }
    return { dimension: embedder.dimension, values }
  }

  async #open(path: string): Promise<Loaded> {
    const holding = this.#held
    // Loading a chat model for another kind of device takes llama.cpp itself away.
    if (holding?.embedder.path === path && !holding.model.disposed && !holding.context.disposed)
      return holding
    this.#held = null
    if (holding && !holding.model.disposed) await holding.model.dispose()
    const embedder = await readGgufEmbedder(path)
    let model: LlamaModel | undefined
    try {
      const llama = await this.runtime.current()
      model = await llama.loadModel({ modelPath: path, gpuLayers: 0 })
      // A text is read in one piece: encoders look both ways.
      const size = embedder.maxTokens
      const context = await model.createEmbeddingContext({ contextSize: size, batchSize: size, threads: 1 })
      this.#held = { embedder, model, context }
      return this.#held
    } catch (error) {
      await model?.dispose()
      throw unusable(path, error instanceof Error ? error.message : String(error), error)
    }
  }
}
