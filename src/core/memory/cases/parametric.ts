import { crossEntropy, sigmoid } from './network'
import { createReplay, type Transition } from './replay'
import { trustIn, type CaseSelector, type SelectorInput } from './selector'
import { trainedNetwork, type NetworkSettings, type Sample } from './trained-network'

export interface ParametricSettings extends NetworkSettings {
  /** Steps per write, each on `batch` transitions. */
  readonly steps: number
  readonly batch: number
  /** Transitions the replay buffer holds. */
  readonly replay: number
  /** Attempts with recalled cases after which similarity and Q count the same. */
  readonly coldStart: number
}

/** Q is low for a case unlike the state and high for one like it until the network has learned better. */
const FIRST_LOGITS = { low: -2, high: 2 }

/**
 * Memento's parametric memory: Q(s, c; theta) = p(r = 1 | s, c) by a two-layer network, learned online with cross-entropy
 * (eq. 15, 26) from a replay buffer, read with TopK (eq. 16). Each recalled case of an attempt is one sample with the attempt's reward.
 */
export function parametricSelector(input: SelectorInput, settings: ParametricSettings): CaseSelector {
  const { saved } = input
  const trained = trainedNetwork(input, settings, FIRST_LOGITS)
  const replay = createReplay(settings.replay, saved)
  const sampleOf = (each: Transition): Sample => ({
    x: trained.inputsOf(each).own,
    loss: (z) => crossEntropy(z, each.reward),
  })
  let attempts = saved?.['attempts']?.[0] ?? 0
  return {
    alpha: 0,
    nextCases: 0,
    acrossTasks: false,
    readsPlans: settings.embedding,
    estimator(state) {
      const outputs = trained.reading(state)
      const weight = trustIn(attempts, settings.coldStart)
      return (knownCase) => ({ value: trained.mean(outputs(knownCase), sigmoid), weight })
    },
    learn(transitions, rng) {
      if (transitions.length === 0) return
      attempts++
      trained.compare(transitions.map(sampleOf))
      replay.add(transitions)
      for (let step = 0; step < settings.steps; step++)
        trained.step(replay.batch(step === 0 ? transitions : [], settings.batch, rng).map(sampleOf))
    },
    save: () => ({ ...trained.save(), ...replay.save(), attempts: Float64Array.of(attempts) }),
  }
}
