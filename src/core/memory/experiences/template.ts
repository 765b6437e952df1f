import { z } from 'zod'
import { uniformFields } from '../../ground/uniform-fields'
import type { Experience, Guidance } from '../../../shared/domain/experience'

const text = z.string().nullish()
const guidance = z.union([z.string(), z.array(z.string())]).nullish()

/**
 * One entry of an Agent KB data file, under the field names of the paper (`agent_plan`, appendix B and F.1), of the released
 * file (`agent_planning`), or of the client (`query`, `plan`, `search_plan`). A recorded `true_answer` is read over: an answer is
 * no experience, and must not reach an agent.
 */
export const templateSchema = z
  .object({
    question: z.string().optional(),
    query: z.string().optional(),
    ...uniformFields(text, 'agent_plan', 'agent_planning', 'plan'),
    ...uniformFields(text, 'search_agent_plan', 'search_agent_planning', 'search_plan'),
    ...uniformFields(guidance, 'agent_experience', 'search_agent_experience'),
    ...uniformFields(text, 'timestamp', 'created_at'),
    metadata: z.record(z.string(), z.unknown()).nullish(),
    is_success: z.boolean().nullish(),
  })
  .refine((entry) => (entry.question ?? entry.query ?? '').trim() !== '', { message: 'it has no question' })

export type TemplateEntry = z.infer<typeof templateSchema>

/** The parts of an experience that a data file carries. */
export type TemplateParts = Pick<
  Experience,
  'question' | 'agentPlan' | 'agentExperience' | 'searchAgentPlan' | 'searchAgentExperience'
> & {
  readonly createdAt: string | null
  readonly extra: Record<string, unknown>
  readonly outcome: Experience['meta']['outcome']
}

/** Reads an entry. */
export function fromTemplate(entry: TemplateEntry): TemplateParts {
  return {
    question: entry.question ?? entry.query ?? '',
    agentPlan: entry.agent_plan ?? entry.agent_planning ?? entry.plan ?? '',
    agentExperience: entry.agent_experience ?? '',
    searchAgentPlan: entry.search_agent_plan ?? entry.search_agent_planning ?? entry.search_plan ?? '',
    searchAgentExperience: entry.search_agent_experience ?? '',
    createdAt: isoTime(entry.timestamp ?? entry.created_at),
    extra: entry.metadata ?? {},
    outcome: typeof entry.is_success !== 'boolean' ? 'unknown' : entry.is_success ? 'success' : 'failure',
  }
}

const isoTime = (inputText: string | null | undefined): string | null => {
  const time = Date.parse(inputText ?? '')
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}

/** Field names: of the paper, of the released file, or of the released file with `timestamp` and `metadata`. */
export type TemplateStyle = 'paper' | 'released' | 'timestamped'

export interface TemplateRecord {
  readonly question: string
  readonly [field: string]: string | readonly string[] | Readonly<Record<string, unknown>>
}

/** Writes an experience as an entry of a data file. */
export function toTemplate(experience: Experience, style: TemplateStyle): TemplateRecord {
  const { question, agentPlan, searchAgentPlan, createdAt, meta } = experience
  const agentExperience: Guidance = experience.agentExperience
  const searchAgentExperience: Guidance = experience.searchAgentExperience
  const names = style === 'paper' ? (['agent_plan', 'search_agent_plan'] as const) : RELEASED
  const record: Record<string, TemplateRecord[string]> = {
    [names[0]]: agentPlan,
    agent_experience: agentExperience,
    [names[1]]: searchAgentPlan,
    search_agent_experience: searchAgentExperience,
  }
  if (style === 'timestamped') {
    record['timestamp'] = createdAt
    record['metadata'] = meta.extra
  }
  return { question, ...record }
}

const RELEASED = ['agent_planning', 'search_agent_planning'] as const
