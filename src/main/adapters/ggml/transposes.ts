import { FLY_VALUES, type TransposeMode } from '../../../core/soft-prompts/estimate'
import { present } from './bindings'
import type { GgmlDevice } from './device'
import type { FrozenModel, Weight } from './frozen-model'
import { computeOnce } from './graph'
import { GgmlType } from './ggml-type'
import { isMatrix } from './model-shape'
import { newContext, newTensor, type Tensor, writeTensor } from './tensors'

/**
 * Multiplies with turned-around weights: the gradient of y = W x is W^T g. Done as MUL_MAT over W^T, since ggml's own
 * OUT_PROD is many times slower and knows fewer types. W^T is either kept (as F32 or BF16) or made anew each time.
 */
export class Transposes {
  readonly #kept = new Map<string, Tensor>()
  readonly #dispose: () => void
  /** Bytes of what is kept. */
  readonly bytes: number

  /** `host` reads the weights of the same model on the CPU; it may be `device` and `model` themselves. */
  constructor(
    private readonly device: GgmlDevice,
    model: FrozenModel,
    mode: TransposeMode,
    host: { readonly device: GgmlDevice; readonly model: FrozenModel },
  ) {
    if (mode === 'on-the-fly') {
      this.bytes = 0
      this.#dispose = () => undefined
      return
    }
    const { ggml } = device
    const type = mode === 'stored-f32' ? GgmlType.F32 : GgmlType.BF16
    const names = [...model.weights.keys()].filter(isMatrix)
    if (model.shape.tied) names.push('token_embd.weight')
    const context = newContext(device, names.length)
    for (const name of names) {
      const [inner = 1, outer = 1] = model.get(name).shape
      this.#kept.set(name, newTensor(device, context, type, outer, inner))
    }
    const buffer = present(ggml.backend_alloc_ctx_tensors(context, device.backend), 'room for turned weights')
    this.bytes = ggml.backend_buffer_get_size(buffer)
    for (const [name, selection] of this.#kept) {
      const weight = host.model.get(name)
      if (device.onHost) turn(host.device, weight, selection)
      else sendTurned(host.device, weight, device, selection, type)
    }
    this.#dispose = () => {
      ggml.backend_buffer_free(buffer)
      ggml.free(context)
    }
  }

  /** W^T g inside the graph that is being built in `context`. */
  multiply(context: bigint, name: string, weight: Weight, gradient: Tensor): Tensor {
    const { ggml } = this.device
    const selection = this.#kept.get(name)
    if (selection !== undefined) return present(ggml.mul_mat(context, selection, gradient), 'a product')
    return this.#fly(context, weight, gradient)
  }

  dispose(): void {
    this.#dispose()
  }

  /** Turns a weight piece by piece, so that only a piece is ever there in full precision. */
  #fly(context: bigint, weight: Weight, gradient: Tensor): Tensor {
    const { ggml } = this.device
    const [inner = 1, outer = 1] = weight.shape
    const rows = Math.max(1, Math.min(outer, Math.floor(FLY_VALUES / inner)))
    const columns = Number(ggml.nelements(gradient)) / outer
    let sum: bigint | null = null
    for (let from = 0; from < outer; from += rows) {
      const count = Math.min(rows, outer - from)
      const turned = ggml.cast(context, turnedRows(this.device, context, weight, from, count), GgmlType.BF16)
      const slice =
        count === outer ? gradient : ggml.view_2d(context, gradient, count, columns, outer * 4, from * 4)
      const product = present(ggml.mul_mat(context, turned, slice), 'a product')
      sum = sum === null ? product : present(ggml.add(context, sum, product), 'a sum')
    }
    return present(sum, 'a product')
  }
}

/** Rows `from` to `from + count` of a weight as F32, turned around: [count, inner]. */
function turnedRows(
  { ggml }: GgmlDevice,
  context: bigint,
  weight: Weight,
  from: number,
  count: number,
): Tensor {
  const [inner = 1] = weight.shape
  const rowBytes = ggml.row_size(weight.type, inner)
  const part = ggml.view_2d(context, weight.tensor, inner, count, rowBytes, from * rowBytes)
  const full = weight.type === GgmlType.F32 ? part : ggml.cast(context, part, GgmlType.F32)
  return present(ggml.cont(context, ggml.transpose(context, full)), 'a turned weight')
}

/** Turns a weight into `kept`, which lies in main memory, a strip of its columns at a time. */
function turn(device: GgmlDevice, weight: Weight, selection: Tensor): void {
  const { ggml } = device
  const [inner = 1, outer = 1] = weight.shape
  const rowBytes = Number(ggml.nbytes(selection)) / inner
  const rows = Math.max(1, Math.min(outer, Math.floor(FLY_VALUES / inner)))
  for (let from = 0; from < outer; from += rows) {
    const count = Math.min(rows, outer - from)
    computeOnce(device, 16, (context) => {
      const strip = ggml.view_2d(context, selection, count, inner, rowBytes, (rowBytes / outer) * from)
      return present(ggml.cpy(context, turnedRows(device, context, weight, from, count), strip), 'a copy')
    })
  }
}

/** Turns a weight in main memory and sends it to the device. */
function sendTurned(
  host: GgmlDevice,
  weight: Weight,
  device: GgmlDevice,
  selection: Tensor,
  type: number,
): void {
  const { ggml } = host
  const [inner = 1, outer = 1] = weight.shape
  const context = newContext(host, 1)
  const whole = newTensor(host, context, type, outer, inner)
  const buffer = present(ggml.backend_alloc_ctx_tensors(context, host.backend), 'room for a turned weight')
  try {
    turn(host, weight, whole)
    const bytes = new Uint8Array(ggml.nbytes(whole))
    ggml.backend_tensor_get(whole, bytes, 0, bytes.byteLength)
    writeTensor(device, selection, bytes)
  } finally {
    ggml.backend_buffer_free(buffer)
    ggml.free(context)
  }
}
