import type { Experience, StoredExperience } from '../../../shared/domain/experience'
import { callsOf } from '../../../shared/domain/plan'
import type { Trajectory } from '../../../shared/domain/trajectory'
import { canonicalJson } from '../../ground/canonical-json'
import type { ExperienceBase, MemoryEvent } from '../../ground/ports'
import { FIRST_UTILITY, testedRules } from '../../memory/experiences/fold'
import { madeUpRules, rulesIn, rulesOf, unshownRules, withoutRules } from '../../memory/experiences/rules'
import { LOAM_FRAMEWORK } from './from-attempt'
import { isForeign, saidOf, trustIn, type Trust } from './trust'

/** The statements that an attempt was given, by the experience they stand in. */
export type GivenRules = ReadonlyMap<string, readonly string[]>

const statementsOf = ({ agentExperience, searchAgentExperience }: Experience): readonly string[] => [
  ...new Set([...rulesOf(agentExperience), ...rulesOf(searchAgentExperience)]),
]

/** The experience with some of its statements left out. */
const withoutStatements = (experience: Experience, leaveOut: (rule: string) => boolean): Experience => ({
  ...experience,
  agentExperience: withoutRules(experience.agentExperience, leaveOut),
  searchAgentExperience: withoutRules(experience.searchAgentExperience, leaveOut),
})

const isWrongAnswer = ({ meta, steps }: Experience): boolean =>
  meta.outcome === 'failure' && steps.at(-1)?.verb === 'answer'

/** What attempts have shown of single statements, and from which utility on one is believed. */
export interface Belief {
  readonly tested: ReadonlyMap<string, number>
  readonly floor: number
  readonly trust: Trust
}

/** What the experiences of a memory have shown so far. */
export async function beliefIn(
  experiences: Pick<ExperienceBase, 'entries' | 'get'>,
  { ruleFloor: floor, trust }: { readonly ruleFloor: number; readonly trust: number },
): Promise<Belief> {
  const tested = floor === 0 && trust === 0 ? new Map<string, number>() : testedRules(experiences.entries())
  return { tested, floor, trust: await trustIn(experiences, tested, trust) }
}

/**
 * An experience as far as it is believed: without the statements whose utility fell below `floor`, since attempts that followed them went wrong, and of
 * an attempt that ended in a wrong answer without those that its environment never showed, and of one that was made elsewhere without those that stand
 * nowhere in its log. A floor of 0 believes all. What experiences from elsewhere say of things and nobody here has tried is left out where an attempt
 * bore out something else, and where their framework was wrong too often.
 */
export function believed(record: StoredExperience, belief: Belief): Experience {
  const { tested, floor, trust } = belief
  const experience = trusted(record.experience, tested, trust)
  if (floor === 0) return experience
  const { trajectoryId, steps, question } = experience
  const visits = steps.flatMap(({ observation }) => observation ?? [])
  const { agentExperience, searchAgentExperience } = experience
  const both = [agentExperience, searchAgentExperience]
  // What was made here was held against its log when it was written.
  const log =
    trajectoryId !== null || steps.length === 0
      ? null
      : [question, ...steps.flatMap(({ reason, content }) => [reason, content]), ...visits].join('\n')
  const doubted = new Set([
    ...(isWrongAnswer(experience) ? both.flatMap((guidance) => unshownRules(guidance, visits)) : []),
    ...(log === null ? [] : both.flatMap((guidance) => madeUpRules(guidance, log))),
  ])
  return withoutStatements(
    experience,
    (rule) => (tested.get(rule) ?? 1) < floor || (doubted.has(rule) && !tested.has(rule)),
  )
}

function trusted(experience: Experience, tested: Belief['tested'], trust: Trust): Experience {
  if (!isForeign(experience)) return experience
  const messageMap = saidOf(experience)
  const isLost = trust.of(experience.meta.framework) === 'lost'
  return withoutStatements(experience, (rule) => {
    const subject = messageMap.get(rule)
    return subject !== undefined && !tested.has(rule) && (isLost || trust.contradicts(rule, subject))
  })
}

/** Whether there is anything left of what an experience advised. */
export const isBelieved = ({ experience }: StoredExperience, rest: Experience): boolean =>
  statementsOf(rest).length > 0 || statementsOf(experience).length === 0

/** The statements that reached the agent: those its refined plan took over, or all where experiences were shown as they are. */
export async function rulesGiven(
  { decisions = [] }: Pick<Trajectory, 'decisions'>,
  experiences: Pick<ExperienceBase, 'get'>,
  belief: Belief,
): Promise<GivenRules> {
  const inputsMap = new Map<string, readonly string[]>()
  for (const { applied, refined, retrieved } of decisions) {
    if (!applied) continue
    for (const { id } of retrieved) {
      const record = await experiences.get(id)
      const views = record ? statementsOf(believed(record, belief)) : []
      const claims = refined === '' ? views : rulesIn(refined, views)
      inputsMap.set(id, [...new Set([...(inputsMap.get(id) ?? []), ...claims])])
    }
  }
  return inputsMap
}

/**
 * Experiences that reached the agent get the attempt's reward as r_j, and so does each of their statements that it was given; an attempt that
 * came to no answer says nothing about a single one.
 */
export function usesOf(trajectory: Trajectory, givenRules: GivenRules, eta: number): MemoryEvent[] {
  const { id: useId, reward, finish, finishedAt: at } = trajectory
  const tells = reward === 1 || finish === 'completed'
  return [...givenRules].map(([experienceId, rules]) => ({
    kind: 'experience-used',
    experienceId,
    useId,
    framework: LOAM_FRAMEWORK,
    reward,
    eta,
    ...(tells && rules.length > 0 && { rules: [...rules] }),
    at,
  }))
}

/** Statements of a new experience that its attempt bore out, by utility: those of one that was right, as after one use. */
export const rulesBorneOut = (experience: Experience, reward: number, eta: number): Record<string, number> =>
  reward === 1
    ? Object.fromEntries(
        statementsOf(experience).map((rule) => [rule, FIRST_UTILITY + eta * (1 - FIRST_UTILITY)]),
      )
    : {}

/** Everything that was said and shown in an attempt, what it recalled left out. */
function logOf({ task, rounds, cycles = [] }: Trajectory): string {
  const calls = callsOf(cycles).map((call) => `${canonicalJson(call.arguments)}\n${call.answer?.text ?? ''}`)
  const results = cycles.flatMap(({ subtasks }) =>
    subtasks.map(({ description, result }) => `${description}\n${result}`),
  )
  const messages = rounds.map(({ completion, observation }) => `${completion}\n${observation ?? ''}`)
  return [task.context, task.instruction, ...messages, ...calls, ...results].join('\n')
}

/**
 * What of a new experience the attempt itself bears out: without statements that its writer made up and, where it failed, without those that it
 * had been given. A rule that failed is no more true for being written down again.
 */
export function borneOut(experience: Experience, trajectory: Trajectory, rules: GivenRules): Experience {
  const log = logOf(trajectory)
  const madeUp = new Set([
    ...madeUpRules(experience.agentExperience, log),
    ...madeUpRules(experience.searchAgentExperience, log),
  ])
  const echoed = new Set(trajectory.reward === 1 ? [] : [...rules.values()].flat())
  return withoutStatements(experience, (rule) => madeUp.has(rule) || echoed.has(rule))
}
