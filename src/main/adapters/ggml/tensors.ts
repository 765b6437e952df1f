import type { GgmlDevice } from './device'
import { present } from './bindings'

/** A tensor of ggml's: an opaque address. */
export type Tensor = bigint

/** Room for the descriptions of `count` tensors and `graphs` graphs of up to `nodes` nodes; their data lies elsewhere. */
export function newContext({ ggml }: GgmlDevice, count: number, graphs = 0, nodes = 0): bigint {
  const bytes = ggml.tensor_overhead() * count + graphs * ggml.graph_overhead_custom(nodes, false) + 1024
  return present(ggml.init({ mem_size: bytes, mem_buffer: null, no_alloc: true }), 'room for tensors')
}

export function newTensor({ ggml }: GgmlDevice, context: bigint, type: number, ...shape: number[]): Tensor {
  const sizes = BigInt64Array.from(shape, BigInt)
  return present(ggml.new_tensor(context, type, shape.length, sizes), 'a tensor')
}

export function writeTensor({ ggml }: GgmlDevice, tensor: Tensor, data: NodeJS.ArrayBufferView): void {
  ggml.backend_tensor_set(tensor, data, 0, data.byteLength)
}

/** The first `count` values of an F32 tensor; all of them by default. */
export function readTensor({ ggml }: GgmlDevice, tensor: Tensor, count?: number, from = 0): Float32Array {
  const values = new Float32Array(count ?? Number(ggml.nelements(tensor)))
  ggml.backend_tensor_get(tensor, values, from * 4, values.byteLength)
  return values
}
