import type { MemoryStore } from '../ground/ports'
import { createSerial } from '../../shared/serial'
import { livedOf } from './acts'
import { createBeliefs, type Beliefs } from './beliefs'

/** The beliefs of one memory: a fold of its journal, kept nowhere else. */
export interface BeliefFold {
  /** What the attempts so far taught; takes in what was committed since. */
  now(signal?: AbortSignal): Promise<Beliefs>
}

type Journal = Pick<MemoryStore, 'trajectories' | 'curation'>

function openFold(bank: Journal): BeliefFold {
  const beliefs = createBeliefs()
  const serial = createSerial()
  let takenCount = 0
  return {
    now: (signal) =>
      serial(async () => {
        for await (const trajectory of bank.trajectories(takenCount)) {
          signal?.throwIfAborted()
          takenCount++
          if (trajectory.heldOut !== true) beliefs.take(livedOf(trajectory))
        }
        return beliefs
      }),
  }
}

const folds = new WeakMap<object, { readonly corrected: unknown; readonly fold: BeliefFold }>()

/** The beliefs of a memory as its journal stands; made anew after a correction. */
export function beliefsOf(bank: Journal, signal?: AbortSignal): Promise<Beliefs> {
  const corrected = bank.curation.lastCorrection
  const before = folds.get(bank)
  const entry = before?.corrected === corrected ? before : { corrected, fold: openFold(bank) }
  folds.set(bank, entry)
  return entry.fold.now(signal)
}
