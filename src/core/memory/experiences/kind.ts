import { z } from 'zod'
import {
  guidanceText,
  storedExperienceSchema,
  type Experience,
  type Guidance,
} from '../../../shared/domain/experience'
import {
  abstractionSchema,
  attemptExperienceSchema,
  kbStatsSchema,
} from '../../../shared/domain/experience-view'
import { reasonsOf } from '../../../shared/domain/verdict'
import { itemMarkSchema } from '../../../shared/domain/item'
import { LoamError } from '../../../shared/errors'
import { canonicalJson } from '../../ground/canonical-json'
import type { ExperienceEvent } from './events'
import { quarantineOf } from '../items/curated'
import { headsOf } from '../items/heads-of'
import { putBack } from '../items/put-back'
import { featuresOf } from '../items/features'
import type { ItemOrigin } from '../items/item-features'
import { line, success, text, textOf } from '../items/field'
import {
  abilityInfo,
  view,
  type KindAbility,
  type ItemHead,
  type MemoryKindModule,
  type MemorySource,
} from '../items/kind'
import { chainOf } from './chain'
import { sanitiseExperience } from './import/sanitise-experience'
import { EXPERIENCE_KIND, standingOf, trashEnd, type ExperienceEntry } from './fold'
import { unknownExperience } from './new-events'
import { statsOf } from './stats'

const KIND = EXPERIENCE_KIND

const lineSchema = storedExperienceSchema.extend({
  kind: z.literal(KIND),
  mark: itemMarkSchema.optional(),
})

const GONE = { superseded: 'superseded', evicted: 'evicted' } as const

const headOf = ({ state }: MemorySource, entry: ExperienceEntry): ItemHead => ({
  id: entry.id,
  environment: entry.domain,
  createdAt: entry.createdAt,
  reward: entry.outcome === 'success' ? 1 : entry.outcome === 'failure' ? 0 : null,
  mark: state.curated.get(KIND)?.get(entry.id)?.mark ?? null,
  gone: entry.gone
    ? {
        why: entry.gone.why === 'deleted' ? 'deleted' : GONE[entry.gone.state],
        at: entry.gone.at,
        by: entry.gone.by,
        ...(entry.gone.state === 'evicted' && { until: trashEnd(entry.gone.at) }),
      }
    : quarantineOf(state.curated.get(KIND)?.get(entry.id)),
  editedAt: entry.id.startsWith(EDITED) ? entry.createdAt : null,
  labels: {
    framework: [entry.framework],
    outcome: [OUTCOME[entry.outcome] ?? entry.outcome],
    origin: [entry.origin],
    tools: entry.tools,
  },
})

const OUTCOME: Readonly<Record<string, string>> = { success: 'solved', failure: 'failed' }

/** Why an experience was replaced, or no longer counts. */
const NOTES = {
  abstraction: 'Replaced by what a model wrote from it',
  duplicate: 'Replaced by a better, similar one',
  edit: 'Replaced by an edited version',
  budget: 'In the trash: left for want of room',
  deleted: 'In the trash: deleted',
} as const

const abilities: readonly KindAbility[] = [
  view(
    'whole',
    'An experience with its steps, and where it stands',
    z.object({ id: z.string() }),
    storedExperienceSchema,
    async (source, { id }) => {
      const match = await source.experience(id)
      if (match) return match
      throw unknownExperience(id)
    },
  ),
  view('stats', 'How many experiences there are, by origin', z.object({}), kbStatsSchema, (source, _, now) =>
    Promise.resolve(statsOf([...source.state.experiences.values()], now)),
  ),
  view(
    'became',
    'What an attempt became; null when it became no experience',
    z.object({ trajectoryId: z.string() }),
    attemptExperienceSchema.nullable(),
    ({ state }, { trajectoryId }) => {
      const entries = [...state.experiences.values()]
      const experienceEntry = entries.find((entry) => entry.trajectoryId === trajectoryId)
      if (!experienceEntry) return Promise.resolve(null)
      const rankings = entries.map(({ gone }) => gone?.ranking)
      const ranking = rankings.find((each) => each?.candidateId === experienceEntry.id) ?? null
      return Promise.resolve({ id: experienceEntry.id, standing: standingOf(experienceEntry), ranking })
    },
  ),
  {
    id: 'abstract',
    about: 'Has a model write experiences from imported logs that have none yet',
    does: 'work',
    input: abstractionSchema,
    output: z.object({ jobId: z.string() }),
  },
]

