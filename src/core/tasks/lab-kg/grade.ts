/** How an answer stands to the gold one, as sets. */
export interface Grade {
  readonly exact: 0 | 1
  /** Harmonic mean of precision and recall. */
  readonly f1: number
}

/** @param answer null when none was given */
export function gradeAnswer(answer: readonly string[] | null, gold: readonly string[]): Grade {
  const wantedSet = new Set(gold)
  const givenSet = new Set(answer ?? [])
  const right = [...givenSet].filter((one) => wantedSet.has(one)).length
  if (right === 0) return { exact: 0, f1: 0 }
  const exact = right === wantedSet.size && right === givenSet.size ? 1 : 0
  return { exact, f1: (2 * right) / (givenSet.size + wantedSet.size) }
}
