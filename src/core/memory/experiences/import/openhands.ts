import { z } from 'zod'
import { byJsonSigns, sign } from '../../../ground/recognition'
import type { ExperienceStep } from '../../../../shared/domain/experience'
import type { RowPlace } from '../../../../shared/domain/reading'
import { verbOf, verbOfCommand } from '../actions'
import { LOG_WORDS, step, type AgentLog, type Found, type LogFormat } from './log'
import { anything, maybeTexts, shapeProblem, textOf, timeOfLog } from './records'
import { uniformFields } from '../../../ground/uniform-fields'
import { parsed, readElements } from '../../../ground/entries'

const eventSchema = z.looseObject({
  ...uniformFields(z.number().nullish(), 'id', 'cause'),
  ...maybeTexts('source', 'timestamp', 'action', 'observation'),
  ...anything('message', 'content'),
  ...uniformFields(z.record(z.string(), z.unknown()).nullish(), 'args', 'extras'),
  llm_metrics: z
    .object({
      accumulated_token_usage: z
        .object({ model: z.string(), prompt_tokens: z.number(), completion_tokens: z.number() })
        .partial()
        .nullish(),
    })
    .nullish(),
})
type Event = z.infer<typeof eventSchema>

/** One line of an evaluation's output.jsonl: the events with what is known about the task. */
const evaluationSchema = z.object({
  instance_id: z.union([z.string(), z.number()]).nullish(),
  instruction: z.string().nullish(),
  history: z.array(z.unknown()),
  metadata: z.object({ agent_class: z.string().nullish() }).nullish(),
  ...anything('test_result', 'error'),
  report: z.object({ resolved: z.boolean().nullish() }).nullish(),
  /** What the resolver's own judge said of its pull request. */
  success: z.boolean().nullish(),
})

/** A patch without the events that led to it: predictions for a harness. */
const patchSchema = z.looseObject({ instance_id: z.union([z.string(), z.number()]) })
const PATCHES = ['model_patch', 'git_patch', 'patch', 'prediction'] as const

/** Actions that are bookkeeping of the framework. */
const NOT_STEPS: ReadonlySet<string> = new Set([
  'system',
  'recall',
  'change_agent_state',
  'null',
  'condensation',
])

function toStep(event: Event, answer: Event | undefined): ExperienceStep {
  const { action, args } = event
  // Before 0.10, arguments stood beside the action.
  const input: Record<string, unknown> = args ?? event
  const kind = action ?? ''
  const command = textOf(input['command'])
  const content =
    kind === 'run'
      ? command
      : textOf(
          input['code'] ??
            input['path'] ??
            input['url'] ??
            input['content'] ??
            input['thought'] ??
            args ??
            '',
        )
  const exitCode = (answer?.extras?.['metadata'] as { exit_code?: unknown } | undefined)?.exit_code
  const code =
    typeof exitCode === 'number' ? exitCode : (answer?.extras?.['exit_code'] ?? answer?.['exit_code'])
  return step({
    verb: kind === 'run' ? verbOfCommand(command) : kind === 'message' ? 'ask' : verbOf(kind),
    tool: kind,
    content: kind === 'edit' && command !== '' ? `${command} ${content}` : content,
    reason: textOf(input['thought'] ?? ''),
    observation: answer ? textOf(answer.content) : null,
    failed: answer?.observation === 'error' || (typeof code === 'number' && code > 0),
  })
}

const isOfPerson = ({ source, action }: Event): boolean => source === 'user' && action === 'message'
const wordsOf = ({ args, content, message }: Event): string => textOf(args?.['content'] ?? content ?? message)

function toLog(events: readonly Event[], record: Partial<AgentLog>): AgentLog | string {
  const request = events.find(isOfPerson)
  // Where nobody is named as the source, all actions are the agent's but its first message, which is the task.
  const isNamed = events.some(({ source }) => typeof source === 'string')
  const first = isNamed ? request : events.find(({ action }) => action === 'message')
  const question = record.question ?? (first ? wordsOf(first) : '')
  if (question.trim() === '') return 'there is no message by the user'
  const answers = new Map(
    events.flatMap((event) => (typeof event.cause === 'number' ? [[event.cause, event]] : [])),
  )
  const steps = events
    .filter(
      (event) =>
        (isNamed ? event.source === 'agent' : event !== first) &&
        event.action &&
        !NOT_STEPS.has(event.action),
    )
    .map((event) =>
      toStep(event, typeof event.id === 'number' ? answers.get(event.id) : answerAfter(events, event)),
    )
  if (steps.length === 0) return 'the agent did nothing'
  const usage = events.findLast(({ llm_metrics }) => llm_metrics?.accumulated_token_usage)?.llm_metrics
    ?.accumulated_token_usage
  return {
    framework: 'openhands',
    domain: 'code',
    model: usage?.model ? usage.model : null,
    promptTokens: usage?.prompt_tokens ?? null,
    completionTokens: usage?.completion_tokens ?? null,
    createdAt: timeOfLog(request?.timestamp),
    ...record,
    question,
    steps,
  }
}

