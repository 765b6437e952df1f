import type { Llama, LlamaEmbeddingContext, LlamaModel } from 'node-llama-cpp'
import { throwIfAborted } from '../../../core/ground/abort'
import { cosine } from '../../../core/retrieval/cosine'
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

/** What a graphics card's vector has to have in common with the processor's, as the cosine of both: kernels round differently, which moves less. */
export const LEAST_LIKENESS = 0.99

/** Read on both. Shorter than 32 tokens: from there on a card computes with weights in main memory as well. */
const PROBE = 'Twelve boats left the harbour in the morning.'

/**
 * GGUF encoders inside the engine process, beside the chat model; one is kept. It is read on the processor first. Where llama.cpp has a graphics card,
 * it moves there once the card's vector of a text is like the processor's; else it stays, and why is logged.
 */
export class GgufEmbedders {
  #held: Loaded | null = null
  #turn: Promise<unknown> = Promise.resolve()

  constructor(
    private readonly runtime: Pick<LlamaRuntime, 'current'>,
    private readonly log: (message: string) => void,
  ) {}

  /** Unit vectors of the texts, end to end. Throws `EMBEDDER_MISSING` or an AbortError. */
  embed(path: string, texts: readonly string[], signal?: AbortSignal): Promise<EmbedResult> {
    const work = this.#turn.then(() => this.#embed(path, texts, signal))
    this.#turn = work.catch(() => undefined)
    return work
  }

  async #embed(path: string, texts: readonly string[], signal?: AbortSignal): Promise<EmbedResult> {
    throwIfAborted(signal)
    const encoder = await this.#open(path)
    const { dimension } = encoder.embedder
    const values = new Float32Array(dimension * texts.length)
    for (const [index, text] of texts.entries()) {
      throwIfAborted(signal)
      const vector = await vectorOf(encoder, text)
      if (vector.length !== dimension)
        throw unusable(path, `it answers vectors of ${vector.length} values, not ${dimension}`)
      values.set(toUnitLength(vector), index * dimension)
    }
    return { dimension, values }
  }

  async #open(path: string): Promise<Loaded> {
    const holding = this.#held
    // Loading a chat model for another kind of device takes llama.cpp itself away.
    if (holding?.embedder.path === path && !holding.model.disposed && !holding.context.disposed)
      return holding
    this.#held = null
    if (holding && !holding.model.disposed) await holding.model.dispose()
    const embedder = await readGgufEmbedder(path)
    try {
      const llama = await this.runtime.current()
      const encoder = await load(llama, embedder, 0)
      this.#held = llama.gpu === false ? encoder : await this.#onCard(llama, encoder)
      return this.#held
    } catch (error) {
      throw unusable(path, error instanceof Error ? error.message : String(error), error)
    }
  }

  /** The encoder on the graphics card where that computes what the processor does; else as it is. */
  async #onCard(llama: Llama, onProcessor: Loaded): Promise<Loaded> {
    const { embedder } = onProcessor
    let onCard: Loaded | null = null
    try {
      onCard = await load(llama, embedder, 'auto')
      // No room on the card.
      if (onCard.model.gpuLayers === 0) throw new Error('its memory has no room for it')
      const [some, others] = [await vectorOf(onProcessor, PROBE), await vectorOf(onCard, PROBE)]
      const likeness = cosine(some, others) ?? 0
      if (!(likeness >= LEAST_LIKENESS))
        throw new Error(
          `its vector of a text is ${likeness.toFixed(2)} like the processor’s, where 1 is the same`,
        )
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      this.log(
        `The embedding model ${embedder.name} works on the processor, not on the graphics card: ${reason}`,
      )
      await onCard?.model.dispose()
      return onProcessor
    }
    await onProcessor.model.dispose()
    return onCard
  }
}

async function load(llama: Llama, embedder: GgufEmbedder, gpuLayers: 'auto' | 0): Promise<Loaded> {
  const model = await llama.loadModel({ modelPath: embedder.path, gpuLayers })
  try {
    // A text is read in one piece: encoders look both ways.
    const size = embedder.maxTokens
    const context = await model.createEmbeddingContext({ contextSize: size, batchSize: size, threads: 1 })
    return { embedder, model, context }
  } catch (error) {
    await model.dispose()
    throw error
  }
}

/** As the model gives it, not of unit length yet. */
async function vectorOf({ embedder, model, context }: Loaded, text: string): Promise<Float32Array> {
  const tokens = model.tokenize(text).slice(0, Math.max(1, embedder.maxTokens - MARKS))
  return tokens.length === 0
    ? new Float32Array(embedder.dimension)
    : Float32Array.from((await context.getEmbeddingFor(tokens)).vector)
}
