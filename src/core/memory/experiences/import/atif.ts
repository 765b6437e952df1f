import { z } from 'zod'
import { parsed, readElements } from '../../../ground/entries'
import { byJsonSigns, sign } from '../../../ground/recognition'
import { isRecord } from '../../../ground/record'
import { countOf, foundInDialog, nameOf, timeOf } from './conversations'
import type { DialogMessage } from './dialog-message'
import { LOG_WORDS, type Found, type LogFormat } from './log'
import { anything, maybeTexts, shapeProblem, textOf } from './records'

const stepSchema = z.looseObject({
  source: z.string(),
  ...maybeTexts('timestamp', 'model_name', 'reasoning_content'),
  ...anything('message', 'tool_calls', 'observation', 'metrics', 'is_copied_context'),
})
const trajectorySchema = z.looseObject({
  schema_version: z.string(),
  session_id: z.string().nullish(),
  agent: z.looseObject({ name: z.string(), version: z.string().nullish(), model_name: z.string().nullish() }),
  steps: z.array(stepSchema),
})
type Step = z.infer<typeof stepSchema>

const ROLES: Readonly<Record<string, DialogMessage['role']>> = {
  user: 'user',
  agent: 'agent',
  system: 'system',
}

const recordsIn = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isRecord) : []

/** Harbor's converters keep what a tool said of itself beside its answer: of Claude Code, Kimi and opencode. */
const saysFailed = (extra: unknown): boolean =>
  isRecord(extra) &&
  (extra['tool_result_is_error'] === true || extra['is_error'] === true || textOf(extra['error']) !== '')

function* messagesOf(step: Step): Generator<DialogMessage> {
  const role = ROLES[step.source]
  // What an agent was handed from an earlier session was done there.
  if (role === undefined || step.is_copied_context === true) return
  const metrics = isRecord(step.metrics) ? step.metrics : {}
  const calls = recordsIn(step.tool_calls).map((call) => ({
    id: nameOf(call['tool_call_id']),
    tool: textOf(call['function_name']),
    given: call['arguments'] ?? {},
  }))
  yield {
    role,
    text: textOf(step.message),
    thought: step.reasoning_content ?? '',
    calls,
    time: timeOf(step.timestamp),
    model: step.model_name ?? null,
    promptTokens: countOf(metrics['prompt_tokens']),
    completionTokens: countOf(metrics['completion_tokens']),
  }
  const observation = isRecord(step.observation) ? recordsIn(step.observation['results']) : []
  if (calls.length > 0 && observation.length > 0)
    yield {
      role: 'tool',
      text: '',
      results: observation.map((result) => ({
        id: nameOf(result['source_call_id']),
        text: textOf(result['content']),
        failed: saysFailed(result['extra']),
      })),
    }
}

async function* read(text: AsyncIterable<string>): AsyncGenerator<Found> {
  for await (const { place, value, problem } of parsed(readElements(text))) {
    const trajectory = trajectorySchema.safeParse(value)
    if (problem !== null || !trajectory.success) {
      yield { kind: 'left', place, why: problem ?? shapeProblem(trajectory.error as z.ZodError) }
      continue
    }
    const { agent, steps, session_id } = trajectory.data
    yield* foundInDialog(
      place,
      steps.flatMap((step) => [...messagesOf(step)]),
      {
        framework: agent.name,
        frameworkVersion: agent.version ?? null,
        domain: 'code',
        model: agent.model_name ?? null,
        sourceId: session_id ?? null,
      },
    )
  }
}

/** ATIF: the trajectory that Harbor and its agents write, one experience per request. */
export const atif: LogFormat = {
  id: 'atif',
  title: 'ATIF trajectory of Harbor (JSON)',
  writtenFor: 'ATIF 1.2 to 1.8 (trajectory.json: schema_version, agent, steps)',
  ...LOG_WORDS,
  loses: `${LOG_WORDS.loses} Context that was copied from an earlier session; the reward of a trial, which stands in another file.`,
  recognise: byJsonSigns([sign(0.97, /"schema_version"\s*:\s*"ATIF-v/)]),
  read,
}
