import { closeSync, openSync, readSync } from 'node:fs'
import { tensorBytes } from '../../gguf/ggml-types'
import { present } from './bindings'
import type { GgmlDevice } from './device'
import { mapFile, type MappedFile } from './mapped-file'
import type { ModelShape } from './model-shape'
import { newContext, newTensor, type Tensor } from './tensors'

const PIECE = 1 << 24

export interface Weight {
  readonly tensor: Tensor
  readonly type: number
  readonly shape: readonly number[]
}

/** A model's weights on a device, never changed. Holds native memory until `dispose`. */
export class FrozenModel {
  /** True when the weights are the file itself, mapped; false when they were copied to the device. */
  readonly mapped: boolean
  readonly #dispose: () => void

  private constructor(
    readonly shape: ModelShape,
    readonly weights: ReadonlyMap<string, Weight>,
    mapped: boolean,
    dispose: () => void,
  ) {
    this.mapped = mapped
    this.#dispose = dispose
  }

  /** Maps the file where the device computes in main memory; otherwise copies the weights over piece by piece. */
  static open(device: GgmlDevice, path: string, shape: ModelShape): FrozenModel {
    const { ggml } = device
    const context = newContext(device, shape.tensors.size)
    const weights = new Map<string, Weight>()
    for (const { name, type, shape: sizes } of shape.tensors.values())
      weights.set(name, { tensor: newTensor(device, context, type, ...sizes), type, shape: sizes })
    const file = device.onHost ? mapFile(path) : null
    const buffer = file
      ? adopt(device, file, shape, weights)
      : present(ggml.backend_alloc_ctx_tensors(context, device.backend), 'room for the weights')
    if (!file) copy(device, path, shape, weights)
    return new FrozenModel(shape, weights, file !== null, () => {
      ggml.backend_buffer_free(buffer)
      ggml.free(context)
      file?.close()
    })
  }

  /** The weight of that name; a missing one is a damaged file that the shape let through. */
  get(name: string): Weight {
    const weight = this.weights.get(name)
    if (!weight) throw new Error(`The model has no tensor ${name}.`)
    return weight
  }

  /** The matrix that makes logits: the embeddings themselves when they are tied. */
  get output(): Weight {
    return this.get(this.shape.tied ? 'token_embd.weight' : 'output.weight')
  }

  dispose(): void {
    this.#dispose()
  }
}

function adopt(
  { ggml }: GgmlDevice,
  file: MappedFile,
  shape: ModelShape,
  weights: ReadonlyMap<string, Weight>,
): bigint {
  const buffer = present(ggml.backend_cpu_buffer_from_ptr(file.address, file.size), 'a buffer over the file')
  for (const { name, offset } of shape.tensors.values()) {
    const { tensor } = weights.get(name) as Weight
    ggml.backend_tensor_alloc(buffer, tensor, file.address + BigInt(shape.dataOffset + offset))
  }
  return buffer
}

function copy(
  { ggml }: GgmlDevice,
  path: string,
  shape: ModelShape,
  weights: ReadonlyMap<string, Weight>,
): void {
  const file = openSync(path, 'r')
  const piece = Buffer.allocUnsafe(PIECE)
  try {
    for (const { name, type, shape: sizes, offset } of shape.tensors.values()) {
      const { tensor } = weights.get(name) as Weight
      const size = tensorBytes(type, sizes)
      for (let at = 0; at < size; at += PIECE) {
        const length = Math.min(PIECE, size - at)
        readSync(file, piece, 0, length, shape.dataOffset + offset + at)
        ggml.backend_tensor_set(tensor, piece, at, length)
      }
    }
  } finally {
    closeSync(file)
  }
}
