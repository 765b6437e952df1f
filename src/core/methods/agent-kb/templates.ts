import { ABSTRACT_TEMPLATES } from './abstract'
import { RANK_ROLE } from './rank'

/** Ids of the prompt templates, which are also the names of the roles. */
export const CRITIC = 'agent-kb-critic'
export const REASON = 'agent-kb-reason'
export const REFINE = 'agent-kb-refine'
export const FEEDBACK_REASON = 'agent-kb-feedback-reason'
export const FEEDBACK_REFINE = 'agent-kb-feedback-refine'

/** Every template that is asked for. */
export const TEMPLATES: readonly string[] = [
  REASON,
  REFINE,
  FEEDBACK_REASON,
  FEEDBACK_REFINE,
  CRITIC,
  RANK_ROLE,
  ...ABSTRACT_TEMPLATES,
]
