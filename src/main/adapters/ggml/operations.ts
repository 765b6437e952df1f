import { present } from './bindings'
import type { GgmlDevice } from './device'
import type { FrozenModel, Weight } from './frozen-model'
import type { Tensor } from './tensors'
import type { Transposes } from './transposes'

/** One step of the forward pass with its way back: `back` turns dL/dy into dL/dx. */
export interface Step {
  readonly y: Tensor
  readonly back: (gradient: Tensor) => Tensor
}

type Permutation = readonly [number, number, number, number]

/** The operations of a transformer, each with its reverse, inside one graph that is being built. */
export class Operations {
  constructor(
    private readonly device: GgmlDevice,
    private readonly model: FrozenModel,
    private readonly transposes: Transposes,
    private readonly context: bigint,
    /** Positions of the tokens, I32. */
    private readonly positions: Tensor,
  ) {}

  add = (a: Tensor, b: Tensor): Tensor => present(this.#ggml.add(this.context, a, b), 'a sum')
  sub = (a: Tensor, b: Tensor): Tensor => present(this.#ggml.sub(this.context, a, b), 'a difference')
  mul = (a: Tensor, b: Tensor): Tensor => present(this.#ggml.mul(this.context, a, b), 'a product')
  matmul = (a: Tensor, b: Tensor): Tensor => present(this.#ggml.mul_mat(this.context, a, b), 'a product')
  cont = (x: Tensor): Tensor => present(this.#ggml.cont(this.context, x), 'a copy')
  transpose = (x: Tensor): Tensor => present(this.#ggml.transpose(this.context, x), 'a view')
  copy = (from: Tensor, to: Tensor): Tensor => present(this.#ggml.cpy(this.context, from, to), 'a copy')
  rows = (from: Tensor, ids: Tensor): Tensor => present(this.#ggml.get_rows(this.context, from, ids), 'rows')
  silu = (x: Tensor): Tensor => present(this.#ggml.silu(this.context, x), 'a SiLU')
  siluBack = (g: Tensor, x: Tensor): Tensor => present(this.#ggml.silu_back(this.context, g, x), 'a SiLU')
  swiglu = (gate: Tensor, up: Tensor): Tensor =>
    present(this.#ggml.swiglu_split(this.context, gate, up), 'a SwiGLU')
  permute = (x: Tensor, axes: Permutation): Tensor =>
    present(this.#ggml.permute(this.context, x, ...axes), 'a view')
  reshape2 = (x: Tensor, a: number, b: number): Tensor =>
    present(this.#ggml.reshape_2d(this.context, x, a, b), 'a view')
  reshape3 = (x: Tensor, a: number, b: number, c: number): Tensor =>
    present(this.#ggml.reshape_3d(this.context, x, a, b, c), 'a view')
  flat = (x: Tensor, a: number, b: number): Tensor =>
    present(this.#ggml.cont_2d(this.context, x, a, b), 'a copy')

  /** softmax(scale * x + mask) over the first axis. */
  softmax(x: Tensor, mask: Tensor | null, scale: number): Step {
    const ggml = this.#ggml
    const y = present(ggml.soft_max_ext(this.context, x, mask, scale, 0), 'a softmax')
    return { y, back: (g) => present(ggml.soft_max_ext_back(this.context, g, y, scale, 0), 'a softmax') }
  }

  /** W x + b for the weight `name`; the gradient goes to x alone. */
  linear(name: string, x: Tensor): Step {
    const weight = this.model.get(`${name}.weight`)
    const product = this.matmul(weight.tensor, x)
    const bias = this.model.weights.get(`${name}.bias`)
    return {
      y: bias ? this.add(product, bias.tensor) : product,
      back: (g) => this.timesTransposed(`${name}.weight`, weight, g),
    }
  }

  timesTransposed = (name: string, weight: Weight, gradient: Tensor): Tensor =>
    this.transposes.multiply(this.context, name, weight, gradient)

  /** Root-mean-square norm with its weight. */
  norm(name: string, x: Tensor): Step {
    const ggml = this.#ggml
    const weight = this.model.get(`${name}.weight`).tensor
    const { epsilon } = this.model.shape
    const normed = present(ggml.rms_norm(this.context, x, epsilon), 'a norm')
    return {
      y: this.mul(normed, weight),
      back: (g) => present(ggml.rms_norm_back(this.context, this.mul(g, weight), x, epsilon), 'a norm'),
    }
  }

  /** Rotary position embedding of [head width, heads, tokens]. */
  rope(x: Tensor): Step {
    const { mode, dimensions, base, scale, context } = this.model.shape.rope
    const factors = this.model.weights.get('rope_freqs.weight')?.tensor ?? null
    // No YaRN: extrapolation 0, attention factor 1; the two betas then have no effect.
    const settings = [factors, dimensions, mode, context, base, scale, 0, 1, 32, 1] as const
    const ggml = this.#ggml
    return {
      y: present(ggml.rope_ext(this.context, x, this.positions, ...settings), 'a rotation'),
      back: (g) => present(ggml.rope_ext_back(this.context, g, this.positions, ...settings), 'a rotation'),
    }
  }

  /** Sums [width, heads, ...] of query heads to the key heads they share: [a, b, heads] to [a, b, key heads]. */
  sumGroups(x: Tensor, a: number, b: number): Tensor {
    const { heads, keyHeads } = this.model.shape.sizes
    if (heads === keyHeads) return x
    const ggml = this.#ggml
    const grouped = ggml.reshape_4d(this.context, x, a * b, heads / keyHeads, keyHeads, 1)
    const one = ggml.new_tensor(this.context, 0, 3, BigInt64Array.from([a * b, 1, keyHeads], BigInt))
    const sum = present(ggml.repeat_back(this.context, grouped, one), 'a sum')
    return this.reshape3(sum, a, b, keyHeads)
  }

  get #ggml() {
    return this.device.ggml
  }
}
