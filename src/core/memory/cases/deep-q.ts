import { squaredError } from './network'
import { tdTarget } from './policy'
import { createReplay, type Transition } from './replay'
import { trustIn, type CaseSelector, type SelectorInput } from './selector'
import type { ParametricSettings } from './parametric'
import { average, startOf } from './target'
import { trainedNetwork, type Sample } from './trained-network'

/** What all learners with TD targets are told. */
export interface TdSettings {
  /** Entropy weight alpha of eq. 3; 0 is plain Q-learning. */
  readonly alpha: number
  /** Discount gamma; 0 makes every step one of its own. */
  readonly gamma: number
  /** Whether the next task is what comes after the last plan of a task; else a task ends with it. */
  readonly acrossTasks: boolean
  /** K of algorithm 1: writes between two updates of the target network. */
  readonly period: number
  /** Cases of M', the nearest to s', that stand for all of it (eq. 8). */
  readonly nextCases: number
  /** beta of algorithm 1: how much of the target network stays at an update. */
  readonly averaging: number
}

/**
 * What brings values to about 0 to 1, the scale of similarities: a task's discounted reward is there already, the sum of those of all tasks
 * to come is once it is multiplied with 1 - gamma.
 */
export const valueScale = ({ gamma, acrossTasks }: Pick<TdSettings, 'gamma' | 'acrossTasks'>): number =>
  acrossTasks ? 1 - gamma : 1

/** Q is the output itself. */
const asIs = (z: number): number => z

/** Q of a case unlike and like the state, before anything is learned. */
const FIRST_VALUES = { low: 0, high: 1 }

/**
 * Soft Q-learning with a network (Memento eq. 7, 8, 24, 25): the squared TD error against a target network, cases drawn from mu*.
 * alpha = 0 is deep Q-learning.
 */
export function deepSelector(input: SelectorInput, settings: ParametricSettings & TdSettings): CaseSelector {
  const { saved } = input
  const { alpha, gamma } = settings
  const scale = valueScale(settings)
  const trained = trainedNetwork(input, settings, FIRST_VALUES)
  const target = startOf(saved, trained.weights)
  const replay = createReplay(settings.replay, saved)
  let attempts = saved?.['attempts']?.[0] ?? 0
  let writes = saved?.['writes']?.[0] ?? 0

  /** Each transition with its TD target, which the target network gives. */
  function samplesOf(batch: readonly Transition[]): Sample[] {
    const inputs = batch.map((each) => trained.inputsOf(each))
    const following = trained.outputs(
      inputs.flatMap(({ next }) => next),
      target,
    )
    const values = following.map((each) => trained.mean(each, asIs))
    return inputs.map(({ own, next }, i) => {
      const { reward, next: goesOn } = batch[i] as Transition
      const y = tdTarget(reward, goesOn ? gamma : 0, alpha, values.splice(0, next.length))
      return { x: own, loss: (z) => squaredError(z, y) }
    })
  }

  return {
    alpha,
    nextCases: gamma > 0 ? settings.nextCases : 0,
    acrossTasks: settings.acrossTasks,
    readsPlans: settings.embedding,
    estimator(state) {
      const outputs = trained.reading(state)
      const weight = trustIn(attempts, settings.coldStart)
      return (knownCase) => ({ value: scale * trained.mean(outputs(knownCase), asIs), weight })
    },
    learn(transitions, rng) {
      if (transitions.length > 0) {
        attempts++
        trained.compare(samplesOf(transitions))
        replay.add(transitions)
        for (let step = 0; step < settings.steps; step++)
          trained.step(samplesOf(replay.batch(step === 0 ? transitions : [], settings.batch, rng)))
      }
      writes++
      if (writes % settings.period === 0) average(target, trained.weights, settings.averaging)
    },
    save: () => ({
      ...trained.save(),
      ...replay.save(),
      target: Float32Array.from(target),
      attempts: Float64Array.of(attempts),
      writes: Float64Array.of(writes),
    }),
  }
}