/** Where events have no ids, an action's answer is what comes next. */
function answerAfter(events: readonly Event[], event: Event): Event | undefined {
  const next = events[events.indexOf(event) + 1]
  return next && !next.action && typeof next.observation === 'string' ? next : undefined
}

function readEvents(values: readonly unknown[]): { events: Event[]; problem: string | null } {
  const events: Event[] = []
  for (const value of values) {
    const event = eventSchema.safeParse(value)
    if (!event.success) return { events, problem: `an event of it: ${shapeProblem(event.error)}` }
    events.push(event.data)
  }
  return { events, problem: null }
}

async function* read(text: AsyncIterable<string>): AsyncGenerator<Found> {
  const loose: unknown[] = []
  let first: RowPlace | null = null
  for await (const { place, value, problem } of parsed(readElements(text))) {
    if (problem !== null) {
      yield { kind: 'left', place, why: problem }
      continue
    }
    const evaluation = evaluationSchema.safeParse(value)
    if (evaluation.success) {
      yield fromEvaluation(evaluation.data, place)
    } else if (isPatch(value)) {
      yield { kind: 'left', place, why: 'it is a patch alone, without the steps that led to it' }
    } else {
      first ??= place
      loose.push(value)
    }
  }
  if (first === null) return
  const { events, problem } = readEvents(loose)
  if (problem !== null) yield { kind: 'left', place: first, why: problem }
  else
    for (const log of attemptsOf(events))
      yield typeof log === 'string'
        ? { kind: 'left', place: first, why: log }
        : { kind: 'log', place: first, log }
}

/** The attempts of a conversation: one for each message of the person, who says in the next one how the last went. */
function attemptsOf(events: readonly Event[]): (AgentLog | string)[] {
  const begins = events.flatMap((event, i) => (isOfPerson(event) ? [i] : []))
  if (begins.length < 2) return [toLog(events, {})]
  return begins.map((begin, i) => {
    const from = i === 0 ? 0 : begin
    const next = events[begins[i + 1] ?? events.length]
    return toLog(events.slice(from, begins[i + 1]), { next: next ? wordsOf(next) : null })
  })
}

function fromEvaluation(evaluation: z.infer<typeof evaluationSchema>, place: RowPlace): Found {
  const { history, instance_id, instruction, report, test_result, success } = evaluation
  // Early versions store pairs of action and observation.
  const { events, problem } = readEvents(history.flat())
  if (problem !== null) return { kind: 'left', place, why: problem }
  const inner = z.object({ report: z.object({ resolved: z.boolean() }) }).safeParse(test_result)
  const resolved = report?.resolved ?? (inner.success ? inner.data.report.resolved : (success ?? null))
  const log = toLog(events, {
    ...(instruction ? { question: instruction } : {}),
    sourceId: instance_id === null || instance_id === undefined ? null : String(instance_id),
    ...(resolved === null ? {} : { outcome: resolved ? 'success' : 'failure' }),
  })
  return typeof log === 'string' ? { kind: 'left', place, why: log } : { kind: 'log', place, log }
}

function isPatch(value: unknown): boolean {
  const read = patchSchema.safeParse(value)
  return read.success && PATCHES.some((name) => read.data[name] !== undefined)
}

/** OpenHands: a conversation's events (JSON array or JSON lines) and an evaluation's output.jsonl. */
export const openhands: LogFormat = {
  id: 'openhands',
  title: 'OpenHands events (JSON, JSONL)',
  writtenFor: 'OpenHands 0.9 to 0.59, events of event_to_dict and evaluation output.jsonl',
  ...LOG_WORDS,
  recognise: byJsonSigns([
    sign(0.75, /"source"\s*:\s*"(?:agent|user|environment)"/, /"(?:action|observation)"\s*:/),
    sign(0.7, /"history"\s*:\s*\[/, /"(?:instance_id|issue|instruction)"\s*:/),
    sign(0.7, /"instance_id"\s*:/, /"(?:model_patch|git_patch)"\s*:/),
  ]),
  read,
}
