import { LoamError } from '../../../shared/errors'
import { present } from './bindings'
import type { GgmlDevice } from './device'
import { newContext, type Tensor } from './tensors'

/** A graph that is ready to run, any number of times. */
export interface Graph {
  readonly graph: bigint
  run(): void
}

/**
 * Builds graphs that share one stretch of memory, since only one of them runs at a time and what they answer is copied out.
 * `finish` gives them the memory; none may run before. Holds native memory until `dispose`.
 */
export class GraphBuilder {
  readonly #allocator: bigint
  readonly #graphs: bigint[] = []
  readonly #contexts: bigint[] = []

  constructor(private readonly device: GgmlDevice) {
    const { ggml, backend } = device
    this.#allocator = present(ggml.gallocr_new(ggml.backend_get_default_buffer_type(backend)), 'an allocator')
  }

  /**
   * `build` answers the tensors to compute; there is room for `nodes` of them in all. Throws `TRAINER_UNAVAILABLE` when the
   * device lacks an operation.
   */
  add(nodes: number, build: (context: bigint) => readonly Tensor[]): Graph {
    const { ggml } = this.device
    const context = newContext(this.device, nodes, 1, nodes)
    this.#contexts.push(context)
    const graph = present(ggml.new_graph_custom(context, nodes, false), 'a graph')
    for (const output of build(context)) {
      ggml.set_output(output)
      ggml.build_forward_expand(graph, output)
    }
    checkSupport(this.device, graph)
    this.#graphs.push(graph)
    return { graph, run: () => compute(this.device, graph) }
  }

  /** Throws `TRAINER_MEMORY` when there is no room. */
  finish(): this {
    const { ggml, name } = this.device
    const noRoom = () =>
      new LoamError('TRAINER_MEMORY', `${name} has no room for a graph.`, {
        suggestion: 'Close other programs, shorten the attempts, or take a smaller model.',
      })
    // Sized for the largest first: an allocator that grows frees the memory under the graphs placed before.
    for (const graph of this.#graphs) if (!ggml.gallocr_reserve(this.#allocator, graph)) throw noRoom()
    const { bytes } = this
    for (const graph of this.#graphs) if (!ggml.gallocr_alloc_graph(this.#allocator, graph)) throw noRoom()
    if (this.bytes !== bytes) throw new Error('The memory of the graphs moved while they were placed.')
    return this
  }

  /** Bytes that the graphs share. */
  get bytes(): number {
    return this.device.ggml.gallocr_get_buffer_size(this.#allocator, 0)
  }

  dispose(): void {
    const { ggml } = this.device
    ggml.gallocr_free(this.#allocator)
    for (const context of this.#contexts) ggml.free(context)
    this.#contexts.length = 0
  }
}

/** Builds a graph, runs it once and frees it; `read` is called before that. */
export function computeOnce(
  device: GgmlDevice,
  nodes: number,
  build: (context: bigint) => Tensor,
  read: (result: Tensor) => void = () => undefined,
): void {
  const builder = new GraphBuilder(device)
  try {
    let result = 0n
    const graph = builder.add(nodes, (context) => [(result = build(context))])
    builder.finish()
    graph.run()
    read(result)
  } finally {
    builder.dispose()
  }
}

function compute({ ggml, backend, name }: GgmlDevice, graph: bigint): void {
  const status = ggml.backend_graph_compute(backend, graph)
  if (status !== 0)
    throw new LoamError('TRAINER_DIED', `${name} could not compute a graph (status ${status}).`, {
      suggestion: 'Train on the CPU, or with shorter attempts.',
    })
}

function checkSupport({ ggml, device, name }: GgmlDevice, graph: bigint): void {
  const count = ggml.graph_n_nodes(graph)
  const missingSet = new Set<string>()
  for (let i = 0; i < count; i++) {
    const node = ggml.graph_node(graph, i)
    if (!ggml.backend_dev_supports_op(device, node)) missingSet.add(ggml.op_desc(node))
  }
  if (missingSet.size > 0)
    throw new LoamError(
      'TRAINER_UNAVAILABLE',
      `${name} cannot compute ${[...missingSet].join(', ')} of this model.`,
      { suggestion: 'Train on the CPU.' },
    )
}
