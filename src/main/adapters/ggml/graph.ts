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
 * Builds graphs and gives them memory. Graphs of one `shape` share one allocator: that is right only because they are alike
 * to the byte; an allocator that grows frees the memory under graphs made earlier.
 */
export class GraphBuilder {
  readonly #device: GgmlDevice
  readonly #allocators = new Map<string, bigint>()
  readonly #contexts: bigint[] = []

  constructor(device: GgmlDevice) {
    this.#device = device
  }

  /** `build` answers the tensors to compute. Throws `TRAINER_UNAVAILABLE` when the device lacks an operation. */
  add(shape: string, nodes: number, build: (context: bigint) => readonly Tensor[]): Graph {
    const { ggml, backend, name } = this.#device
    const context = newContext(this.#device, nodes, 1, nodes)
    this.#contexts.push(context)
    const graph = present(ggml.new_graph_custom(context, nodes, false), 'a graph')
    for (const output of build(context)) {
      ggml.set_output(output)
      ggml.build_forward_expand(graph, output)
    }
    checkSupport(this.#device, graph)
    const known = this.#allocators.get(shape)
    const allocator =
      known ?? present(ggml.gallocr_new(ggml.backend_get_default_buffer_type(backend)), 'an allocator')
    this.#allocators.set(shape, allocator)
    const before = ggml.gallocr_get_buffer_size(allocator, 0)
    if (!ggml.gallocr_alloc_graph(allocator, graph))
      throw new LoamError('TRAINER_MEMORY', `${name} has no room for a graph.`, {
        suggestion: 'Close other programs, shorten the attempts, or take a smaller model.',
      })
    if (known !== undefined && ggml.gallocr_get_buffer_size(allocator, 0) !== before)
      throw new Error(`Two graphs named ${shape} differ in size.`)
    return { graph, run: () => compute(this.#device, graph) }
  }

  /** Bytes of all allocators. */
  get bytes(): number {
    const { ggml } = this.#device
    return [...this.#allocators.values()].reduce((sum, one) => sum + ggml.gallocr_get_buffer_size(one, 0), 0)
  }

  dispose(): void {
    const { ggml } = this.#device
    for (const allocator of this.#allocators.values()) ggml.gallocr_free(allocator)
    for (const context of this.#contexts) ggml.free(context)
    this.#allocators.clear()
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
    const graph = builder.add('once', nodes, (context) => [(result = build(context))])
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
  const missing = new Set<string>()
  for (let i = 0; i < count; i++) {
    const node = ggml.graph_node(graph, i)
    if (!ggml.backend_dev_supports_op(device, node)) missing.add(ggml.op_desc(node))
  }
  if (missing.size > 0)
    throw new LoamError(
      'TRAINER_UNAVAILABLE',
      `${name} cannot compute ${[...missing].join(', ')} of this model.`,
      {
        suggestion: 'Train on the CPU.',
      },
    )
}
