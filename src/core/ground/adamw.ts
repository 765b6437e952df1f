export interface AdamWSettings {
  /** Decay of the running mean of gradients. Default 0.9. */
  readonly beta1: number
  /** Decay of the running mean of squared gradients. Default 0.999. */
  readonly beta2: number
  /** Keeps the division from blowing up. Default 1e-8. */
  readonly epsilon: number
  /** Share of a value taken away per step and unit of learning rate, apart from the gradient. Default 0. */
  readonly weightDecay: number
}

const ADAMW_DEFAULTS: AdamWSettings = { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weightDecay: 0 }

/** What has to be kept so that training goes on as if it had never stopped. */
export interface AdamWState {
  readonly mean: Float32Array
  readonly square: Float32Array
  /** Steps taken so far. */
  readonly steps: number
}

/** AdamW (Loshchilov and Hutter 2019, algorithm 2) over one flat array of values. */
export class AdamW {
  readonly #settings: AdamWSettings
  readonly #mean: Float32Array
  readonly #square: Float32Array
  #steps: number

  constructor(size: number, settings: Partial<AdamWSettings> = {}, state?: AdamWState) {
    if (state && (state.mean.length !== size || state.square.length !== size))
      throw new RangeError(`The optimizer's state has ${state.mean.length} values instead of ${size}.`)
    this.#settings = { ...ADAMW_DEFAULTS, ...settings }
    this.#mean = state ? Float32Array.from(state.mean) : new Float32Array(size)
    this.#square = state ? Float32Array.from(state.square) : new Float32Array(size)
    this.#steps = state?.steps ?? 0
  }

  /** Moves `values` one step against `gradient`. */
  step(values: Float32Array, gradient: Float32Array, rate: number): void {
    const { beta1, beta2, epsilon, weightDecay } = this.#settings
    this.#steps++
    const meanScale = 1 / (1 - beta1 ** this.#steps)
    const squareScale = 1 / (1 - beta2 ** this.#steps)
    for (let i = 0; i < values.length; i++) {
      const g = gradient[i] as number
      const mean = beta1 * (this.#mean[i] as number) + (1 - beta1) * g
      const square = beta2 * (this.#square[i] as number) + (1 - beta2) * g * g
      this.#mean[i] = mean
      this.#square[i] = square
      const keptCount = (values[i] as number) * (1 - rate * weightDecay)
      values[i] = keptCount - (rate * mean * meanScale) / (Math.sqrt(square * squareScale) + epsilon)
    }
  }

  get state(): AdamWState {
    return {
      mean: Float32Array.from(this.#mean),
      square: Float32Array.from(this.#square),
      steps: this.#steps,
    }
  }
}

/** Shortens the gradient to at most `most` (Euclidean length); answers the length it had. */
export function clipGradient(gradient: Float32Array, most: number): number {
  let sum = 0
  for (const value of gradient) sum += value * value
  const length = Math.sqrt(sum)
  if (length > most) for (let i = 0; i < gradient.length; i++) (gradient[i] as number) *= most / length
  return length
}
