/** How far two states are apart, part by part: 1 minus each of `RELATIONS`. */
export type Distances = Float64Array

export const distancesOf = (relations: Float64Array): Distances => relations.map((value) => 1 - value)

/** The learnable kernel k_theta(s, s') = exp(-sum_j exp(theta_j) d_j(s, s')), in (0, 1], 1 for equal states. */
export function kernel(theta: Float32Array, distances: Distances): number {
  let sum = 0
  for (let j = 0; j < theta.length; j++) sum += Math.exp(theta[j] as number) * (distances[j] as number)
  return Math.exp(-sum)
}

/** An entry (s_i, c, Q_i) of the episodic memory D_c, seen from a state. */
export interface Neighbour {
  readonly distances: Distances
  readonly value: number
}

export interface EpisodicEstimate {
  /** f_theta(s, c) of Memento eq. 9; 0 when there are no neighbours. */
  readonly value: number
  /** Sum of the kernel over D_c: how much is known near this state. */
  readonly mass: number
}

/** Q_EC(s, c; theta) = sum_i w_i Q_i with w_i = k(s, s_i) / sum_j k(s, s_j) (Memento eq. 9). */
export function episodicValue(theta: Float32Array, neighbours: readonly Neighbour[]): EpisodicEstimate {
  let mass = 0
  let sum = 0
  for (const { distances, value } of neighbours) {
    const k = kernel(theta, distances)
    mass += k
    sum += k * value
  }
  return { value: mass > 0 ? sum / mass : 0, mass }
}

/**
 * The gradient of (f_theta - y)^2 by theta (Memento eq. 11): 2 (f - y) sum_i w_i (Q_i - f) grad log k(s, s_i), where
 * d log k / d theta_j = -exp(theta_j) d_j. Added to `gradient` times `scale`; answers the loss.
 */
export function addEpisodicGradient(
  theta: Float32Array,
  neighbours: readonly Neighbour[],
  target: number,
  scale: number,
  gradient: Float32Array,
): number {
  const { value, mass } = episodicValue(theta, neighbours)
  const error = value - target
  if (mass > 0) {
    for (const { distances, value: knownCount } of neighbours) {
      const weight = kernel(theta, distances) / mass
      const outer = scale * 2 * error * weight * (knownCount - value)
      for (let j = 0; j < theta.length; j++)
        gradient[j] =
          (gradient[j] as number) - outer * Math.exp(theta[j] as number) * (distances[j] as number)
    }
  }
  return error ** 2
}
