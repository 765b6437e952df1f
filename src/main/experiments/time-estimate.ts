import { msPerAttempt, sharedTimeMs, type TimedStep } from '../../shared/figures/pace'
import type { RunQueue } from '../runs/run-queue'

/** Newest runs that the pace is measured over. */
const RUNS_LOOKED_AT = 40

/** Milliseconds per attempt, by method. */
export type Paces = ReadonlyMap<string, number>

/** The pace of each method in the newest runs with this model; attempts that were never made do not count. */
export function earlierPaces(runs: Pick<RunQueue, 'list' | 'steps'>, model: string): Paces {
  const stepsMap = new Map<string, TimedStep[]>()
  const uniformFields = runs.list().filter(({ config, done }) => config.model === model && done > 0)
  for (const { id, config } of uniformFields.slice(0, RUNS_LOOKED_AT)) {
    stepsMap.set(config.method, [...(stepsMap.get(config.method) ?? []), ...runs.steps(id)])
  }
  return new Map(
    [...stepsMap].flatMap(([method, steps]) => {
      const pace = msPerAttempt(steps)
      return pace === null ? [] : [[method, pace] as const]
    }),
  )
}

/** What is to be estimated. */
export interface Workload {
  /** The method of each cell. */
  readonly methods: readonly string[]
  readonly attemptsPerCell: number
  /** Cells worked on at a time. */
  readonly inFlight: number
}

/**
 * About how long the work takes. A method without a pace of its own is taken to be as slow as the slowest known one, and named
 * in `guessed`. Cells in flight are taken to share the work evenly.
 */
export function estimateTime(
  { methods, attemptsPerCell, inFlight }: Workload,
  paces: Paces,
): { etaMs: number | null; guessed: string[] } {
  if (paces.size === 0) return { etaMs: null, guessed: [] }
  const slowest = Math.max(...paces.values())
  const cells = methods.map((method) => attemptsPerCell * (paces.get(method) ?? slowest))
  const guessed = [...new Set(methods)].filter((method) => !paces.has(method))
  return { etaMs: sharedTimeMs(cells, inFlight), guessed }
}
