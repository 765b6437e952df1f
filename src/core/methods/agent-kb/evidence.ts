import type { Experience } from '../../../shared/domain/experience'
import { callsOf } from '../../../shared/domain/plan'
import type { Trajectory } from '../../../shared/domain/trajectory'
import { canonicalJson } from '../../ground/canonical-json'
import type { ExperienceBase, ExperienceHit, SpaceEvent } from '../../ground/ports'
import { madeUpRules, rulesIn, rulesOf, withoutRules } from '../../memory/experiences/rules'
import { LOAM_FRAMEWORK } from './from-attempt'

/** The statements that an attempt was given, by the experience they stand in. */
export type GivenRules = ReadonlyMap<string, readonly string[]>

const statementsOf = ({ agentExperience, searchAgentExperience }: Experience): readonly string[] => [
  ...new Set([...rulesOf(agentExperience), ...rulesOf(searchAgentExperience)]),
]

/** The experience with some of its statements left out. */
export const withoutStatements = (
  experience: Experience,
  leaveOut: (rule: string) => boolean,
): Experience => ({
  ...experience,
  agentExperience: withoutRules(experience.agentExperience, leaveOut),
  searchAgentExperience: withoutRules(experience.searchAgentExperience, leaveOut),
})

/** A hit without the statements whose utility fell below `floor`: attempts that followed them went wrong. */
export function believed(hit: ExperienceHit, floor: number): ExperienceHit {
  const { rules = {} } = hit.standing
  return { ...hit, experience: withoutStatements(hit.experience, (rule) => (rules[rule] ?? 1) < floor) }
}

/** The statements that reached the agent: those its refined plan took over, or all where experiences were shown as they are. */
export async function rulesGiven(
  { decisions = [] }: Pick<Trajectory, 'decisions'>,
  experiences: Pick<ExperienceBase, 'get'>,
  floor: number,
): Promise<GivenRules> {
  const given = new Map<string, readonly string[]>()
  for (const { applied, refined, retrieved } of decisions) {
    if (!applied) continue
    for (const { id } of retrieved) {
      const stored = await experiences.get(id)
      const known = stored?.standing.rules ?? {}
      const shown = stored
        ? statementsOf(stored.experience).filter((rule) => (known[rule] ?? 1) >= floor)
        : []
      const taken = refined === '' ? shown : rulesIn(refined, shown)
      given.set(id, [...new Set([...(given.get(id) ?? []), ...taken])])
    }
  }
  return given
}

/**
 * Experiences that reached the agent get the attempt's reward as r_j, and so does each of their statements that it was given; an attempt that
 * came to no answer says nothing about a single one.
 */
export function usesOf(trajectory: Trajectory, given: GivenRules, eta: number): SpaceEvent[] {
  const { id: useId, reward, finish, finishedAt: at } = trajectory
  const tells = reward === 1 || finish === 'completed'
  return [...given].map(([experienceId, rules]) => ({
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

/** Everything that was said and shown in an attempt, what it recalled left out. */
function logOf({ task, rounds, cycles = [] }: Trajectory): string {
  const calls = callsOf(cycles).map((call) => `${canonicalJson(call.arguments)}\n${call.answer?.text ?? ''}`)
  const results = cycles.flatMap(({ subtasks }) =>
    subtasks.map(({ description, result }) => `${description}\n${result}`),
  )
  const said = rounds.map(({ completion, observation }) => `${completion}\n${observation ?? ''}`)
  return [task.context, task.instruction, ...said, ...calls, ...results].join('\n')
}

/**
 * What of a new experience the attempt itself bears out: without statements that its writer made up and, where it failed, without those that it
 * had been given. A rule that failed is no more true for being written down again.
 */
export function borneOut(experience: Experience, trajectory: Trajectory, given: GivenRules): Experience {
  const log = logOf(trajectory)
  const madeUp = new Set([
    ...madeUpRules(experience.agentExperience, log),
    ...madeUpRules(experience.searchAgentExperience, log),
  ])
  const echoed = new Set(trajectory.reward === 1 ? [] : [...given.values()].flat())
  return withoutStatements(experience, (rule) => madeUp.has(rule) || echoed.has(rule))
}
