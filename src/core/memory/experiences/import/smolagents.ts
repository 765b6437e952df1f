import { z } from 'zod'
import { byJsonSigns, sign } from '../../../ground/recognition'
import type { ExperienceStep } from '../../../../shared/domain/experience'
import { verbOf } from '../actions'
import { LOG_WORDS, step, type AgentLog, type LogFormat } from './log'
import { anything, maybeTexts, readRecords, textOf, timeOfLog } from './records'
import { readElements } from '../../../ground/entries'

const toolCall = z.object({
  function: z.object({ name: z.string(), arguments: z.unknown().optional() }).optional(),
  name: z.string().optional(),
  arguments: z.unknown().optional(),
})

/** A step of smolagents' memory, as `dict()` writes it. */
const stepSchema = z.object({
  ...maybeTexts('step_type', 'task'),
  ...anything('plan', 'facts', 'model_output', 'observations', 'error'),
  tool_calls: z.array(toolCall).nullish(),
  token_usage: z.object({ input_tokens: z.number(), output_tokens: z.number() }).partial().nullish(),
})
type Step = z.infer<typeof stepSchema>

/** One line of a GAIA run (paper, listing 1), or the bare steps of one agent. */
const recordSchema = z.union([
  z.object({
    question: z.string(),
    ...maybeTexts('agent_name', 'start_time'),
    task_id: z.union([z.string(), z.number()]).nullish(),
    is_correct: z.boolean().nullish(),
    intermediate_steps: z.array(stepSchema),
  }),
  z.object({ steps: z.array(stepSchema) }),
])

function actionsOf({ tool_calls, model_output, observations, error }: Step): ExperienceStep[] {
  const observation =
    textOf(observations) || textOf((error as { message?: unknown } | null)?.message ?? error)
  const isFailed = error !== null && error !== undefined
  return (tool_calls ?? []).map((call, i, all) => {
    const tool = call.function?.name ?? call.name ?? ''
    const last = i === all.length - 1
    return step({
      verb: verbOf(tool),
      tool,
      content: textOf(call.function?.arguments ?? call.arguments),
      reason: i === 0 ? textOf(model_output) : '',
      // One observation covers all calls of a step.
      observation: last && observation !== '' ? observation : null,
      failed: last && isFailed,
    })
  })
}

function sumOf(steps: readonly Step[], name: 'input_tokens' | 'output_tokens'): number | null {
  const counts = steps.flatMap(({ token_usage }) => token_usage?.[name] ?? [])
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0)
}

function toLog(record: z.infer<typeof recordSchema>): AgentLog | string {
  const whole = 'question' in record ? record : null
  const all = 'question' in record ? record.intermediate_steps : record.steps
  const question = whole?.question ?? all.find(({ task }) => typeof task === 'string')?.task ?? ''
  if (question.trim() === '') return 'it does not say what the task was'
  const steps = all.flatMap(actionsOf)
  if (steps.length === 0) return 'it has no tool calls'
  const correct = whole?.is_correct
  return {
    question,
    framework: 'smolagents',
    domain: 'general',
    model: whole?.agent_name ?? null,
    // The prediction is not compared with the recorded answer: only a verdict that is in the log counts.
    ...(typeof correct === 'boolean' && { outcome: correct ? 'success' : 'failure' }),
    promptTokens: sumOf(all, 'input_tokens'),
    completionTokens: sumOf(all, 'output_tokens'),
    sourceId: whole?.task_id === null || whole?.task_id === undefined ? null : String(whole.task_id),
    createdAt: timeOfLog(whole?.start_time),
    steps,
    plan: textOf(all.find(({ plan }) => textOf(plan) !== '')?.plan),
  }
}

/** smolagents: lines of a GAIA run, and an agent's memory as {"steps": [...]}. */
export const smolagents: LogFormat = {
  id: 'smolagents',
  title: 'smolagents run (JSON, JSONL)',
  writtenFor:
    'smolagents 1.9 to 1.21: memory steps as dict(), and the GAIA runner of the open deep research example',
  ...LOG_WORDS,
  recognise: byJsonSigns([
    sign(0.8, /"intermediate_steps"\s*:/),
    sign(0.7, /"(?:step_type|model_input_messages|step_number)"\s*:/),
  ]),
  read: (text) => readRecords(readElements(text), recordSchema, toLog),
}
