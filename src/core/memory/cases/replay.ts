import type { Rng } from '../../ground/random'
import type { Saved } from './saved'

/**
 * A transition (s, c, r, s', M') of Memento's algorithm 1: places of states in the pool, and numbers of cases.
 * `next` is null after the last step, and always for a learner that does not look ahead.
 */
export interface Transition {
  readonly state: number
  readonly case: number
  readonly reward: 0 | 1
  readonly next: { readonly state: number; readonly cases: readonly number[] } | null
}

/** The replay buffer B: the newest transitions. */
export interface Replay {
  readonly size: number
  add(transitions: readonly Transition[]): void
  /** `fresh` first, then transitions drawn at random with repeats until there are `count`. */
  batch(fresh: readonly Transition[], count: number, rng: Rng): Transition[]
  save(): Saved
}

const NONE = -1

/** @param saved what an earlier buffer of the same capacity saved; default: an empty one */
export function createReplay(capacity: number, saved?: Saved): Replay {
  const heldTransitions = saved ? transitionsFrom(saved['replay']) : []
  let oldest = saved?.['replay-oldest']?.[0] ?? 0
  return {
    get size() {
      return heldTransitions.length
    },
    add(transitions) {
      for (const transition of transitions) {
        if (heldTransitions.length < capacity) heldTransitions.push(transition)
        else {
          heldTransitions[oldest] = transition
          oldest = (oldest + 1) % capacity
        }
      }
    },
    batch(fresh, count, rng) {
      const batch = fresh.slice(0, count)
      while (batch.length < count && heldTransitions.length > 0) batch.push(rng.pick(heldTransitions))
      return batch
    },
    save: () => ({ replay: rowsOf(heldTransitions), 'replay-oldest': Int32Array.of(oldest) }),
  }
}

/**
 * The transitions of one attempt, each of its states with each of the cases that were recalled for it: only the last state has the reward, and
 * nothing follows it.
 *
 * @param places of its states, in order
 * @param following cases of M' for each of the states after the first
 */
export const transitionsAlong = (
  places: readonly number[],
  following: readonly (readonly number[])[],
  cases: readonly number[],
  reward: 0 | 1,
): Transition[] =>
  places.flatMap((state, t) => {
    const place = places[t + 1]
    const next = place === undefined ? null : { state: place, cases: following[t] ?? [] }
    return cases.map((each): Transition => ({ state, case: each, reward: next ? 0 : reward, next }))
  })

/** Transitions as rows of numbers: state, case, reward, next state, how many cases could come next, and those. */
export const rowsOf = (transitions: readonly Transition[]): Int32Array =>
  Int32Array.from(
    transitions.flatMap(({ state, case: chosenCount, reward, next }) => [
      ...[state, chosenCount, reward, next?.state ?? NONE],
      ...[next?.cases.length ?? 0, ...(next?.cases ?? [])],
    ]),
  )

export function transitionsFrom(rows: Saved[string] | undefined): Transition[] {
  const numbers = Array.from(rows ?? [])
  const transitions: Transition[] = []
  for (let at = 0; at < numbers.length;) {
    const [state = 0, chosenCount = 0, reward = 0, nextState = NONE, count = 0] = numbers.slice(at, at + 5)
    const cases = numbers.slice(at + 5, at + 5 + count)
    transitions.push({
      state,
      case: chosenCount,
      reward: reward === 1 ? 1 : 0,
      next: nextState === NONE ? null : { state: nextState, cases },
    })
    at += 5 + count
  }
  return transitions
}