async function originOf(source: MemorySource, id: string): Promise<ItemOrigin> {
  const { experience } = (await source.experience(id)) ?? {}
  if (!experience || id.startsWith(EDITED)) return { from: 'person', by: null }
  const { client, framework } = experience.meta
  if (client !== null) return { from: 'program', by: client }
  const isKnown = experience.trajectoryId !== null && source.state.trajectories.has(experience.trajectoryId)
  return isKnown ? { from: 'attempt', by: null } : { from: 'elsewhere', by: framework }
}

/** Ids of versions that a person wrote begin so. */
const EDITED = 'edit-'

/** Agent KB's experiences. An edit is a new experience that takes the old one's place. */
export const experiences: MemoryKindModule = {
  info: {
    id: KIND,
    title: 'Experience',
    titleMany: 'Experiences',
    help: 'How some agent went about a problem, and what it would advise the next one.',
    fields: [
      text('question', 'Problem'),
      text('agentPlan', 'Plan', { optional: true }),
      text('agentExperience', 'Advice', { optional: true }),
      text('searchAgentPlan', 'Plan for searching', { optional: true }),
      text('searchAgentExperience', 'Advice for searching', { optional: true }),
      line('domain', 'Field'),
      success('reward', 'Outcome', { optional: true }),
    ],
    facets: [
      { key: 'framework', label: 'Framework' },
      { key: 'outcome', label: 'Outcome' },
      { key: 'origin', label: 'Origin' },
      { key: 'tools', label: 'Tools' },
    ],
    abilities: abilityInfo(abilities),
  },
  abilities,
  alsoShown: ({ decisions = [] }) =>
    decisions.flatMap(({ applied, retrieved }) => (applied ? retrieved.map(({ id }) => id) : [])),
  search: (source, query, signal) => source.searchExperiences(query, signal),
  /** The chain of replacements: what it replaced, directly or in steps, itself, and what replaced it. */
  async history(source, id) {
    const versions = await Promise.all(
      chainOf(source.state.experiences.values(), id).map((one) => source.experience(one)),
    )
    return versions.flatMap((version) => {
      if (!version) return []
      const { experience, standing } = version
      return {
        ref: { kind: KIND, id: experience.id },
        at: standing.at ?? experience.createdAt,
        title: experience.question,
        values: valuesOf(experience),
        current: standing.state === 'live',
        note: standing.why === null ? 'In use' : NOTES[standing.why],
        ranking: standing.ranking,
      }
    })
  },
  ...headsOf(({ state }) => state.experiences, headOf),
  async read(source, id) {
    const match = await source.experience(id)
    if (!match) return null
    const { experience, standing } = match
    const values = valuesOf(experience)
    const advice = [values.agentPlan, values.agentExperience].filter((part) => part !== '')
    return {
      title: experience.question,
      text: [experience.question, ...advice].join('\n\n'),
      values,
      trajectoryIds: experience.trajectoryId === null ? [] : [experience.trajectoryId],
      facts: [
        { label: 'Made by', value: experience.meta.framework },
        { label: 'Utility', value: standing.utility.toFixed(2) },
        ...outcomeFacts(experience.meta),
      ],
    }
  },
  place: () => 'attempt',
  features: (source, id) => featuresOf(experiences, source, id, { origin: () => originOf(source, id) }),
  mark: (source, itemId, mark, { at }) =>
    source.commit([{ kind: 'item-marked', of: KIND, itemId, mark, at }]),
  async edit(source, id, values, { at, newId }) {
    const match = await source.experience(id)
    if (!match) return id
    const { experience, standing } = match
    if (standing.state !== 'live')
      throw new LoamError('CONFLICT', 'It is not live, so another one counts in its place.', {
        suggestion: 'Restore it first.',
      })
    const before = valuesOf(experience)
    const isChanged = (key: keyof typeof before): boolean =>
      values[key] !== undefined && values[key] !== before[key]
    const next: Experience = {
      ...experience,
      id: `${EDITED}${newId}`,
      createdAt: at,
      question: textOf(values, 'question', experience.question),
      agentPlan: textOf(values, 'agentPlan', experience.agentPlan),
      searchAgentPlan: textOf(values, 'searchAgentPlan', experience.searchAgentPlan),
      ...(isChanged('agentExperience') && {
        agentExperience: guidanceOf(textOf(values, 'agentExperience', ''), experience.agentExperience),
      }),
      ...(isChanged('searchAgentExperience') && {
        searchAgentExperience: guidanceOf(
          textOf(values, 'searchAgentExperience', ''),
          experience.searchAgentExperience,
        ),
      }),
      meta: {
        ...experience.meta,
        domain: textOf(values, 'domain', experience.meta.domain),
        ...(isChanged('reward') && {
          outcome: values['reward'] === 1 ? 'success' : 'failure',
          verdict: undefined,
          // What the rules saw in it stays: they are learned from what a person says.
          signs: experience.meta.verdict?.evidence.map(({ kind }) => kind) ?? experience.meta.signs,
        }),
        contentHash: `${EDITED}${newId}`,
      },
    }
    const mark = source.state.curated.get(KIND)?.get(id)?.mark ?? null
    await source.commit([
      { kind: 'experience-added', experience: next },
      { kind: 'experience-superseded', experienceId: id, by: next.id, why: 'edit', at },
      ...(mark ? [{ kind: 'item-marked', of: KIND, itemId: next.id, mark, at } as const] : []),
    ])
    return next.id
  },
  remove: (source, experienceId, { at }) => source.commit([{ kind: 'experience-deleted', experienceId, at }]),
  restore: (source, experienceId, { at }) =>
    putBack(
      source,
      { kind: 'experience-restored', experienceId, at },
      { of: KIND, itemId: experienceId, at },
    ),
  async toLine(source, id) {
    const match = await source.experience(id)
    const mark = source.state.curated.get(KIND)?.get(id)?.mark
    return match && { kind: KIND, ...match, ...(mark && { mark }) }
  },
  async fromLine(source, value, { at, onRedacted }) {
    const { experience: input, standing, mark } = lineSchema.parse(value)
    const { experience, redactions } = sanitiseExperience(input)
    onRedacted?.(redactions)
    const holding = await source.experience(experience.id)
    if (holding && canonicalJson(holding.experience) === canonicalJson(experience)) return false
    const { utility, uses, lastUsedAt, transfers, rules, state, by, why, ranking } = standing
    const events: ExperienceEvent[] =
      state === 'superseded' &&
      by !== null &&
      (why === 'abstraction' || why === 'duplicate' || why === 'edit')
        ? [
            {
              kind: 'experience-superseded',
              experienceId: experience.id,
              by,
              why,
              at: standing.at ?? at,
              ...(ranking && { ranking }),
            },
          ]
        : state === 'live'
          ? []
          : [{ kind: 'experience-deleted', experienceId: experience.id, at: standing.at ?? at }]
    await source.commit([
      {
        kind: 'experience-added',
        experience,
        carried: { utility, uses, lastUsedAt, transfers, ...(rules && { rules }) },
      },
      ...events,
      ...(mark ? [{ kind: 'item-marked', of: KIND, itemId: experience.id, mark, at } as const] : []),
    ])
    return true
  },
}

/** How it ended, where that was told from what happened: a person can correct it. */
const outcomeFacts = ({ outcome, verdict }: Experience['meta']) =>
  verdict === undefined || verdict.state === 'open'
    ? []
    : [
        {
          label: verdict.state === 'teaches' ? 'Told from what happened' : 'Presumed from what happened',
          value: `${OUTCOME[outcome] ?? outcome}, because ${reasonsOf(verdict)}`,
        },
      ]

/** A list stays a list, a piece of advice per line. */
const guidanceOf = (text: string, before: Guidance): Guidance =>
  typeof before === 'string'
    ? text
    : text
        .split('\n')
        .map((one) => one.replace(/^\s*-\s/, '').trim())
        .filter((one) => one !== '')

const valuesOf = (experience: Experience) => ({
  question: experience.question,
  agentPlan: experience.agentPlan,
  agentExperience: guidanceText(experience.agentExperience),
  searchAgentPlan: experience.searchAgentPlan,
  searchAgentExperience: guidanceText(experience.searchAgentExperience),
  domain: experience.meta.domain,
  ...(experience.meta.outcome !== 'unknown' && { reward: experience.meta.outcome === 'success' ? 1 : 0 }),
})
