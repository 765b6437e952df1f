import {
  estimateTraining,
  type TrainingEstimate,
  type TransposeMode,
} from '../../../core/soft-prompts/estimate'
import { chooseLengths } from '../../../core/soft-prompts/lengths'
import { MOST_LENGTHS } from '../../../core/soft-prompts/memory'
import { packingLimits, packSamples, type Pack, type PackingLimits } from '../../../core/soft-prompts/packing'
import type { TrainingSample } from '../../../core/soft-prompts/samples'
import { present } from './bindings'
import { type GgmlDevice, openHost } from './device'
import { FrozenModel } from './frozen-model'
import { computeOnce, GraphBuilder } from './graph'
import type { ModelShape } from './model-shape'
import { SequencePlan } from './sequence-plan'
import { GgmlType } from './ggml-type'
import { newContext, newTensor, readTensor, writeTensor } from './tensors'
import { Transposes } from './transposes'

/**
 * Loss and gradient of a soft prompt under a frozen model. The soft prompt is `ids.length` rows of the model's width that
 * are added to the embeddings of those ids, exactly as the adapter adds them when it is served. Holds native memory.
 */
export class SoftPromptGradient {
  readonly estimate: TrainingEstimate
  readonly #model: FrozenModel
  /** The same model in main memory: embeddings are looked up there, whatever their type. */
  readonly #host: { readonly device: GgmlDevice; readonly model: FrozenModel }
  readonly #transposes: Transposes
  readonly #plans: readonly SequencePlan[]
  readonly #builder: GraphBuilder
  readonly #ids: readonly number[]
  readonly #base: Float32Array
  readonly #limits: PackingLimits

  constructor(
    device: GgmlDevice,
    path: string,
    shape: ModelShape,
    options: {
      /** The reserved token ids whose embeddings are learned. */
      readonly ids: readonly number[]
      /** Rows of packs that will come; a sample alone has as many as it has tokens, the soft prompt's with it, less one. */
      readonly lengths: readonly number[]
      readonly transposes?: TransposeMode | 'auto'
      /** CPU threads beside a GPU. Default 1. */
      readonly threads?: number
      /** Bytes that may be used. Default: no limit. */
      readonly freeBytes?: number
    },
  ) {
    this.#ids = options.ids
    const lengths = chooseLengths(options.lengths, MOST_LENGTHS)
    this.#limits = packingLimits(shape.sizes, options.ids, Math.max(...lengths))
    this.estimate = estimateTraining(
      shape.sizes,
      lengths,
      options.transposes ?? 'auto',
      options.freeBytes ?? Number.POSITIVE_INFINITY,
    )
    this.#model = FrozenModel.open(device, path, shape)
    this.#host = device.onHost
      ? { device, model: this.#model }
      : openHostModel(device, options.threads ?? 1, path, shape)
    this.#transposes = new Transposes(device, this.#model, this.estimate.transposes, this.#host)
    this.#builder = new GraphBuilder(device)
    this.#plans = lengths.map(
      (length) => new SequencePlan(device, this.#model, this.#transposes, this.#builder, length),
    )
    this.#builder.finish()
    this.#base = this.embeddings(options.ids)
  }

  /** Values of the soft prompt: rows times width. */
  get size(): number {
    return this.#base.length
  }

  get width(): number {
    return this.#model.shape.sizes.width
  }

  /** Embeddings of the reserved ids before training, row by row. */
  get base(): Float32Array {
    return Float32Array.from(this.#base)
  }

  /** Bytes of native memory beside mapped weights. */
  get bytes(): number {
    return this.#plans.reduce((sum, plan) => sum + plan.bytes, this.#builder.bytes + this.#transposes.bytes)
  }

  /** Embedding rows of any tokens, row by row. */
  embeddings(ids: readonly number[]): Float32Array {
    const { device, model } = this.#host
    const { ggml, backend } = device
    const context = newContext(device, 1)
    const target = newTensor(device, context, GgmlType.I32, ids.length)
    const buffer = present(ggml.backend_alloc_ctx_tensors(context, backend), 'room for ids')
    let rows: Float32Array = new Float32Array()
    try {
      writeTensor(device, target, Int32Array.from(ids))
      computeOnce(
        device,
        8,
        (inner) => present(ggml.get_rows(inner, model.get('token_embd.weight').tensor, target), 'rows'),
        (result) => (rows = readTensor(device, result)),
      )
    } finally {
      ggml.backend_buffer_free(buffer)
      ggml.free(context)
    }
    return rows
  }

  /**
   * Summed cross-entropy (natural log) over the targets of all samples under the soft prompt `deltas`, and its gradient by them.
   * What samples begin with alike is computed once. `pause` is awaited between layers; when it throws, the work ends there. One
   * call at a time: all use the same memory.
   */
  async evaluate(
    samples: readonly TrainingSample[],
    deltas: Float32Array,
    wantGradient: boolean,
    pause: () => Promise<void> = () => Promise.resolve(),
  ): Promise<{ readonly loss: number; readonly gradient: Float32Array | null }> {
    let loss = 0
    const gradient = wantGradient ? new Float32Array(this.size) : null
    for (const pack of packSamples(samples, this.#limits)) {
      const one = await this.#run(pack, deltas, wantGradient, pause)
      loss += one.loss
      for (const [index, value] of one.gradient?.entries() ?? [])
        if (gradient) (gradient[index] as number) += value
    }
    return { loss, gradient }
  }

  /** For tests: logits after the last token that the model reads of a sample. */
  async logits(sample: TrainingSample, deltas: Float32Array): Promise<Float32Array> {
    const [pack] = packSamples([sample], this.#limits) as [Pack]
    await this.#run(pack, deltas, false, () => Promise.resolve())
    return this.#planFor(pack).logitsAt(pack.tokens.length - 1)
  }

  dispose(): void {
    for (const plan of this.#plans) plan.dispose()
    this.#builder.dispose()
    this.#transposes.dispose()
    this.#model.dispose()
    if (this.#host.model === this.#model) return
    this.#host.model.dispose()
    this.#host.device.dispose()
  }

  #run(pack: Pack, deltas: Float32Array, wantGradient: boolean, pause: () => Promise<void>) {
    const embeddings = this.embeddings(pack.tokens)
    // As single floats, which is what the adapter adds when it is served.
    embeddings.set(
      this.#base.map((value, index) => value + (deltas[index] as number)),
      pack.softAt * this.width,
    )
    return this.#planFor(pack).run(pack, embeddings, this.#ids.length, wantGradient, pause)
  }

  #planFor({ tokens }: Pack): SequencePlan {
    const plan = this.#plans.find(({ length }) => length >= tokens.length)
    if (!plan) throw new RangeError(`No graph was planned for a sequence of ${tokens.length} tokens.`)
    return plan
  }
}

function openHostModel(device: GgmlDevice, threads: number, path: string, shape: ModelShape) {
  const host = openHost(device, threads)
  return { device: host, model: FrozenModel.open(host, path, shape) }
}
