import { AdamW } from '../../ground/adamw'
import { valueScale, type TdSettings } from './deep-q'
import { addEpisodicGradient, distancesOf, episodicValue, type Neighbour } from './kernel'
import { tdTarget } from './policy'
import type { PooledCase } from './pool'
import { relate, RELATIONS, type Traits } from './relations'
import { createReplay, type Transition } from './replay'
import { trustIn, type CaseSelector, type SelectorInput } from './selector'
import { average, startOf } from './target'
import { runningMean } from './running-mean'

export interface EpisodicSettings extends TdSettings {
  /** Learning rate eta of the kernel. */
  readonly rate: number
  /** Steps per write, each on `batch` transitions. */
  readonly steps: number
  readonly batch: number
  /** Transitions the replay buffer holds. */
  readonly replay: number
  /** Newest entries of the episodic memory kept per case. */
  readonly entries: number
  /** Kernel mass at which similarity and Q count the same. */
  readonly coldStart: number
}

/** At first the kernel falls by a factor e for every third of the way to a state that shares nothing in one part. */
const FIRST_THETA = Math.log(3)

/** An entry (s_i, Q_i) of D_c; s_i by its place among the pool's states. */
interface Entry {
  readonly state: number
  readonly value: number
}

/**
 * Neural episodic control (Memento eq. 9 to 11, algorithm 1): Q(s, c) is the kernel-weighted mean of what recalling c led to in other states,
 * and the kernel is what is learned. Where nothing near is known of a case, similarity decides.
 */
export function episodicSelector(input: SelectorInput, settings: EpisodicSettings): CaseSelector {
  const { pool, saved } = input
  const { alpha, gamma } = settings
  const scale = valueScale(settings)
  const theta = Float32Array.from(saved?.['theta'] ?? new Float32Array(RELATIONS.length).fill(FIRST_THETA))
  const target = startOf(saved, theta)
  const gradient = new Float32Array(theta.length)
  const { mean, square } = (saved ?? {}) as Record<string, Float32Array | undefined>
  const optimizer = new AdamW(
    theta.length,
    {},
    mean && square ? { mean, square, steps: saved?.['steps']?.[0] ?? 0 } : undefined,
  )
  const replay = createReplay(settings.replay, saved)
  const memory = restoreItem(saved)
  let writes = saved?.['writes']?.[0] ?? 0
  const usual = runningMean(saved)

  /** D_c as seen from a state. An entry made in that very state is left out, or the kernel would only learn to find itself. */
  function neighbours(state: Traits, knownCount: number, except: number | null): Neighbour[] {
    return (memory.get(knownCount) ?? [])
      .filter((entry) => entry.state !== except)
      .map((entry) => ({
        distances: distancesOf(relate(state, pool.state(entry.state))),
        value: entry.value,
      }))
  }

  function targetOf({ reward, next }: Transition): number {
    const values = (next?.cases ?? []).flatMap((at) => {
      const { value, mass } = episodicValue(
        target,
        neighbours(pool.state(next?.state ?? 0), at, next?.state ?? null),
      )
      return mass > 0 ? [value] : []
    })
    return tdTarget(reward, next ? gamma : 0, alpha, values)
  }

  function retain({ state, case: chosenCount }: Transition, value: number): void {
    const entries = [...(memory.get(chosenCount) ?? []), { state, value }]
    memory.set(chosenCount, entries.slice(-settings.entries))
  }

  return {
    alpha,
    nextCases: gamma > 0 ? settings.nextCases : 0,
    acrossTasks: settings.acrossTasks,
    readsPlans: false,
    estimator: (state) => (knownCase: PooledCase) => {
      const { value, mass } = episodicValue(theta, neighbours(state, knownCase.index, null))
      return usual.estimate(state, knownCase, scale * value, trustIn(mass, settings.coldStart))
    },
    learn(transitions, rng) {
      if (transitions.length > 0) {
        replay.add(transitions)
        const values = transitions.map(targetOf)
        transitions.forEach((each, i) => {
          retain(each, values[i] as number)
          usual.add(scale * (values[i] as number))
        })
        for (let step = 0; step < settings.steps; step++) {
          const batch = replay.batch(step === 0 ? transitions : [], settings.batch, rng)
          gradient.fill(0)
          for (const each of batch) {
            const near = neighbours(pool.state(each.state), each.case, each.state)
            if (near.length > 1) addEpisodicGradient(theta, near, targetOf(each), 1 / batch.length, gradient)
          }
          optimizer.step(theta, gradient, settings.rate)
        }
      }
      writes++
      if (writes % settings.period === 0) average(target, theta, settings.averaging)
    },
    save() {
      const state = optimizer.state
      const entries = [...memory].flatMap(([chosenCount, heldEntries]) =>
        heldEntries.map((entry) => ({ chosen: chosenCount, ...entry })),
      )
      return {
        theta: Float32Array.from(theta),
        target: Float32Array.from(target),
        mean: state.mean,
        square: state.square,
        steps: Float64Array.of(state.steps),
        writes: Float64Array.of(writes),
        ...replay.save(),
        ...usual.save(),
        'memory-places': Int32Array.from(entries.flatMap(({ chosen, state: at }) => [chosen, at])),
        'memory-values': Float64Array.from(entries.map(({ value }) => value)),
      }
    },
  }
}

function restoreItem(saved: SelectorInput['saved']): Map<number, readonly Entry[]> {
  const memory = new Map<number, Entry[]>()
  const places = saved?.['memory-places'] ?? []
  const values = saved?.['memory-values'] ?? []
  values.forEach((value, i) => {
    const chosenCount = places[2 * i] ?? 0
    const entries = memory.get(chosenCount) ?? []
    entries.push({ state: places[2 * i + 1] ?? 0, value })
    memory.set(chosenCount, entries)
  })
  return memory
}
