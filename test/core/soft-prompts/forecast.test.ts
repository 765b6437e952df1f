import { describe, expect, it } from 'vitest'
import type { ModelSizes } from '../../../src/core/soft-prompts/estimate'
import {
  forecastLengths,
  forecastOperations,
  guessLengths,
  measureLengths,
  operationsTaken,
} from '../../../src/core/soft-prompts/forecast'
import { packingLimits } from '../../../src/core/soft-prompts/packing'
import { planDistillation } from '../../../src/core/soft-prompts/plan'
import type { TrainingSample } from '../../../src/core/soft-prompts/samples'
import { trainingSettingsSchema } from '../../../src/shared/domain/soft-prompt'
import { NO_USAGE, type Trajectory } from '../../../src/shared/domain/trajectory'
import { solvedAttempt } from '../../main/soft-prompts/fixtures'

const sizes: ModelSizes = {
  ...{ layers: 4, width: 256, heads: 4, keyHeads: 4, headWidth: 64, feedForward: 704 },
  ...{ vocabulary: 2184, weightBytes: 8e6, matrixValues: 3.3e6 },
}
/** Asked with a prompt of `own` tokens, and shown another attempt that took `shown` tokens. */
const attempt = (id: string, own: number, shown: { of: string; tokens: number } | null): Trajectory => {
  const made = solvedAttempt(id, `Task ${id}`, ['x'.repeat(40)])
  const usage = { ...NO_USAGE, promptTokens: own + (shown?.tokens ?? 0), completionTokens: 10 }
  const recalled: Trajectory['recalled'] = shown
    ? [
        {
          ...{ kind: 'trajectory', id: shown.of, trajectoryId: shown.of, title: '', score: 1 },
          ...{ scoreKind: 'recency', reward: 1, tokens: shown.tokens },
        },
      ]
    : []
  return { ...made, recalled, rounds: made.rounds.map((round) => ({ ...round, usage })) }
}

describe('the forecast', () => {
  const attempts = [
    attempt('a', 300, null),
    attempt('b', 300, { of: 'a', tokens: 70 }),
    attempt('c', 500, { of: 'b', tokens: 90 }),
    ...Array.from({ length: 9 }, (_, i) => attempt(`more ${i}`, 300, null)),
  ]

  it('takes lengths from what attempts were measured to take', () => {
    const lengths = measureLengths(attempts)
    expect(attempts.slice(0, 2).map(lengths.shown)).toEqual([70, 90])
    // Never shown: by its text, at the rate of those that were.
    expect(lengths.shown(attempts[2] as Trajectory)).toBeGreaterThan(50)
    expect(lengths.shown(attempts[2] as Trajectory)).toBeLessThan(110)
    // What it was shown of others is not its own, nor what stands between.
    expect(attempts.slice(0, 3).map(lengths.own)).toEqual([310, 307, 507])
  })

  it('counts what a group begins with once, and grows with what the student is shown', () => {
    const of = (student: number) => {
      const planned = planDistillation(attempts, { teacher: 4, student, most: 100, holdOut: 0, seed: 1 })
      return forecastLengths(planned, measureLengths(attempts), 150, 20)
    }
    const [none, three] = [of(0), of(3)]
    expect(Math.max(...three.samples)).toBeGreaterThan(Math.max(...none.samples) + 100)
    const alone = three.samples.reduce((sum, length) => sum + length, 0)
    const [group] = three.groups
    expect(group?.rows).toBeLessThan((alone / three.samples.length) * (group?.samples ?? 0))
    const settings = trainingSettingsSchema.parse({ steps: 10 })
    expect(forecastOperations(three, sizes, settings)).toBeGreaterThan(
      forecastOperations(none, sizes, settings),
    )
  })

  it('counts what samples of an attempt begin with once, as packs do', () => {
    // Replies of 10 tokens behind prompts of 300, of which 150 are the rules of the world: 160 tokens of an attempt's own, and .7 further replies.
    const planned = planDistillation(attempts, { teacher: 4, student: 0, most: 100, holdOut: 0, seed: 1 })
    const { groups } = forecastLengths(planned, measureLengths(attempts), 150, 20)
    const rows = groups.reduce((sum, group) => sum + group.rows, 0)
    // One of the twelve has a prompt of 500.
    expect(rows).toBeGreaterThan(11 * 160 + 360)
    expect(rows).toBeLessThan(12 * (160 + 10) + 200 + groups.length * 171)
  })

  it('guesses longer where tasks begin longer', () => {
    const settings = trainingSettingsSchema.parse({ steps: 10 })
    const of = (tasks?: { system: number; prompt: number }) =>
      forecastOperations(guessLengths(4, 16, tasks), sizes, settings)
    expect(of({ system: 1200, prompt: 2600 })).toBeGreaterThan(5 * of())
  })

  it('knows what was taken: samples that begin alike cost far less together', () => {
    const settings = trainingSettingsSchema.parse({ steps: 4 })
    const begin = Array.from({ length: 400 }, (_, i) => i)
    const sample = (index: number, group?: string): TrainingSample => ({
      ...{ id: `${index}`, softAt: 0, targets: [401] },
      tokens: [...(group === undefined ? begin.map((id) => id + index) : begin), 7, 8],
      ...(group !== undefined && { group }),
    })
    const limits = packingLimits(sizes, [1, 2], 2048)
    const taken = (group?: string) => {
      const samples = Array.from({ length: 8 }, (_, index) => sample(index, group))
      return operationsTaken(samples, [], settings, 4, sizes, limits)
    }
    expect(taken('one')).toBeLessThan(taken() / 6)
  })
})
