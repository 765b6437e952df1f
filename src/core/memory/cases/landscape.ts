import { createRng } from '../../ground/random'
import type { MemoryStore, CaseWrite } from '../../ground/ports'
import { creditedCases, openLearner, type LearnerOptions } from './learner'
import { traitsOf, type Traits } from './relations'

/** A state that cases are valued for. */
export interface Probe {
  readonly state: Traits
  /** The case made from it, which is not valued for itself; null for a state that was never attempted. */
  readonly ownCase: string | null
}

/** Q of cases while their memory was written (Memento eq. 15 read along the stream). */
export interface Landscape {
  /** Cases written by each moment, ascending; the last one is now. */
  readonly moments: readonly number[]
  /** By case: the mean over the probes at each moment; null before it was written. */
  readonly values: ReadonlyMap<string, readonly (number | null)[]>
  /** How far values are trusted at each moment, the mean over cases and probes, 0 to 1. */
  readonly trust: readonly number[]
}

/** What a memory's writes tell before anything is learned from them. */
export interface ProposalSummary {
  readonly total: number
  /** Cases of the environment in order of arrival, with how many attempts they were recalled for. */
  readonly uses: ReadonlyMap<string, number>
  /** Evenly spread over the environment's attempts. */
  readonly probes: readonly Probe[]
}

/** Most moments a landscape has. */
const MOMENTS = 24
/** Attempts that values are the mean over. */
const PROBES = 12

/** Evenly spread numbers from 1 to `total`, the last one `total`. */
export function momentsOf(total: number, most = MOMENTS): number[] {
  const count = Math.min(total, most)
  return Array.from({ length: count }, (_, i) => Math.round(((i + 1) * total) / count))
}

export async function readProposals(
  bank: Pick<MemoryStore, 'writes'>,
  environment: string,
  signal?: AbortSignal,
): Promise<ProposalSummary> {
  const uses = new Map<string, number>()
  const attempts: (() => Probe)[] = []
  let total = 0
  for await (const write of bank.writes(0)) {
    signal?.throwIfAborted()
    total++
    for (const id of creditedCases(write)) if (uses.has(id)) uses.set(id, (uses.get(id) ?? 0) + 1)
    if (write.case.environment !== environment) continue
    uses.set(write.case.id, 0)
    attempts.push(() => probeOf(write))
  }
  const probes = momentsOf(attempts.length, PROBES).flatMap((n) => attempts[n - 1]?.() ?? [])
  return { total, uses, probes }
}

const probeOf = ({ case: { id, state }, attempt, vector }: CaseWrite): Probe => ({
  state: traitsOf(state, attempt?.task.context ?? '', vector),
  ownCase: id,
})

/** Learns from the journal once more, from its beginning, and looks at every case of the environment at some moments on the way. */
export async function caseLandscape(
  options: LearnerOptions,
  { environment, probes, total }: { environment: string; probes: readonly Probe[]; total: number },
  signal?: AbortSignal,
): Promise<Landscape> {
  let reach = 0
  const learner = await openLearner({
    ...options,
    candidates: Infinity,
    bank: {
      async *writes(from) {
        let at = from
        if (at >= reach) return
        for await (const write of options.bank.writes(from)) {
          yield write
          if (++at >= reach) return
        }
      },
      // Its past is wanted, not where it stands.
      artifacts: { read: () => Promise.resolve(null), replace: () => Promise.resolve() },
    },
  })
  const moments = momentsOf(total)
  const values = new Map<string, (number | null)[]>()
  const trust: number[] = []
  for (const [place, moment] of moments.entries()) {
    reach = moment
    await learner.catchUp(signal)
    const sums = new Map<string, { value: number; n: number }>()
    let trusted = 0
    let pairs = 0
    for (const { state, ownCase } of probes) {
      for (const { id, value, weight } of learner.rank(state, environment, createRng('landscape'))) {
        if (id === ownCase) continue
        const { value: before, n } = sums.get(id) ?? { value: 0, n: 0 }
        sums.set(id, { value: before + value, n: n + 1 })
        trusted += weight
        pairs++
      }
    }
    trust.push(pairs === 0 ? 0 : trusted / pairs)
    for (const [id, { value, n }] of sums) {
      const row = values.get(id) ?? moments.map(() => null)
      row[place] = value / n
      values.set(id, row)
    }
  }
  return { moments, values, trust }
}
