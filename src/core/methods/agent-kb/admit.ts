import type { WritingFailure } from '../../../shared/domain/memory'
import type { Experience, Ranking } from '../../../shared/domain/experience'
import { addUsage, NO_USAGE, type Usage } from '../../../shared/domain/trajectory'
import type { MethodContext } from '../../ground/method'
import type { ExperienceBase, MemoryEvent } from '../../ground/ports'
import { defaultsOf, type SettingsOf } from '../../ground/settings'
import { evictions, type EvictionPolicy } from '../../memory/experiences/evict'
import { isUncompared, testedRules } from '../../memory/experiences/fold'
import { onScaleOf } from '../../retrieval/calibration'
import { RANK_ROLE, rankExperiences, saysMore } from './rank'
import { SETTINGS } from './settings'
import { isForeign, trustIn } from './trust'

export interface AdmitOptions {
  /** tau, where texts without relation are at 0: how similar the nearest one has to be for the ranker to step in. Null: never. */
  readonly tau: number | null
  /** Least share of what a framework says that has to agree with what attempts here bore out; 0 trusts everybody. */
  readonly trust: number
  /** Most live experiences. */
  readonly budget: number
  readonly eviction: EvictionPolicy
  /** Part of the ranker's seeds. */
  readonly taskIndex: number
  readonly at: string
}

type KbSettings = SettingsOf<typeof SETTINGS>

/** What keeps experiences, as the settings say. */
export const evictionPolicy = (settings: KbSettings): EvictionPolicy => ({
  utility: settings.evictUtility,
  recency: settings.evictRecency,
  frequency: settings.evictFrequency,
  transfer: settings.evictTransfer,
  halfLifeDays: settings.halfLife,
})

/** How an experience is taken in, as the settings say. */
export const admission = (settings: KbSettings, taskIndex: number, at: string): AdmitOptions => ({
  tau: settings.dedup ? settings.tau : null,
  trust: settings.trust,
  budget: settings.budget,
  eviction: evictionPolicy(settings),
  taskIndex,
  at,
})

export interface Admitted {
  readonly events: readonly MemoryEvent[]
  /** What the ranker said; null when nothing was similar, or its reply was unusable. */
  readonly ranking: Ranking | null
  readonly usage: Usage
}

type AdmitContext = Pick<MethodContext, 'bank' | 'embedder' | 'model' | 'seed' | 'prompts'>

/**
 * Takes an experience in (paper, section 3.2): when the most similar live one has cos(pi, pi') > tau, the ranker keeps the better of
 * the two and the other is superseded; over budget, the least useful leave. An unusable ranking keeps both and is journaled.
 * The log it was abstracted from is superseded and not compared with. `rules`: what its own attempt bore out, by utility.
 */
export async function admitExperience(
  candidate: Experience,
  options: AdmitOptions,
  context: AdmitContext,
  signal?: AbortSignal,
  rules: Readonly<Record<string, number>> = {},
): Promise<Admitted> {
  const { at } = options
  const { experiences } = context.bank
  const events: MemoryEvent[] = [
    {
      kind: 'experience-added',
      experience: candidate,
      compared: true,
      ...(Object.keys(rules).length > 0 && { rules: { ...rules } }),
    },
  ]
  const removalSet = new Set<string>()
  const replaced = candidate.derivedFrom === null ? null : await experiences.get(candidate.derivedFrom)
  if (replaced?.standing.state === 'live') {
    removalSet.add(replaced.experience.id)
    events.push(superseded(replaced.experience.id, candidate.id, 'abstraction', at))
  }
  const compared = await compare(candidate, options, context, signal)
  for (const id of compared.gone) removalSet.add(id)
  const others = [...experiences.entries()].filter(({ id }) => id !== candidate.id && !removalSet.has(id))
  const room = removalSet.has(candidate.id) ? 0 : 1
  const evicted = overBudget(others, { ...options, budget: options.budget - room })
  return { ...compared, events: [...events, ...compared.events, ...evicted] }
}

/**
 * Compares what came without a model (handed in by a program, read from a file or a bundle) as a new experience is: with the most similar one, once.
 * Gives nothing for what is not live, was compared, or waits to be abstracted first.
 */
export async function compareLater(
  id: string,
  options: AdmitOptions,
  context: AdmitContext,
  signal?: AbortSignal,
): Promise<Admitted> {
  const record = await context.bank.experiences.get(id)
  if (record === null || !isUncompared(record)) return { events: [], ranking: null, usage: NO_USAGE }
  const { events, ranking, usage } = await compare(record.experience, options, context, signal)
  return {
    events: [{ kind: 'experience-compared', experienceId: id, at: options.at }, ...events],
    ranking,
    usage,
  }
}

