import { type ModelSizes, sequenceOperations } from './estimate'
import type { TeacherDistribution, TrainingSample } from './samples'

/** One row of the output to learn from: where it is read, and which distribution it is to match (sums to 1). */
export interface TargetRow {
  /** Index into the whole sequence, soft prompt included. */
  readonly row: number
  readonly ids: readonly number[]
  readonly probabilities: readonly number[]
}

/**
 * Several samples as one sequence in which what they begin with alike stands once: a tree of tokens. A token reads those on the way
 * from the root to itself and no others, so every sample is read as if it stood alone.
 */
export interface Pack {
  /** A token per row, the soft prompt's ids among them; the last token of a sample is only predicted and has no row. */
  readonly tokens: readonly number[]
  /** The row each row follows; -1 for the first. Always less than the row's own number. */
  readonly parents: Int32Array
  /** How many tokens a row has before it in its own sample. */
  readonly positions: Int32Array
  /** Row of the soft prompt's first token. */
  readonly softAt: number
  readonly targets: readonly TargetRow[]
}

/** A pack that is being put together. */
class Tree {
  readonly tokens: number[] = []
  readonly #parents: number[] = []
  readonly #positions: number[] = []
  /** Next rows by row and token. */
  readonly #next = new Map<number, Map<number, number>>()
  readonly #targets: TargetRow[] = []

  constructor(
    readonly softAt: number,
    readonly soft: readonly number[],
  ) {}

  /** Rows that a sample's sequence would add. */
  adds(sequence: readonly number[]): number {
    let row = -1
    for (const [at, token] of sequence.entries()) {
      const next = this.#next.get(row)?.get(token)
      if (next === undefined) return sequence.length - at
      row = next
    }
    return 0
  }

  add(sample: TrainingSample, sequence: readonly number[]): void {
    const rows: number[] = []
    let row = -1
    for (const [position, token] of sequence.entries()) {
      let following = this.#next.get(row)
      if (!following) this.#next.set(row, (following = new Map()))
      let next = following.get(token)
      if (next === undefined) {
        next = this.tokens.length
        this.tokens.push(token)
        this.#parents.push(row)
        this.#positions.push(position)
        following.set(token, next)
      }
      rows.push((row = next))
    }
    for (const [index, at] of sample.targets.entries()) {
      const read = rows[at + this.soft.length - 1] as number
      this.#targets.push({
        row: read,
        ...distributionOf(sample.tokens[at] as number, sample.teacher?.[index]),
      })
    }
  }

  done(): Pack {
    return {
      tokens: this.tokens,
      parents: Int32Array.from(this.#parents),
      positions: Int32Array.from(this.#positions),
      softAt: this.softAt,
      targets: this.#targets,
    }
  }
}

function distributionOf(
  token: number,
  distribution: TeacherDistribution | undefined,
): Omit<TargetRow, 'row'> {
  if (!distribution) return { ids: [token], probabilities: [1] }
  const sum = distribution.probabilities.reduce((total, value) => total + value, 0)
  return { ids: distribution.ids, probabilities: distribution.probabilities.map((value) => value / sum) }
}

/** What packing has to know of the model and of the room there is. */
export interface PackingLimits {
  /** Ids of the soft prompt. */
  readonly soft: readonly number[]
  /** Most rows of a pack of several samples; one alone may be longer. */
  readonly most: number
  /** What computing so many rows at once costs, in any unit. */
  readonly cost: (rows: number) => number
}

/** How samples are packed for a model, into sequences of at most `most` rows. */
export const packingLimits = (sizes: ModelSizes, soft: readonly number[], most: number): PackingLimits => ({
  soft,
  most,
  cost: (rows) => sequenceOperations(sizes, rows),
})

/** Samples as packs, in order: a sample joins the first pack where that costs less than a pack of its own. */
export function packSamples(samples: readonly TrainingSample[], { soft, most, cost }: PackingLimits): Pack[] {
  const trees: Tree[] = []
  for (const sample of samples) {
    const { tokens, softAt } = sample
    const sequence = [...tokens.slice(0, softAt), ...soft, ...tokens.slice(softAt, -1)]
    const alone = cost(sequence.length)
    const joined = trees.find((tree) => {
      if (tree.softAt !== softAt) return false
      const rows = tree.tokens.length
      const together = rows + tree.adds(sequence)
      return together <= most && cost(together) < cost(rows) + alone
    })
    const tree = joined ?? new Tree(softAt, soft)
    if (!joined) trees.push(tree)
    tree.add(sample, sequence)
  }
  return trees.map((tree) => tree.done())
}
