import type { ExperienceStanding, Ranking, StoredExperience } from '../../../shared/domain/experience'
import type { EvidenceKind } from '../../../shared/domain/verdict'
import type { ExperienceEvent } from './events'

/** The id of experiences as a kind of memory. */
export const EXPERIENCE_KIND = 'experience'

/** u_j of an experience nobody has used yet. */
export const FIRST_UTILITY = 0.5
/** Days an evicted or deleted experience can be restored. */
const TRASH_DAYS = 30

/** What is kept in memory about an experience; its text stays in the journal, as event number `at`. */
export interface ExperienceEntry {
  readonly id: string
  readonly at: number
  readonly createdAt: string
  readonly framework: string
  readonly domain: string
  readonly tools: readonly string[]
  readonly origin: string
  readonly outcome: string
  readonly derivedFrom: string | null
  readonly trajectoryId: string | null
  readonly contentHash: string
  /** What the rules of verdicts saw in it, where a person or its log said how it ended. */
  readonly signs?: readonly EvidenceKind[] | undefined
  gone: {
    readonly state: 'superseded' | 'evicted'
    readonly by: string | null
    readonly why: NonNullable<ExperienceStanding['why']>
    readonly at: string
    readonly ranking: Ranking | null
  } | null
  /** Whether it was compared with the one most similar to it. */
  compared: boolean
  utility: number
  lastUsedAt: string | null
  /** Uses in the memory it was taken over from. */
  readonly usesBefore: number
  /** Attempts and requests that used it. */
  usedBy: ReadonlySet<string>
  /** Other frameworks it earned a reward in. */
  transfers: ReadonlySet<string>
  /** u of single statements of its guidance that plans took over; 0.5 to begin with. */
  rules: ReadonlyMap<string, number>
}

/** Shared by all that nobody used: of a million experiences, most. */
const NOBODY: ReadonlySet<string> = new Set()
const NO_RULES: ReadonlyMap<string, number> = new Map()

/** Adds in place, unless the set is the shared empty one. */
const joined = (set: ReadonlySet<string>, item: string): ReadonlySet<string> =>
  set === NOBODY ? new Set([item]) : (set as Set<string>).add(item)

const getMovedMap = (
  rules: ReadonlyMap<string, number>,
  uses: readonly string[],
  { eta, reward }: { readonly eta: number; readonly reward: number },
): ReadonlyMap<string, number> => {
  const after = new Map(rules)
  for (const rule of uses) {
    const before = after.get(rule) ?? FIRST_UTILITY
    after.set(rule, before + eta * (reward - before))
  }
  return after
}

const rulesWith = (record: Readonly<Record<string, number>> = {}): ReadonlyMap<string, number> => {
  const rules = Object.entries(record)
  return rules.length === 0 ? NO_RULES : new Map(rules)
}

/**
 * u of each statement that an attempt has put to the test, over all experiences that state it, whatever became of them: what is wrong in one is wrong in
 * every one that says the same.
 */
export function testedRules(entries: Iterable<Pick<ExperienceEntry, 'rules'>>): ReadonlyMap<string, number> {
  const sums = new Map<string, { sum: number; n: number }>()
  for (const { rules } of entries)
    for (const [rule, utility] of rules) {
      const { sum, n } = sums.get(rule) ?? { sum: 0, n: 0 }
      sums.set(rule, { sum: sum + utility, n: n + 1 })
    }
  return new Map([...sums].map(([rule, { sum, n }]) => [rule, sum / n]))
}

export type ExperienceEntries = Map<string, ExperienceEntry>

