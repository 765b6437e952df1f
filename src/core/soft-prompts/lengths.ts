/** Lengths are rounded up to this many tokens, so that few shapes of graph are needed. */
const LENGTH_STEP = 32

/**
 * The padded lengths to train at: at most `most` of them, each a multiple of 32, so that every sample fits one. Chosen so
 * that the padding over all samples is least.
 */
export function chooseLengths(lengths: readonly number[], most: number): number[] {
  const rounded = lengths.map((length) => Math.ceil(length / LENGTH_STEP) * LENGTH_STEP)
  const counts = new Map<number, number>()
  for (const length of rounded) counts.set(length, (counts.get(length) ?? 0) + 1)
  const steps = [...counts].sort(([a], [b]) => a - b)
  while (steps.length > Math.max(1, most)) {
    let cheapest = 0
    let least = Number.POSITIVE_INFINITY
    for (let i = 0; i + 1 < steps.length; i++) {
      const [length, count] = steps[i] as [number, number]
      const cost = count * ((steps[i + 1] as [number, number])[0] - length)
      if (cost < least) {
        least = cost
        cheapest = i
      }
    }
    const [, count] = steps[cheapest] as [number, number]
    const next = steps[cheapest + 1] as [number, number]
    steps.splice(cheapest, 2, [next[0], next[1] + count])
  }
  return steps.map(([length]) => length)
}
