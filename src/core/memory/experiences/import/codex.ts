import { z } from 'zod'
import { byJsonSigns, sign } from '../../../ground/recognition'
import { verbOf, verbOfCommand } from '../actions'
import { LOG_WORDS, step, type Found, type LogFormat } from './log'
import { anything, maybeTexts, shapeProblem, textOf, timeOfLog } from './records'
import { foundOf, isRequest, type Turn } from './sessions'
import { parsed, readLines } from '../../../ground/entries'

const payloadSchema = z.looseObject({
  type: z.string().optional(),
  ...maybeTexts('role', 'name', 'call_id', 'id', 'cli_version', 'model'),
  ...anything('content', 'arguments', 'input', 'action', 'output', 'summary'),
  info: z
    .object({
      total_token_usage: z
        .object({ input_tokens: z.number(), output_tokens: z.number() })
        .partial()
        .nullish(),
    })
    .nullish(),
})
type Payload = z.infer<typeof payloadSchema>
const lineSchema = z.object({ timestamp: z.string().nullish(), type: z.string(), payload: payloadSchema })

/** The command of a shell call: an argument list or one text. */
function commandOf(input: unknown): string {
  let value = input
  try {
    if (typeof input === 'string') value = JSON.parse(input) as unknown
  } catch {
    return textOf(input)
  }
  const record = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  const command = record['command'] ?? record['cmd']
  if (!Array.isArray(command)) return command === undefined ? textOf(input) : textOf(command)
  const words = command.map(textOf)
  // bash -lc "...": the command is what the shell is told.
  return /^(ba|z)?sh$/.test(words[0]?.split('/').at(-1) ?? '') ? (words.at(-1) ?? '') : words.join(' ')
}

const outputSchema = z.object({
  output: z.string(),
  metadata: z.object({ exit_code: z.number() }).partial().optional(),
})

function outputOf(input: unknown): { text: string; failed: boolean } {
  const text = textOf(input)
  try {
    const read = outputSchema.safeParse(typeof input === 'string' ? JSON.parse(input) : input)
    if (read.success) return { text: read.data.output, failed: (read.data.metadata?.exit_code ?? 0) !== 0 }
  } catch {
    // Newer versions write plain text.
  }
  const isBlocked = text.startsWith('Command blocked by ')
  return { text, failed: isBlocked || /\bexit(?:ed with)? code:? [1-9]/i.test(text.slice(0, 300)) }
}

const SHELLS: ReadonlySet<string> = new Set([
  'shell',
  'local_shell',
  'exec_command',
  'shell_command',
  'container.exec',
])

async function* read(text: AsyncIterable<string>): AsyncGenerator<Found> {
  let turn: Turn | null = null
  let reason = ''
  let answer = ''
  const about = {
    sourceId: null as string | null,
    version: null as string | null,
    model: null as string | null,
  }
  const total = { prompt: 0, completion: 0 }
  const before = { prompt: 0, completion: 0 }
  const calls = new Map<string, { turn: Turn; at: number }>()

  const act = (
    tool: string,
    content: string,
    verb: ReturnType<typeof verbOf>,
    callId: string | null,
  ): void => {
    if (!turn) return
    turn.log.steps.push(step({ verb, tool, content, reason }))
    reason = ''
    if (callId !== null) calls.set(callId, { turn, at: turn.log.steps.length - 1 })
  }

  const take = (payload: Payload): void => {
    const callId = payload.call_id ?? null
    switch (payload.type ?? '') {
      case 'message':
        if (payload.role === 'assistant') reason = answer = textOf(payload.content)
        return
      case 'reasoning':
        reason = textOf(payload.summary) || reason
        return
      case 'function_call':
      case 'custom_tool_call': {
        const tool = payload.name ?? ''
        const input = payload.arguments ?? payload.input
        if (SHELLS.has(tool)) act(tool, commandOf(input), verbOfCommand(commandOf(input)), callId)
        else act(tool, textOf(input), verbOf(tool), callId)
        return
      }
      case 'local_shell_call':
        act('local_shell', commandOf(payload.action), verbOfCommand(commandOf(payload.action)), callId)
        return
      case 'web_search_call':
        act('web_search', textOf(payload.action), 'search', null)
        return
      case 'function_call_output':
      case 'custom_tool_call_output': {
        const call = calls.get(callId ?? '')
        const earlier = call?.turn.log.steps[call.at]
        const output = outputOf(payload.output)
        if (call && earlier)
          call.turn.log.steps[call.at] = { ...earlier, observation: output.text, failed: output.failed }
      }
    }
  }

  const finish = (next: string | null): Found | null => {
    if (!turn) return null
    const log = {
      ...turn.log,
      model: about.model,
      promptTokens: total.prompt === 0 ? null : total.prompt - before.prompt,
      completionTokens: total.completion === 0 ? null : total.completion - before.completion,
    }
    Object.assign(before, total)
    return foundOf({ place: turn.place, log }, { reply: reason, answer, next })
  }

  for await (const { place, value, problem } of parsed(readLines(text))) {
    const line = lineSchema.safeParse(value)
    if (problem !== null || !line.success) {
      yield { kind: 'left', place, why: problem ?? (line.error ? shapeProblem(line.error) : '') }
      continue
    }
    const { type, payload, timestamp } = line.data
    if (type === 'session_meta') {
      about.sourceId = payload.id ?? null
      about.version = payload.cli_version ?? null
    } else if (type === 'turn_context') {
      about.model = payload.model ?? about.model
    } else if (type === 'event_msg' && payload.type === 'token_count') {
      total.prompt = payload.info?.total_token_usage?.input_tokens ?? total.prompt
      total.completion = payload.info?.total_token_usage?.output_tokens ?? total.completion
    } else if (type === 'response_item') {
      const question = payload.type === 'message' && payload.role === 'user' ? textOf(payload.content) : ''
      if (!isRequest(question)) {
        take(payload)
        continue
      }
      const match = finish(question)
      if (match) yield match
      reason = ''
      answer = ''
      calls.clear()
      turn = {
        place,
        log: {
          question,
          framework: 'codex',
          frameworkVersion: about.version,
          domain: 'code',
          sourceId: about.sourceId,
          createdAt: timeOfLog(timestamp),
          steps: [],
        },
      }
    }
  }
  const foundMatch = finish(null)
  if (foundMatch) yield foundMatch
}

/** Codex CLI: a rollout's JSONL, one experience per request. */
export const codex: LogFormat = {
  id: 'codex',
  title: 'Codex CLI session (rollout JSONL)',
  writtenFor: 'Codex CLI 0.32 to 0.65 (session_meta, turn_context, response_item, event_msg)',
  ...LOG_WORDS,
  recognise: byJsonSigns(
    [sign(0.9, /"payload"\s*:/, /"type"\s*:\s*"(?:session_meta|response_item)"/)],
    /(?:^|[\\/])rollout-[^\\/]*\.jsonl$/,
  ),
  read,
}
