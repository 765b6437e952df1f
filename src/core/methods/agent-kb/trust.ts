import { guidanceText, type Experience, type StoredExperience } from '../../../shared/domain/experience'
import type { ExperienceBase } from '../../ground/ports'
import { FIRST_UTILITY } from '../../memory/experiences/fold'
import { subjectsOf } from '../../memory/experiences/rules'

/** Experiences of a framework that are held against what was confirmed here. */
const MOST_COMPARED = 200
/** Statements that have to agree or disagree before a framework is judged. */
const LEAST_COMPARED = 5

/** Whether what a framework says of things agrees with what attempts here bore out; `unknown` while too little could be compared. */
export type Standing = 'unknown' | 'earned' | 'lost'

/** How far experiences that were made elsewhere are believed before anything they say was tried. */
export interface Trust {
  of(framework: string): Standing
  /** Whether an attempt here bore out something else about the same thing. */
  contradicts(rule: string, subject: string): boolean
}

/** Believes everybody. */
const TRUSTING: Trust = { of: () => 'earned', contradicts: () => false }

/** Whether an experience was made by another program, or in another memory. */
export const isForeign = ({ trajectoryId }: Pick<Experience, 'trajectoryId'>): boolean =>
  trajectoryId === null

/** What an experience says of things: the thing, by statement. */
export const saidOf = ({ agentExperience, searchAgentExperience }: Experience): ReadonlyMap<string, string> =>
  new Map([...subjectsOf(agentExperience), ...subjectsOf(searchAgentExperience)])

type Entries = Pick<ExperienceBase, 'entries' | 'get'>

/** What foreign experiences say, read once: experiences do not change. */
const read = new WeakMap<Entries, Map<string, ReadonlyMap<string, string>>>()

async function saidBy(id: string, experiences: Entries): Promise<ReadonlyMap<string, string>> {
  const recordTextMapMap = read.get(experiences) ?? new Map<string, ReadonlyMap<string, string>>()
  read.set(experiences, recordTextMapMap)
  const before = recordTextMapMap.get(id)
  if (before) return before
  const record = await experiences.get(id)
  const messageMap = record ? saidOf(record.experience) : new Map<string, string>()
  recordTextMapMap.set(id, messageMap)
  return messageMap
}

/** What attempts here bore out, by the thing that it is about. */
function confirmedHere(
  experiences: Entries,
  tested: ReadonlyMap<string, number>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const confirmed = new Map<string, Set<string>>()
  for (const { rules, trajectoryId } of experiences.entries()) {
    if (trajectoryId === null) continue
    for (const rule of rules.keys()) {
      const end = rule.indexOf(' ', rule.indexOf(': ') + 2)
      if (end < 0 || (tested.get(rule) ?? 0) < FIRST_UTILITY) continue
      const subject = rule.slice(0, end)
      confirmed.set(subject, (confirmed.get(subject) ?? new Set()).add(rule))
    }
  }
  return confirmed
}

/**
 * How far each framework is trusted: the share of what its experiences say of things, where attempts here bore out exactly one thing about them, that says
 * the same. Below `least` it has lost its trust. `tested`: utilities of statements. A `least` of 0 trusts everybody.
 */
export async function trustIn(
  experiences: Entries,
  tested: ReadonlyMap<string, number>,
  least: number,
): Promise<Trust> {
  if (least === 0) return TRUSTING
  const foreign = new Map<string, string[]>()
  for (const { id, framework, gone, trajectoryId } of experiences.entries()) {
    if (trajectoryId !== null || gone !== null) continue
    const ids = foreign.get(framework) ?? []
    if (ids.length < MOST_COMPARED) foreign.set(framework, [...ids, id])
  }
  if (foreign.size === 0) return { ...TRUSTING, of: () => 'unknown' }
  const confirmed = confirmedHere(experiences, tested)
  /** Null where nothing, or more than one thing, was borne out. */
  const agrees = (rule: string, subject: string): boolean | null => {
    const knownSet = confirmed.get(subject)
    return knownSet?.size === 1 ? knownSet.has(rule) : null
  }
  const standings = new Map<string, Standing>()
  for (const [framework, ids] of foreign) {
    let same = 0
    let compared = 0
    for (const id of ids)
      for (const [rule, subject] of await saidBy(id, experiences)) {
        const verdict = agrees(rule, subject)
        if (verdict !== null) compared++
        if (verdict === true) same++
      }
    const share = same / compared
    standings.set(framework, compared < LEAST_COMPARED ? 'unknown' : share < least ? 'lost' : 'earned')
  }
  return {
    of: (framework) => standings.get(framework) ?? 'unknown',
    contradicts: (rule, subject) => agrees(rule, subject) === false,
  }
}

/** Whether an experience comes from a framework that has not earned trust, and advises nothing or says nothing of things that was borne out. */
export function isUnproven(
  { experience }: Pick<StoredExperience, 'experience'>,
  tested: ReadonlyMap<string, number>,
  trust: Trust,
): boolean {
  if (!isForeign(experience) || trust.of(experience.meta.framework) === 'earned') return false
  const advice = [experience.agentExperience, experience.searchAgentExperience].map(guidanceText).join('')
  const rules = [...saidOf(experience).keys()]
  return advice === '' || (rules.length > 0 && rules.every((rule) => (tested.get(rule) ?? 0) < FIRST_UTILITY))
}
