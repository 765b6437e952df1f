import { inScope, retellTogether, type Retelling } from '../../ground/prompt'
import type { ChatMessage } from '../../ground/ports'
import { listField, textField, declareForm } from '../../ground/writing'
import { exactObject } from '../../ground/exact-object'

/** A workflow as the model writes it. */
export interface WorkflowText {
  readonly goal: string
  readonly steps: readonly string[]
}

const MOST_STEPS = 6
const LONGEST = 200

/** `{"goal": text, "steps": [text, ...]}`: 1 to 6 steps, at most 200 characters each. */
export const WORKFLOW_FORM = declareForm<WorkflowText>('awm-workflow', {
  schema: exactObject({
    goal: { type: 'string', maxLength: LONGEST },
    steps: {
      type: 'array',
      items: { type: 'string', maxLength: LONGEST },
      minItems: 1,
      maxItems: MOST_STEPS,
    },
  }),
  read(value) {
    const goal = textField(value, 'goal')
    const steps = listField(value, 'steps')
    if (goal === undefined || steps === undefined) return undefined
    if (steps.length > MOST_STEPS || [goal, ...steps].some((text) => text.length > LONGEST)) return undefined
    return goal === '' || steps.length === 0 ? null : { goal, steps }
  },
})

/** AWM's induction I(e): the template, then the solved attempts. Reply: `WORKFLOW_FORM`. */
export function workflowMessages(template: string, successes: readonly Retelling[]): ChatMessage[] {
  return [
    { role: 'system', content: inScope(template, successes) },
    { role: 'user', content: retellTogether(successes).join('\n\n') },
  ]
}

/** A workflow as it is shown to the agent: its goal, then numbered steps. */
export const workflowText = ({ goal, steps }: WorkflowText): string =>
  [`Workflow: ${goal}`, ...steps.map((step, i) => `${i + 1}. ${step}`)].join('\n')
