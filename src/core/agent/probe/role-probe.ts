import { z } from 'zod'
import { LEAST_FOR_ROLES } from '../../../shared/domain/model-profile'
import { declareConstraint } from '../../ground/constraint'
import { exactObject } from '../../ground/exact-object'
import type { Probe, ProbeQuestion } from './probe'
import { ROLE_QUESTIONS } from './role-questions'

const answerForm = declareConstraint(
  'role-probe',
  () => ({ kind: 'json-schema' as const, schema: exactObject({ useful: { type: 'boolean' } }) }),
  () => [[]],
)
const answerSchema = z.object({ useful: z.boolean() })
/** Room for the answer. */
const ANSWER_TOKENS = 16

const SYSTEM_PROMPT =
  'Tools of agents complain. You are told a complaint that came up in several tasks. Say whether knowing it helps an agent with other tasks that use the same tool: ' +
  '{"useful": true} for a rule of the tool or of its place that comes up again, {"useful": false} for what belongs to single tasks, says too little, or is no complaint.'

const read = (text: string): boolean | null => {
  try {
    return answerSchema.parse(JSON.parse(text)).useful
  } catch {
    return null
  }
}

/** Whether a model may judge and write for Loam: labelled questions with yes or no for an answer. One that always says the same has half of them right. */
export const roleProbe: Probe = {
  id: 'roles',
  version: 1,
  activity: 'Asking for judgements that others made before',
  forms: ['judgements'],
  needs: { statements: LEAST_FOR_ROLES },
  blocks: [
    ROLE_QUESTIONS.map(([isOfUse, statement]): ProbeQuestion => ({
      kind: 'statements',
      request: () => ({
        messages: [
          { role: 'system', content: SYSTEM_PROMPT },
          { role: 'user', content: statement },
        ],
        maxTokens: ANSWER_TOKENS,
        constraint: answerForm(),
      }),
      isRight: ({ text }) => read(text) === isOfUse,
    })),
  ],
}