/** Which of the live experiences have to leave. */
export const overBudget = (
  entries: Iterable<Parameters<typeof evictions>[0][number]>,
  { budget, eviction, at }: Pick<AdmitOptions, 'budget' | 'eviction' | 'at'>,
): MemoryEvent[] =>
  evictions([...entries], budget, new Date(at), eviction).map(({ id, score }) => ({
    kind: 'experience-evicted',
    experienceId: id,
    score,
    at,
  }))

/** Which experiences have to leave by the settings as they ship, for work that no run's settings are at hand for; `coming` more find room. */
export const evictedByDefault = (
  { experiences }: { readonly experiences: Pick<ExperienceBase, 'entries'> },
  now: Date,
  coming = 0,
): MemoryEvent[] => {
  const options = admission(defaultsOf(SETTINGS), 0, now.toISOString())
  return overBudget(experiences.entries(), { ...options, budget: options.budget - coming })
}

/**
 * Has the ranker keep the better of an experience and the one most similar to it. Two of which each says something of a thing that the other does not
 * speak of are not redundant, however alike their tasks: both stay.
 */
async function compare(
  candidate: Experience,
  { tau, trust, taskIndex, at }: AdmitOptions,
  context: AdmitContext,
  signal?: AbortSignal,
): Promise<Admitted & { readonly gone: readonly string[] }> {
  const nothing = { events: [], gone: [], ranking: null, usage: NO_USAGE }
  if (tau === null) return nothing
  const least = onScaleOf(context.embedder, tau)
  const near = await nearest(candidate, trust, context, signal)
  if (near === null || near.cosine <= least) return nothing
  const { existing, cosine } = near
  if (saysMore(candidate, existing) && saysMore(existing, candidate)) return nothing
  const measurement = { cosine, tau: least, taskIndex }
  const { ranking, failure, usage } = await rankExperiences(candidate, existing, measurement, context, signal)
  if (ranking === null)
    return { ...nothing, usage, events: failure ? [rankingFailed(candidate, failure, at)] : [] }
  const [keptText, loss] =
    ranking.winner === 'candidate' ? [candidate.id, existing.id] : [existing.id, candidate.id]
  return { events: [superseded(loss, keptText, 'duplicate', at, ranking)], gone: [loss], ranking, usage }
}

const superseded = (
  experienceId: string,
  by: string,
  why: 'abstraction' | 'duplicate',
  at: string,
  ranking?: Ranking,
): MemoryEvent => ({ kind: 'experience-superseded', experienceId, by, why, at, ...(ranking && { ranking }) })

/** Neighbours that are looked at for one to be compared with. */
const NEIGHBOURS = 10

/** The most similar live one that it may be compared with: nothing from a framework that has not earned trust takes the place of what was lived here. */
async function nearest(
  candidate: Experience,
  least: number,
  { bank: { experiences }, embedder }: Pick<AdmitContext, 'bank' | 'embedder'>,
  signal?: AbortSignal,
): Promise<{ readonly existing: Experience; readonly cosine: number } | null> {
  const [vector] = await embedder.embed([candidate.question], { signal })
  if (!vector) return null
  const tested = least === 0 ? new Map<string, number>() : testedRules(experiences.entries())
  const trust = await trustIn(experiences, tested, least)
  const isUnknown = (one: Experience): boolean => isForeign(one) && trust.of(one.meta.framework) !== 'earned'
  for (const { id, score } of await experiences.nearest(vector, NEIGHBOURS)) {
    if (id === candidate.derivedFrom || id === candidate.id) continue
    const existing = (await experiences.get(id))?.experience
    if (!existing) continue
    const apart = isForeign(candidate) !== isForeign(existing)
    if (!apart || !(isUnknown(candidate) || isUnknown(existing))) return { existing, cosine: score }
  }
  return null
}

/** Compares those of the experiences that were recalled which nobody has compared yet, one after the other. */
export async function compareRecalled(
  ids: Iterable<string>,
  options: AdmitOptions,
  context: AdmitContext,
  signal?: AbortSignal,
): Promise<Pick<Admitted, 'events' | 'usage'>> {
  const events: MemoryEvent[] = []
  const removalSet = new Set<string>()
  let usage = NO_USAGE
  for (const id of ids) {
    if (removalSet.has(id)) continue
    const compared = await compareLater(id, options, context, signal)
    usage = addUsage(usage, compared.usage)
    for (const event of compared.events) {
      if (event.kind === 'experience-superseded') removalSet.add(event.experienceId)
      events.push(event)
    }
  }
  return { events, usage }
}

const rankingFailed = (
  candidate: Experience,
  { reason, tries }: Pick<WritingFailure, 'reason' | 'tries'>,
  at: string,
): MemoryEvent => ({
  kind: 'writing-failed',
  failure: {
    id: `${RANK_ROLE}-${candidate.id}`,
    runId: '',
    environment: candidate.meta.domain,
    role: RANK_ROLE,
    trajectoryIds: candidate.trajectoryId === null ? [] : [candidate.trajectoryId],
    reason,
    tries,
    at,
  },
})
