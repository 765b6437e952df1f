import { z } from 'zod'
import {
  caseLandscapeQuerySchema,
  caseLandscapeSchema,
  caseRecordSchema,
  caseVersionSchema,
  caseWorthQuerySchema,
  caseWorthSchema,
  type CaseRecord,
} from '../../../shared/domain/case'
import { canonicalJson } from '../../ground/canonical-json'
import { featuresOf, originOfAttempt } from '../items/features'
import { quarantineOf } from '../items/curated'
import { headsOf } from '../items/heads-of'
import { putBack } from '../items/put-back'
import { success, text, textOf } from '../items/field'
import {
  abilityInfo,
  type KindAbility,
  type ItemHead,
  type MemoryKindModule,
  type MemorySource,
} from '../items/kind'
import type { CaseEntry } from '../entries'
import { caseAnswer } from './case-answer'
import type { CaseEvent } from './events'

/** The id of this kind. */
export const CASE_KIND = 'case'
const KIND = CASE_KIND

const lineSchema = z.object({
  kind: z.literal(KIND),
  case: caseRecordSchema,
  /** How it read before it was corrected, oldest first; absent for a case nobody corrected. */
  earlier: z.array(caseVersionSchema).optional(),
})

const headOf = ({ state }: MemorySource, entry: CaseEntry): ItemHead => ({
  id: entry.id,
  environment: entry.environment,
  createdAt: entry.createdAt,
  reward: entry.reward,
  mark: state.curation.marks.get(entry.id) ?? null,
  gone:
    entry.deletedAt === null
      ? quarantineOf(state.curated.get(KIND)?.get(entry.id))
      : { why: 'deleted', at: entry.deletedAt, by: null },
  editedAt: state.curation.correctedAt.get(entry.id) ?? null,
  labels: { outcome: [entry.reward === 1 ? 'solved' : 'failed'] },
})

/** As it would read had it just been written. */
const getOutput = ({ mark: _, correctedAt: __, ...record }: CaseRecord): CaseRecord => ({
  ...record,
  deletedAt: null,
})

const abilities: readonly KindAbility[] = [
  {
    id: 'worth',
    about: 'Q beside similarity for a task in words',
    does: 'view',
    input: caseWorthQuerySchema.omit({ memoryId: true }),
    output: caseWorthSchema,
  },
  {
    id: 'landscape',
    about: 'Q of the cases from the first write to the last',
    does: 'view',
    input: caseLandscapeQuerySchema.omit({ memoryId: true }),
    output: caseLandscapeSchema,
  },
]

/** Memento's cases. What people do about them has events of its own, since learned values follow them. */
export const cases: MemoryKindModule = {
  info: {
    id: KIND,
    title: 'Case',
    titleMany: 'Cases',
    help: 'A task, what was done about it, and whether that solved it.',
    fields: [
      text('state', 'Task'),
      text('plan', 'What was done', { optional: true }),
      success('reward', 'Outcome'),
    ],
    facets: [{ key: 'outcome', label: 'Outcome' }],
    abilities: abilityInfo(abilities),
  },
  abilities,
  search: (source, query, signal) => source.searchCases(query, signal),
  async history(source, id) {
    const versions = await source.caseVersions(id)
    return versions.map(({ at, state, plan, reward }, i) => ({
      ref: { kind: KIND, id },
      at,
      title: state,
      values: { state, plan, reward },
      current: i === versions.length - 1,
      note: i === 0 ? 'As the attempt left it' : 'Corrected',
      ranking: null,
    }))
  },
  ...headsOf(({ state }) => state.cases, headOf),
  async read(source, id) {
    const match = await source.caseOf(id)
    if (!match) return null
    const { state, plan, reward, trajectoryId } = match
    return {
      title: state,
      answer: caseAnswer(plan),
      text: `${state}\n${plan}`,
      values: { state, plan, reward },
      trajectoryIds: [trajectoryId],
      facts: [],
    }
  },
  place: () => 'attempt',
  features: (source, id) =>
    featuresOf(cases, source, id, {
      async origin() {
        const { runId = '', trajectoryId } = (await source.caseOf(id)) ?? {}
        return originOfAttempt(source, runId, trajectoryId)
      },
    }),
  mark: (source, caseId, mark, { at }) => source.commit([{ kind: 'case-marked', caseId, mark, at }]),
  async edit(source, caseId, values, { at, newId }) {
    const match = await source.caseOf(caseId)
    if (!match) return caseId
    const event: CaseEvent = {
      kind: 'case-corrected',
      id: newId,
      caseId,
      state: textOf(values, 'state', match.state),
      plan: textOf(values, 'plan', match.plan),
      reward: values.reward === 0 || values.reward === 1 ? values.reward : match.reward,
      at,
    }
    await source.commit([event])
    return caseId
  },
  remove: (source, caseId, { at }) => source.commit([{ kind: 'case-deleted', caseId, at }]),
  restore: (source, caseId, { at }) =>
    putBack(source, { kind: 'case-restored', caseId, at }, { of: KIND, itemId: caseId, at }),
  async toLine(source, id) {
    const match = await source.caseOf(id)
    if (!match) return null
    const earlier = match.correctedAt === undefined ? [] : (await source.caseVersions(id)).slice(0, -1)
    return { kind: KIND, case: match, ...(earlier.length > 0 && { earlier }) }
  },
  async fromLine(source, value, { at }) {
    const { case: match, earlier = [] } = lineSchema.parse(value)
    const holding = await source.caseOf(match.id)
    if (holding && canonicalJson(getOutput(holding)) === canonicalJson(getOutput(match))) return false
    const [first, ...later] = earlier
    const corrections = first ? [...later, { ...match, at: match.correctedAt ?? at }] : []
    await source.commit([
      {
        kind: 'case-added',
        case: { ...getOutput(match), ...(first && pick(first)), deletedAt: match.deletedAt },
      },
      ...corrections.map((version, i): CaseEvent => ({
        kind: 'case-corrected',
        id: `${match.id}-import-${i}`,
        caseId: match.id,
        ...pick(version),
        at: version.at,
      })),
      ...(match.mark ? [{ kind: 'case-marked', caseId: match.id, mark: match.mark, at } as const] : []),
    ])
    return true
  },
}

const pick = ({ state, plan, reward }: Pick<CaseRecord, 'state' | 'plan' | 'reward'>) => ({
  state,
  plan,
  reward,
})
