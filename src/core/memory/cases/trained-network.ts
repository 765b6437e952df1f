import { AdamW } from '../../ground/adamw'
import {
  createNetwork,
  forward,
  gradientOf,
  output,
  readOn,
  weightCount,
  type Loss,
  type Network,
} from './network'
import { pairFeatures, relationFeatures, RELATION_FEATURES, stateFeatures, type PooledCase } from './pool'
import type { Traits } from './relations'
import type { Transition } from './replay'
import type { Saved } from './saved'
import type { SelectorInput } from './selector'

export interface NetworkSettings {
  /** Units of each hidden layer. */
  readonly hidden: number
  /** Learning rate eta. */
  readonly rate: number
  /** Whether a second network reads the state and the case's plan by the encoder. */
  readonly embedding: boolean
}

/** What is read of a pair (s, c). */
export interface PairInput {
  readonly relations: Float64Array
  /** Null where the case is not read. */
  readonly pair: Float64Array | null
}

/** One transition's part in a step: what is read, and the loss of an output z. */
export interface Sample {
  readonly x: PairInput
  readonly loss: (z: number) => Loss
}

export interface Inputs {
  readonly own: PairInput
  readonly next: readonly PairInput[]
}

/** z of a pair by the relations alone, and by both networks. */
export interface Outputs {
  readonly byRelations: number
  readonly byBoth: number
}

/** What is left, after each outcome, of the evidence that speaks for one of both ways: some 300 outcomes count. */
const MEMORY = 0.997
/** Weight decay of the network that reads vectors: it has hundreds of inputs and, at first, few outcomes. */
const READER_DECAY = 5

/**
 * Q(s, c) by two networks: one reads how alike both states are, the other adds to its output what it reads in the state and in what was done.
 * Each is trained for itself, so that the first learns as fast as if it were alone; how far the second is heard is told by how well
 * both have foretold outcomes until now.
 * @param range what the network answers for cosines 0 and 1 before it has learned
 */
