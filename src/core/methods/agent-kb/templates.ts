import { ABSTRACT_TEMPLATES } from './abstract'
import { RANK_ROLE } from './rank'

/** Ids of the prompt templates, which are also the names of the roles. */
export const CRITIC = 'agent-kb-critic'
export const REASON = 'agent-kb-reason'
export const REFINE = 'agent-kb-refine'
export const FEEDBACK_REASON = 'agent-kb-feedback-reason'
export const FEEDBACK_REFINE = 'agent-kb-feedback-refine'

/** Prompts that the paper prints for plans, by the role they are for; their files say where. */
const PRINTED: ReadonlyMap<string, string> = new Map([
  [REASON, 'agent-kb-paper-reason'],
  [REFINE, 'agent-kb-paper-refine'],
  [FEEDBACK_REFINE, 'agent-kb-paper-feedback-refine'],
])
/** The paper's prompt for a failed patch (F.2.2). */
const FAILED_PATCH = 'agent-kb-paper-feedback-refine-code'

/** The template of a role in a domain: Loam's own, or the paper's where it prints one. */
export function templateOf(role: string, prompts: 'loam' | 'paper', domain = ''): string {
  if (prompts === 'loam') return role
  return role === FEEDBACK_REFINE && domain === 'code' ? FAILED_PATCH : (PRINTED.get(role) ?? role)
}

/** Every template that is asked for. */
export const TEMPLATES: readonly string[] = [
  REASON,
  REFINE,
  FEEDBACK_REASON,
  FEEDBACK_REFINE,
  CRITIC,
  RANK_ROLE,
  ...ABSTRACT_TEMPLATES,
  ...PRINTED.values(),
  FAILED_PATCH,
]
