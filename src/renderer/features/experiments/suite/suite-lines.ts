import { columnMeans, mean } from '../../../../shared/figures/mean'
import { movingRate, RECENT } from '../../../../shared/figures/rates'
import type { SuiteCell, SuiteReport } from '../../../../shared/domain/suite'

/** The lives of a method on a stream, each as far as it came. */
export const livesOf = (cells: readonly SuiteCell[], stream: string, method: string): SuiteCell[] =>
  cells.filter((cell) => cell.stream === stream && cell.method === method && cell.rewards.length > 0)

/** Per task, the mean of its reward over lives; as long as the shortest life. */
export const meanRewards = (lives: readonly SuiteCell[]): number[] =>
  columnMeans(lives.map(({ rewards }) => rewards))

/** Per task, the mean tokens of the last tasks up to it, over lives; as long as the shortest life. */
export const meanTokens = (lives: readonly SuiteCell[]): number[] =>
  movingRate(columnMeans(lives.map(({ tokens }) => tokens)), RECENT)

const SPARKS = 24

/** The course of a success rate in a few points, for drawing it small; empty where too little was played. */
export function sparkOf(lives: readonly SuiteCell[]): number[] {
  const rates = movingRate(meanRewards(lives), RECENT)
  if (rates.length < RECENT) return []
  return Array.from(
    { length: SPARKS },
    (_, i) => rates[Math.round((i * (rates.length - 1)) / (SPARKS - 1))] ?? 0,
  )
}

/** A transfer matrix, entry by entry the mean over lives; null where none has it. */
export function meanMatrix(lives: readonly SuiteCell[]): (number | null)[][] {
  const [first] = lives
  if (!first) return []
  return first.matrix.map((row, s) =>
    row.map((_, j) =>
      mean(
        lives.flatMap(({ matrix }) => {
          const entry = matrix[s]?.[j]
          return entry ? [entry.rate] : []
        }),
      ),
    ),
  )
}

/** Colours of the charts. */
const COLOURS = 9

/** A colour for each line: its method's own, unless a line before has that one; then the first that is free. */
export function lineColours(methods: readonly string[], colourOf: (method: string) => string): string[] {
  const takenSet = new Set<string>()
  return methods.map((method) => {
    const own = colourOf(method)
    const free = Array.from({ length: COLOURS }, (_, i) => `--series-${i + 1}`).find(
      (one) => !takenSet.has(one),
    )
    const colour = takenSet.has(own) ? (free ?? own) : own
    takenSet.add(colour)
    return colour
  })
}

/** Methods with the best mean over the suite first; those without one in their own order behind. */
export function bestFirst({ methods, suite, summary }: SuiteReport): string[] {
  const meanOf = (method: string): number =>
    suite.find((one) => one.method === method)?.mean ??
    mean(summary.filter((row) => row.method === method).map((row) => row.mean ?? 0)) ??
    -1
  return [...methods].sort((a, b) => meanOf(b) - meanOf(a))
}
