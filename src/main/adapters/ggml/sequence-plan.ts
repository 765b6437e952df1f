import { headRows } from '../../../core/soft-prompts/estimate'
import type { Pack, TargetRow } from '../../../core/soft-prompts/packing'
import { present } from './bindings'
import type { GgmlDevice } from './device'
import type { FrozenModel } from './frozen-model'
import type { Graph, GraphBuilder } from './graph'
import { GgmlType } from './ggml-type'
import { layerStep } from './layer'
import { Operations } from './operations'
import { newContext, newTensor, readTensor, type Tensor, writeTensor } from './tensors'
import type { Transposes } from './transposes'

const LAYER_NODES = 512
const HEAD_NODES = 1024

/**
 * All graphs for sequences of one padded length. Keeps the residual streams between layers and computes each layer anew on
 * the way back (layer checkpointing), so memory grows with one layer's activations, not with all. Holds native memory.
 */
export class SequencePlan {
  readonly #context: bigint
  readonly #buffer: bigint
  readonly #inputs: ReturnType<typeof makeInputs>
  readonly #forward: readonly Graph[]
  readonly #backward: readonly Graph[]
  readonly #head: Graph
  readonly #labels: Float32Array
  readonly #mask: Float32Array

  /** Adds its graphs to `builder`, whose memory it uses; nothing runs before the builder is finished. */
  constructor(
    private readonly device: GgmlDevice,
    private readonly model: FrozenModel,
    transposes: Transposes,
    builder: GraphBuilder,
    readonly length: number,
  ) {
    const { layers } = model.shape.sizes
    const { ggml } = device
    this.#context = newContext(device, layers + 16)
    const inputs = (this.#inputs = makeInputs(device, model, this.#context, length))
    this.#buffer = present(
      ggml.backend_alloc_ctx_tensors(this.#context, device.backend),
      `room for sequences of ${length} tokens`,
    )
    this.#labels = new Float32Array(model.shape.sizes.vocabulary * inputs.rows)
    this.#mask = new Float32Array(length * length)
    const operations = (context: bigint) =>
      new Operations(device, model, transposes, context, inputs.positions)
    const layer = (o: Operations, index: number) =>
      layerStep(o, model, index, inputs.streams[index] as Tensor, inputs.mask, length)
    try {
      const each = (build: (o: Operations, index: number) => Tensor) =>
        Array.from({ length: layers }, (_, index) =>
          builder.add(LAYER_NODES, (context) => [build(operations(context), index)]),
        )
      this.#forward = each((o, index) => o.copy(layer(o, index).y, inputs.streams[index + 1] as Tensor))
      this.#backward = each((o, index) => o.copy(layer(o, index).back(inputs.gradient), inputs.gradient))
      this.#head = builder.add(HEAD_NODES, (context) => this.#buildHead(context, operations(context)))
    } catch (error) {
      this.dispose()
      throw error
    }
  }

  /** Bytes of what is kept between graphs. */
  get bytes(): number {
    return this.device.ggml.backend_buffer_get_size(this.#buffer)
  }

  /**
   * Runs a pack by the embeddings of its rows (at most `length`, of the model's width). Answers the summed cross-entropy of all
   * targets and, with `wantGradient`, its gradient by the `learned` rows of its soft prompt. `pause` is awaited between layers; it may throw.
   */
  async run(
    { parents, positions, softAt, targets }: Pack,
    embeddings: Float32Array,
    learnedCount: number,
    wantGradient: boolean,
    pause: () => Promise<void>,
  ): Promise<{ readonly loss: number; readonly gradient: Float32Array | null }> {
    const { width } = this.model.shape.sizes
    const { streams, gradient } = this.#inputs
    const first = streams[0] as Tensor
    writeTensor(this.device, first, embeddings)
    // Nothing attends to what stands behind the end, but 0 times NaN would still be NaN.
    const rest = this.length * width * 4 - embeddings.byteLength
    if (rest > 0) this.device.ggml.backend_tensor_memset(first, 0, embeddings.byteLength, rest)
    this.#place(parents, positions)
    for (const graph of this.#forward) {
      await pause()
      graph.run()
    }
    const loss = await this.#runHead(targets, pause)
    if (!wantGradient) return { loss, gradient: null }
    for (const graph of this.#backward.toReversed()) {
      await pause()
      graph.run()
    }
    return { loss, gradient: readTensor(this.device, gradient, learnedCount * width, softAt * width) }
  }

  /** Log-probabilities are not kept; for tests: the logits at one row after the last `run`'s forward pass. */
  logitsAt(row: number): Float32Array {
    const { vocabulary } = this.model.shape.sizes
    writeTensor(this.device, this.#inputs.targetRows, new Int32Array(this.#inputs.rows).fill(row))
    this.#head.run()
    return readTensor(this.device, this.#inputs.logits, vocabulary)
  }

  dispose(): void {
    const { ggml } = this.device
    ggml.backend_buffer_free(this.#buffer)
    ggml.free(this.#context)
  }

  /** Says which rows each row reads, and how far from its beginning it stands. */
  #place(parents: Int32Array, positions: Int32Array): void {
    const { length } = this
    const places = new Int32Array(length)
    places.set(positions)
    writeTensor(this.device, this.#inputs.positions, places)
    writeTensor(this.device, this.#inputs.mask, treeMask(parents, length, this.#mask))
  }

  /** The head takes `rows` targets at a time and adds what they say to the gradient of the last stream. */
  async #runHead(targets: readonly TargetRow[], pause: () => Promise<void>): Promise<number> {
    const device = this.device
    const { vocabulary } = this.model.shape.sizes
    const { rows, targetRows, weights, labels, losses, gradient } = this.#inputs
    device.ggml.backend_tensor_memset(gradient, 0, 0, Number(device.ggml.nbytes(gradient)))
    let loss = 0
    for (let from = 0; from < targets.length; from += rows) {
      await pause()
      const part = targets.slice(from, from + rows)
      // Rows that are left over count for nothing: weight 0.
      writeTensor(
        device,
        targetRows,
        Int32Array.from({ length: rows }, (_, i) => part[i]?.row ?? 0),
      )
      writeTensor(
        device,
        weights,
        Float32Array.from({ length: rows }, (_, i) => (i < part.length ? 1 : 0)),
      )
      const set = (fill: (id: number, probability: number) => number) => {
        for (const [i, { ids, probabilities }] of part.entries())
          for (const [j, id] of ids.entries())
            this.#labels[i * vocabulary + id] = fill(id, probabilities[j] as number)
      }
      set((_, probability) => probability)
      writeTensor(device, labels, this.#labels)
      this.#head.run()
      set(() => 0)
      loss += readTensor(device, losses, part.length).reduce((sum, value) => sum + value, 0)
    }
    return loss
  }

  #buildHead(context: bigint, o: Operations): Tensor[] {
    const { ggml } = this.device
    const { model, inputs } = { model: this.model, inputs: this.#inputs }
    const last = inputs.streams.at(-1) as Tensor
    const norm = o.norm('output_norm', o.rows(last, inputs.targetRows))
    const { output } = model
    const logits = o.matmul(output.tensor, norm.y)
    const probabilities = present(ggml.soft_max(context, logits), 'a softmax')
    // -sum(label * log p) per row; the clamp keeps log finite where a probability underflows.
    const logs = ggml.log(context, ggml.clamp(context, probabilities, 1e-30, 1))
    const sums = ggml.sum_rows(context, o.mul(inputs.labels, present(logs, 'logarithms')))
    const losses = present(ggml.scale(context, sums, -1), 'losses')
    const name = model.shape.tied ? 'token_embd.weight' : 'output.weight'
    const toNorm = o.timesTransposed(name, output, o.sub(probabilities, inputs.labels))
    const toRows = norm.back(o.mul(toNorm, inputs.weights))
    const scattered = present(ggml.get_rows_back(context, toRows, inputs.targetRows, last), 'a scatter')
    return [
      o.copy(logits, inputs.logits),
      o.copy(losses, inputs.losses),
      o.copy(o.add(inputs.gradient, scattered), inputs.gradient),
    ]
  }
}

function makeInputs(device: GgmlDevice, model: FrozenModel, context: bigint, length: number) {
  const { layers, width, vocabulary } = model.shape.sizes
  const rows = headRows(vocabulary)
  const f32 = (...shape: number[]) => newTensor(device, context, GgmlType.F32, ...shape)
  const i32 = (...shape: number[]) => newTensor(device, context, GgmlType.I32, ...shape)
  return {
    rows,
    positions: i32(length),
    mask: f32(length, length),
    /** What goes into each layer, and at the end what comes out of the last. */
    streams: Array.from({ length: layers + 1 }, () => f32(width, length)),
    /** dL/d stream, from the last layer down to the embeddings. */
    gradient: f32(width, length),
    targetRows: i32(rows),
    weights: f32(1, rows),
    labels: f32(vocabulary, rows),
    logits: f32(vocabulary, rows),
    losses: f32(1, rows),
  }
}

/** 0 where a row reads another one: itself and all it follows. Rows behind the last one read themselves, for a softmax over nothing is NaN. */
function treeMask(parents: Int32Array, length: number, mask: Float32Array): Float32Array {
  mask.fill(Number.NEGATIVE_INFINITY)
  for (let row = 0; row < length; row++) {
    const parent = row < parents.length ? (parents[row] as number) : -1
    if (parent >= 0) mask.copyWithin(row * length, parent * length, parent * length + parent + 1)
    mask[row * length + row] = 0
  }
  return mask
}
