import type { MemoryStore } from '../ground/ports'
import { createSerial } from '../../shared/serial'
import { canonicalJson } from '../ground/canonical-json'
import { isForeign, originWords } from '../../shared/domain/trust'
import { BELIEF_KIND, type Belief } from '../memory/beliefs/belief'
import { beliefs as kind, keptBeliefs } from '../memory/beliefs/kind'
import { CASE_KIND } from '../memory/cases/kind'
import { EXPERIENCE_KIND } from '../memory/experiences/fold'
import { curatedOf } from '../memory/items/curated'
import type { MemorySource } from '../memory/items/kind'
import { ATTEMPT } from '../memory/items/projects'
import { isWaiting, trustOf } from '../memory/items/trust'
import { domainOf } from '../tasks'
import { livedElsewhere, livedOf } from './acts'
import { itemsOf, lineOfItem, refusalOfItem, type DrawnBelief } from './belief-items'
import { createBeliefs, type Beliefs } from './beliefs'
import { NO_SOFT_PROMPTS } from './candidates'
import type { Proven } from './proven'
import { isAgreed, rests, type Refusal } from './refusals'

type Journal = Pick<MemoryStore, 'trajectories' | 'experiences' | 'curation' | 'recalls' | 'memorySource'>

/** Whose words a log of another agent is. */
const LOGS = "other agents' logs"

/** Which attempt each case from elsewhere is of, by memory. */
const attemptsOfCases = new WeakMap<object, Map<string, string>>()

/**
 * Attempts and logs that nobody vouched for: they teach nothing until a person takes them out. An attempt waits with its cases and, where it came
 * from a stranger, until one of them is taken out.
 */
async function quarantineIn(bank: Journal): Promise<ReadonlySet<string>> {
  const quarantine = new Set<string>()
  const source = bank.memorySource
  if (!source) return quarantine
  const { curated } = source.state
  for (const [id, { quarantined }] of curated.get(ATTEMPT) ?? [])
    if (isWaiting(quarantined)) quarantine.add(id)
  const attempts = attemptsOfCases.get(bank) ?? new Map<string, string>()
  attemptsOfCases.set(bank, attempts)
  for (const [id, { quarantined, source: origin, restoredAt }] of curated.get(CASE_KIND) ?? []) {
    const isReleased = origin !== null && restoredAt !== null
    if (!isWaiting(quarantined) && !isReleased) continue
    const attempt = attempts.get(id) ?? (await source.caseOf(id))?.trajectoryId
    if (attempt === undefined) continue
    attempts.set(id, attempt)
    if (isReleased) quarantine.delete(attempt)
    else quarantine.add(attempt)
  }
  const logs = curated.get(EXPERIENCE_KIND)
  if (!logs) return quarantine
  for (const { id, trajectoryId } of bank.experiences.entries())
    if (isWaiting(logs.get(id)?.quarantined ?? null)) quarantine.add(id).add(trajectoryId ?? id)
  return quarantine
}

/** What a memory believes, or what a project sees of it: a fold of its journal, kept nowhere else. `quarantine`: attempts and logs that teach nothing yet. */
function openFold(bank: Journal, quarantine: ReadonlySet<string>) {
  const own = createBeliefs()
  const others = createBeliefs()
  const serial = createSerial()
  let attemptCount = 0
  const imports = new Set<string>()
  let elsewhere = { of: -1, isAny: false }
  let items: { readonly of: string; readonly drawn: ReadonlyMap<string, DrawnBelief> } | null = null
  return {
    own,
    others,
    items(): ReadonlyMap<string, DrawnBelief> {
      const of = `${attemptCount} ${imports.size}`
      items = items?.of === of ? items : { of, drawn: itemsOf(own, others) }
      return items.drawn
    },
    /** Whether the memory holds any from elsewhere; its items are gone through only once there are more of them. */
    hasKept(): boolean {
      const all = bank.memorySource?.state.items
      if (!all || elsewhere.isAny || elsewhere.of === all.size) return elsewhere.isAny
      elsewhere = { of: all.size, isAny: false }
      for (const one of all.values()) if (one.kind === BELIEF_KIND) elsewhere.isAny = true
      return elsewhere.isAny
    },
    catchUp: (signal?: AbortSignal): Promise<void> =>
      serial(async () => {
        for await (const trajectory of bank.trajectories(attemptCount)) {
          signal?.throwIfAborted()
          attemptCount++
          const isOurs = bank.recalls?.({ kind: ATTEMPT, id: trajectory.id }) ?? true
          if (isOurs && trajectory.heldOut !== true && !quarantine.has(trajectory.id))
            own.take(livedOf(trajectory))
        }
        for (const { id, trajectoryId } of bank.experiences.entries()) {
          if (imports.has(id) || quarantine.has(id)) continue
          signal?.throwIfAborted()
          imports.add(id)
          const experience = trajectoryId === null ? await bank.experiences.get(id) : null
          if (experience) others.take(livedElsewhere(experience.experience))
        }
      }),
  }
}

type Fold = ReturnType<typeof openFold>
const folds = new WeakMap<object, { readonly basis: string; readonly fold: Fold }>()