export function trainedNetwork(
  { pool, dimension, rng, saved }: SelectorInput,
  settings: NetworkSettings,
  range: { readonly low: number; readonly high: number },
) {
  const { hidden, embedding, rate } = settings
  const relations = createNetwork(RELATION_FEATURES, hidden, rng, range)
  const reader = embedding ? createNetwork(2 * dimension, hidden, rng, { low: 0, high: 0 }) : null
  const split = weightCount(RELATION_FEATURES, hidden)
  const weights = Float32Array.from(saved?.['weights'] ?? [...relations.weights, ...(reader?.weights ?? [])])
  const ofRelations = optimizerOf(saved, 'relations', split, 0)
  const ofReader = reader && optimizerOf(saved, 'reader', weights.length - split, READER_DECAY)
  /** Of all outcomes foretold: by how many nats both networks lost less than the relations alone. */
  let evidence = saved?.['evidence']?.[0] ?? 0
  /** Share of both in the mean, 0 to 1. */
  const trust = (): number => (reader ? 1 / (1 + Math.exp(-evidence)) : 0)

  const over = (own: Network, from: Float32Array, at: number): Network => ({
    ...own,
    weights: from.subarray(at, at + own.weights.length),
  })
  const pass = (inputs: readonly PairInput[], from: Float32Array = weights) => {
    const first = over(relations, from, 0)
    const second = reader && over(reader, from, split)
    const pairs = inputs.map(({ pair }) => pair ?? new Float64Array())
    return {
      first: {
        network: first,
        ...forward(
          first,
          inputs.map((each) => each.relations),
        ),
      },
      second: second && { network: second, ...forward(second, pairs) },
    }
  }
  const outputsOf = ({ first, second }: ReturnType<typeof pass>): Outputs[] =>
    first.z.map((byRelations, i) => ({ byRelations, byBoth: byRelations + (second?.z[i] ?? 0) }))

  const input = (state: Traits, knownCase: PooledCase): PairInput => ({
    relations: relationFeatures(state, knownCase),
    pair: reader ? pairFeatures(state, knownCase, pool) : null,
  })
  /** Relations never change, so those of the replay buffer are computed once; vectors would take too much room, and the middle of the plans moves. */
  const ready = new WeakMap<Transition, Inputs>()

  /** The input of a transition's own pair, and those of the cases that could come next. */
  function inputsOf(transition: Transition): Inputs {
    const knownInputs = ready.get(transition)
    if (knownInputs) return knownInputs
    const { state, case: chosenCount, next } = transition
    const inputs: Inputs = {
      own: input(pool.state(state), pool.at(chosenCount)),
      next: (next?.cases ?? []).map((at) => input(pool.state(next?.state ?? 0), pool.at(at))),
    }
    if (!reader) ready.set(transition, inputs)
    return inputs
  }

  return {
    /** The weights of both, one after the other. */
    weights,
    /** What both make of cases for one state, which is read once for all of them; only as long as nothing is learned in between. */
    reading(state: Traits): (knownCase: PooledCase) => Outputs {
      const byRelations = over(relations, weights, 0)
      const readPlan = reader && readOn(over(reader, weights, split), stateFeatures(state), pool.middle)
      return (knownCase) => {
        const z = output(byRelations, relationFeatures(state, knownCase))
        return { byRelations: z, byBoth: z + (readPlan?.(pool.planOf(knownCase)) ?? 0) }
      }
    },
    inputsOf,
    /** @param weights in the place of its own, e.g. those of a target network */
    outputs: (inputs: readonly PairInput[], from?: Float32Array): Outputs[] => outputsOf(pass(inputs, from)),
    /** The mean of what both ways answer for a pair, `link` brings z to its scale (Bayesian model averaging). */
    mean: ({ byRelations, byBoth }: Outputs, link: (z: number) => number): number =>
      (1 - trust()) * link(byRelations) + trust() * link(byBoth),
    /** Takes note of how well fresh outcomes were foretold, before anything is learned from them. */
    compare(samples: readonly Sample[]) {
      if (!reader) return
      outputsOf(pass(samples.map(({ x }) => x))).forEach(({ byRelations, byBoth }, i) => {
        const { loss } = samples[i] as Sample
        evidence = MEMORY * evidence + loss(byRelations).loss - loss(byBoth).loss
      })
    },
    /** One step against the mean gradient of the samples. */
    step(samples: readonly Sample[]) {
      if (samples.length === 0) return
      const passedPass = pass(samples.map(({ x }) => x))
      const outputs = outputsOf(passedPass)
      const slopes = (of: keyof Outputs): number[] =>
        outputs.map((z, i) => (samples[i] as Sample).loss(z[of]).slope / samples.length)
      const { first, second } = passedPass
      ofRelations.step(first.network.weights, gradientOf(first.network, first, slopes('byRelations')), rate)
      if (second)
        ofReader?.step(second.network.weights, gradientOf(second.network, second, slopes('byBoth')), rate)
    },
    save: (): Saved => ({
      weights: Float32Array.from(weights),
      ...stateOf(ofRelations, 'relations'),
      ...(ofReader && { ...stateOf(ofReader, 'reader'), evidence: Float64Array.of(evidence) }),
    }),
  }
}

/** An optimizer of `size` weights, as far as it had come where that was saved under this name. */
function optimizerOf(saved: Saved | undefined, name: string, size: number, weightDecay: number): AdamW {
  const [mean, square, steps] = [saved?.[`${name}-mean`], saved?.[`${name}-square`], saved?.[`${name}-steps`]]
  const state = mean && square && { mean: Float32Array.from(mean), square: Float32Array.from(square) }
  return new AdamW(size, { weightDecay }, state && { ...state, steps: steps?.[0] ?? 0 })
}

function stateOf({ state }: AdamW, name: string): Saved {
  return {
    [`${name}-mean`]: state.mean,
    [`${name}-square`]: state.square,
    [`${name}-steps`]: Float64Array.of(state.steps),
  }
}