/** Applies one event. Applying the same event again changes nothing. */
export function applyExperienceEvent(entries: ExperienceEntries, event: ExperienceEvent, at: number): void {
  if (event.kind === 'experience-added') {
    const { id, createdAt, meta, origin, derivedFrom, trajectoryId } = event.experience
    if (entries.has(id)) return
    const { framework, domain, tools, outcome, contentHash, signs } = meta
    const { carried } = event
    entries.set(id, {
      id,
      at,
      createdAt,
      framework,
      domain,
      tools,
      origin,
      outcome,
      derivedFrom,
      trajectoryId,
      contentHash,
      signs,
      gone: null,
      compared: event.compared === true,
      utility: carried?.utility ?? FIRST_UTILITY,
      lastUsedAt: carried?.lastUsedAt ?? null,
      usesBefore: carried?.uses ?? 0,
      usedBy: NOBODY,
      transfers: carried && carried.transfers.length > 0 ? new Set(carried.transfers) : NOBODY,
      rules: rulesWith(carried?.rules ?? event.rules),
    })
    return
  }
  const entry = entries.get(event.experienceId)
  if (!entry) return
  switch (event.kind) {
    case 'experience-superseded':
      entry.gone ??= {
        state: 'superseded',
        by: event.by,
        why: event.why,
        at: event.at,
        ranking: event.ranking ?? null,
      }
      return
    case 'experience-compared':
      entry.compared = true
      return
    case 'experience-evicted':
      entry.gone ??= { state: 'evicted', by: null, why: 'budget', at: event.at, ranking: null }
      return
    case 'experience-deleted':
      entry.gone = { state: 'evicted', by: null, why: 'deleted', at: event.at, ranking: null }
      return
    case 'experience-restored':
      entry.gone = null
      return
    case 'experience-used':
      if (entry.usedBy.has(event.useId)) return
      entry.usedBy = joined(entry.usedBy, event.useId)
      entry.utility += event.eta * (event.reward - entry.utility)
      entry.lastUsedAt = event.at
      if (event.framework !== entry.framework && event.reward > 0)
        entry.transfers = joined(entry.transfers, event.framework)
      if (event.rules && event.rules.length > 0) entry.rules = getMovedMap(entry.rules, event.rules, event)
  }
}

/** Whether an event would change anything; null when it speaks of an experience that is not there. */
export function changesExperience(
  entries: ExperienceEntries,
  event: Exclude<ExperienceEvent, { kind: 'experience-added' }>,
): boolean | null {
  const entry = entries.get(event.experienceId)
  if (!entry) return null
  switch (event.kind) {
    case 'experience-superseded':
    case 'experience-evicted':
      return entry.gone === null
    case 'experience-compared':
      return !entry.compared
    case 'experience-deleted':
      return entry.gone?.state !== 'evicted'
    case 'experience-restored':
      return entry.gone !== null
    case 'experience-used':
      return !entry.usedBy.has(event.useId)
  }
}

/** Times an experience was used, here and where it was taken over from. */
export const usesOf = (entry: Pick<ExperienceEntry, 'usedBy' | 'usesBefore'>): number =>
  entry.usesBefore + entry.usedBy.size

/** Whether a live experience has to be compared with the one most similar to it yet. A log waits to be abstracted first. */
export const isUncompared = ({ experience, standing }: StoredExperience): boolean =>
  standing.state === 'live' && standing.compared !== true && experience.origin !== 'log'

/** Where an experience stands, as people and programs see it. */
export const standingOf = (entry: Omit<ExperienceEntry, 'at'>): ExperienceStanding => ({
  state: entry.gone?.state ?? 'live',
  by: entry.gone?.by ?? null,
  why: entry.gone?.why ?? null,
  at: entry.gone?.at ?? null,
  utility: entry.utility,
  uses: usesOf(entry),
  lastUsedAt: entry.lastUsedAt,
  transfers: [...entry.transfers],
  compared: entry.compared,
  ...(entry.rules.size > 0 && { rules: Object.fromEntries(entry.rules) }),
  ranking: entry.gone?.ranking ?? null,
})

/** Until when what was evicted or deleted at `at` can be restored. */
export const trashEnd = (at: string): string =>
  new Date(Date.parse(at) + TRASH_DAYS * 86_400_000).toISOString()

/** Whether an evicted experience has been in the trash for longer than `TRASH_DAYS`; such a one is not given back. */
export const isBeyondTrash = (entry: Pick<ExperienceEntry, 'gone'>, now: Date): boolean =>
  entry.gone?.state === 'evicted' && now.getTime() - Date.parse(entry.gone.at) > TRASH_DAYS * 86_400_000