/** The fold of a memory as its journal stands; made anew after a correction, and when other attempts wait in quarantine. */
async function foldOf(bank: Journal, signal?: AbortSignal): Promise<Fold> {
  const quarantine = await quarantineIn(bank)
  const basis = `${canonicalJson(bank.curation.lastCorrection)} ${[...quarantine].join(' ')}`
  const before = folds.get(bank)
  const entry = before?.basis === basis ? before : { basis, fold: openFold(bank, quarantine) }
  folds.set(bank, entry)
  await entry.fold.catchUp(signal)
  return entry.fold
}

/** What attempts and logs teach of a memory, or of what a project sees of it, as items by their ids. */
export const drawnBeliefs = async (bank: Journal): Promise<ReadonlyMap<string, DrawnBelief>> =>
  (await foldOf(bank)).items()

/** Beliefs that came from elsewhere and that the project sees, each with where its words are from; null where a memory of the same person met it. */
async function keptOf(
  bank: Journal,
  { hasKept, items }: Pick<Fold, 'hasKept' | 'items'>,
): Promise<{ readonly belief: Belief; readonly foreign: string | null }[]> {
  if (!bank.memorySource || !hasKept()) return []
  const source: MemorySource = { ...bank.memorySource, softPrompts: NO_SOFT_PROMPTS }
  return Promise.all(
    (await keptBeliefs(source, items())).map(async (belief) => {
      const trust = await trustOf(kind, source, belief.id)
      return { belief, foreign: trust && !isForeign(trust) ? null : trust ? originWords(trust) : 'an import' }
    }),
  )
}

/** The beliefs of a memory as agents may be told them: own ones, then those of logs, then those that came from elsewhere, and none that a person took away. */
export async function beliefsOf(bank: Journal, signal?: AbortSignal): Promise<Beliefs> {
  const fold = await foldOf(bank, signal)
  const { own, others } = fold
  const marks = bank.memorySource && curatedOf(bank.memorySource.state.curated, BELIEF_KIND)
  const imports = await keptOf(bank, fold)
  const isWrong = (id: string): boolean => marks?.get(id)?.values['holds'] === 0
  const isSeen = (id: string): boolean => bank.recalls?.({ kind: BELIEF_KIND, id }) ?? true
  const isTold = (id: string, isResting: boolean): boolean => {
    const mark = marks?.get(id)
    if (mark === undefined) return !isResting && isSeen(id)
    const isAgainst = isResting && mark.restoredAt === null && mark.mark !== 'pinned'
    const isHidden = mark.deletedAt !== null || mark.quarantined !== null || mark.mark === 'muted'
    return !isAgainst && !isHidden && !isWrong(id) && isSeen(id)
  }
  // What a person took for wrong is not told by another source either.
  const tellable = (...sources: readonly (readonly Refusal[])[]): Refusal[] =>
    joined(...sources.map((all) => all.filter(isAgreed))).filter((one) => isTold(one.id, rests(one)))
  const lines = (all: readonly Proven[]): Proven[] => all.filter(({ id }) => isTold(id, false))
  const keptRefusals = imports
    .filter(({ belief: { about, holds } }) => about === 'refusal' && holds === 1)
    .map(({ belief, foreign }) => refusalOfItem(belief, foreign))
  const keptLines = imports.filter(({ belief: { about, holds } }) => about === 'line' && holds === 1)
  const isOf = (environment: string) => (one: { readonly environment: string }) =>
    one.environment === environment || one.environment === domainOf(environment)
  const refusals = (environment: string): Refusal[][] => [
    own.refusals(environment),
    ofLogs(others.refusals(domainOf(environment))),
    keptRefusals.filter(isOf(environment)),
  ]
  return {
    ...own,
    refusals: (environment) => joined(...refusals(environment)),
    agreed: (environment) => tellable(...refusals(environment)),
    everywhere: () => tellable(own.allRefusals(), ofLogs(others.allRefusals()), keptRefusals),
    proven: (environment, place) =>
      lines([
        ...own.proven(environment, place),
        ...keptLines
          .filter(({ belief }) => isOf(environment)(belief) && belief.place === place)
          .map(({ belief, foreign }) => lineOfItem(belief, foreign)),
      ]),
    // An attempt that went by what a person took for wrong went by something wrong.
    provenOf: (attempt) => [
      ...lines(own.provenOf(attempt)),
      ...own
        .provenOf(attempt)
        .filter(({ id }) => isWrong(id))
        .map((one) => ({ ...one, sayings: one.sayings.map((saying) => ({ ...saying, p: 0 })) })),
    ],
  }
}

const ofLogs = (all: readonly Refusal[]): Refusal[] => all.map((one) => ({ ...one, foreign: LOGS }))

/** Complaints of several sources, each once: as the first of them tells it. */
function joined(...sources: readonly (readonly Refusal[])[]): Refusal[] {
  const keys = new Set<string>()
  return sources.flat().filter(({ tool, masked }) => {
    const key = `${tool}\n${masked}`
    return !keys.has(key) && keys.add(key)
  })
}
