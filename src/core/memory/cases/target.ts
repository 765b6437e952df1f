import type { Saved } from './saved'

/** The target parameters: those saved, or a copy of `values`, as algorithm 1 starts. */
export function startOf(saved: Saved | undefined, values: Float32Array): Float32Array {
  return Float32Array.from(saved?.['target'] ?? values)
}

/** theta_bar <- beta theta_bar + (1 - beta) theta (Memento, algorithm 1), in place. */
export function average(target: Float32Array, values: Float32Array, beta: number): void {
  for (let i = 0; i < target.length; i++)
    target[i] = beta * (target[i] as number) + (1 - beta) * (values[i] as number)
}
