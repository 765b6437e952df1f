import type { MemoryStore } from '../ground/ports'
import { createSerial } from '../../shared/serial'
import { ATTEMPT } from '../memory/items/projects'
import { domainOf } from '../tasks'
import { livedElsewhere, livedOf } from './acts'
import { createBeliefs, type Beliefs } from './beliefs'
import type { Refusal } from './refusals'

type Journal = Pick<MemoryStore, 'trajectories' | 'experiences' | 'curation' | 'recalls'>

/** What a memory believes: of its own attempts, and of those that other agents' logs told of, which come after the own. */
function together(own: Beliefs, others: Beliefs): Beliefs {
  const joined = (first: readonly Refusal[], second: readonly Refusal[]): Refusal[] => {
    const isNew = ({ tool, masked }: Refusal): boolean =>
      first.every((one) => one.tool !== tool || one.masked !== masked)
    return [...first, ...second.filter(isNew).map((one) => ({ ...one, isForeign: true as const }))]
  }
  const both = (of: 'agreed' | 'refusals') => (environment: string) =>
    joined(own[of](environment), others[of](domainOf(environment)))
  return {
    ...own,
    agreed: both('agreed'),
    everywhere: () => joined(own.everywhere(), others.everywhere()),
    refusals: both('refusals'),
  }
}

/** The beliefs of one memory, or of what a project sees of it: a fold of its journal, kept nowhere else. */
function openFold(bank: Journal) {
  const own = createBeliefs()
  const others = createBeliefs()
  const all = together(own, others)
  const serial = createSerial()
  let attemptCount = 0
  const imports = new Set<string>()
  return {
    now: (signal?: AbortSignal): Promise<Beliefs> =>
      serial(async () => {
        for await (const trajectory of bank.trajectories(attemptCount)) {
          signal?.throwIfAborted()
          attemptCount++
          const isOurs = bank.recalls?.({ kind: ATTEMPT, id: trajectory.id }) ?? true
          if (isOurs && trajectory.heldOut !== true) own.take(livedOf(trajectory))
        }
        for (const { id, trajectoryId } of bank.experiences.entries()) {
          if (imports.has(id)) continue
          signal?.throwIfAborted()
          imports.add(id)
          const experience = trajectoryId === null ? await bank.experiences.get(id) : null
          if (experience) others.take(livedElsewhere(experience.experience))
        }
        return all
      }),
  }
}

const folds = new WeakMap<
  object,
  { readonly corrected: unknown; readonly fold: ReturnType<typeof openFold> }
>()

/** The beliefs of a memory as its journal stands; made anew after a correction. */
export function beliefsOf(bank: Journal, signal?: AbortSignal): Promise<Beliefs> {
  const corrected = bank.curation.lastCorrection
  const before = folds.get(bank)
  const entry = before?.corrected === corrected ? before : { corrected, fold: openFold(bank) }
  folds.set(bank, entry)
  return entry.fold.now(signal)
}
