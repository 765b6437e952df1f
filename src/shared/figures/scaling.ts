import type { ScalingFigures } from '../domain/run'
import { mean } from './mean'

/** Tasks with their reported reward and, where several attempts were made, the rewards of all. */
interface Step {
  readonly reward: 0 | 1
  readonly attempts?: readonly (0 | 1)[] | undefined
}

/** The figures of a run; nothing where every task was attempted once. */
export function scalingFigures(steps: readonly Step[]): {
  readonly scaling?: ScalingFigures
} {
  if (!steps.some(({ attempts }) => attempts !== undefined)) return {}
  const all = steps.map(({ reward, attempts = [reward] }) => attempts)
  const rate = (solved: readonly boolean[]): number => mean(solved.map(Number)) ?? 0
  return {
    scaling: {
      attempts: mean(all.map(({ length }) => length)) ?? 0,
      first: rate(all.map(([first]) => first === 1)),
      reported: rate(steps.map(({ reward }) => reward === 1)),
      any: rate(all.map((attempts) => attempts.includes(1))),
    },
  }
}
