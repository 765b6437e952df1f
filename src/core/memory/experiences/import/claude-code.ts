import { z } from 'zod'
import { byJsonSigns, sign } from '../../../ground/recognition'
import type { ExperienceStep } from '../../../../shared/domain/experience'
import { verbOf, verbOfCommand } from '../actions'
import { LOG_WORDS, step, type Found, type LogFormat } from './log'
import { anything, maybeTexts, shapeProblem, textOf, timeOfLog } from './records'
import { foundOf, isRequest, type Turn } from './sessions'
import { uniformFields } from '../../../ground/uniform-fields'
import { parsed, readElements, readLines, type ParsedEntry } from '../../../ground/entries'
import { peek } from '../../../ground/peek'

const blockSchema = z.object({
  type: z.string(),
  ...maybeTexts('text', 'thinking', 'id', 'name', 'tool_use_id'),
  ...anything('input', 'content'),
  is_error: z.boolean().nullish(),
})
const lineSchema = z.object({
  type: z.string(),
  ...maybeTexts('sessionId', 'version', 'timestamp', 'uuid'),
  ...uniformFields(z.boolean().nullish(), 'isSidechain', 'isMeta', 'isCompactSummary'),
  message: z
    .object({
      ...maybeTexts('role', 'id', 'model'),
      content: z.union([z.string(), z.array(blockSchema)]).nullish(),
      usage: z
        .object({
          input_tokens: z.number(),
          cache_creation_input_tokens: z.number().nullable(),
          cache_read_input_tokens: z.number().nullable(),
          output_tokens: z.number(),
        })
        .partial()
        .nullish(),
    })
    .nullish(),
})
type Line = z.infer<typeof lineSchema>

/** Lines that are no part of the conversation. */
const OTHER_LINES: ReadonlySet<string> = new Set([
  'summary',
  'system',
  'file-history-snapshot',
  'queue-operation',
  'progress',
  'custom-title',
])

/** Whether the program, or an agent of its own, wrote a line in the person's name. */
const isOfProgram = ({ isSidechain, isMeta, isCompactSummary }: Line): boolean =>
  isSidechain === true || isMeta === true || isCompactSummary === true

function toolStep(tool: string, input: unknown, reason: string): ExperienceStep {
  const givenInput = typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {}
  const command = textOf(givenInput['command'])
  return step({
    verb: tool === 'Bash' ? verbOfCommand(command) : verbOf(tool),
    tool,
    content: tool === 'Bash' && command !== '' ? command : JSON.stringify(givenInput),
    reason,
  })
}

/** An exported session: its lines in a list. */
const exportSchema = z.looseObject({ loglines: z.array(z.unknown()) })

/** The lines of a session's file, or of an export of it as one JSON. */
async function* linesIn(text: AsyncIterable<string>): AsyncGenerator<ParsedEntry> {
  const { head, pieces } = await peek(text, HEAD)
  if (!IS_EXPORT.test(head)) {
    yield* parsed(readLines(pieces))
    return
  }
  for await (const entry of parsed(readElements(pieces))) {
    const session = exportSchema.safeParse(entry.value)
    const lines = session.success ? session.data.loglines : [entry.value]
    for (const [i, value] of lines.entries())
      yield { ...entry, place: session.success ? { ...entry.place, entry: i + 1 } : entry.place, value }
  }
}

const HEAD = 65_536
/** An object over several lines, or with the list of lines, is no session's file. */
const IS_EXPORT = /^\uFEFF?\s*(?:\[|\{\s*\n|\{\s*"loglines")/

/** Reads one session, request by request; sub-agents' lines are left out. */
async function* read(text: AsyncIterable<string>): AsyncGenerator<Found> {
  let turn: Turn | null = null
  let reason = ''
  let answer = ''
  const waitingMap = new Map<string, { turn: Turn; at: number }>()
  const countedSet = new Set<string>()

  const take = (line: Line): void => {
    const { message } = line
    if (!turn || !message) return
    const { log } = turn
    const blocks = typeof message.content === 'string' ? [] : (message.content ?? [])
    for (const block of blocks) {
      if (block.type === 'text' || block.type === 'thinking') reason = block.text ?? block.thinking ?? ''
      if (block.type === 'text') answer = block.text ?? ''
      if (block.type === 'tool_use' && block.name) {
        log.steps.push(toolStep(block.name, block.input, reason))
        if (block.id) waitingMap.set(block.id, { turn, at: log.steps.length - 1 })
        reason = ''
      }
      const call = block.type === 'tool_result' ? waitingMap.get(block.tool_use_id ?? '') : undefined
      const before = call?.turn.log.steps[call.at]
      if (call && before) {
        const observation = textOf(block.content)
        call.turn.log.steps[call.at] = { ...before, observation, failed: block.is_error === true }
      }
    }
    // A reply comes in several lines that all carry the usage of the whole.
    if (message.usage && !countedSet.has(message.id ?? line.uuid ?? '')) {
      countedSet.add(message.id ?? line.uuid ?? '')
      const {
        input_tokens = 0,
        cache_creation_input_tokens,
        cache_read_input_tokens,
        output_tokens = 0,
      } = message.usage
      const prompt = input_tokens + (cache_creation_input_tokens ?? 0) + (cache_read_input_tokens ?? 0)
      turn = {
        ...turn,
        log: {
          ...log,
          model: message.model ?? log.model ?? null,
          promptTokens: (log.promptTokens ?? 0) + prompt,
          completionTokens: (log.completionTokens ?? 0) + output_tokens,
        },
      }
    }
  }

  for await (const { place, value, problem } of linesIn(text)) {
    const line = lineSchema.safeParse(value)
    if (problem !== null || !line.success) {
      yield { kind: 'left', place, why: problem ?? (line.error ? shapeProblem(line.error) : '') }
      continue
    }
    const { type, message, sessionId, version, timestamp } = line.data
    if (OTHER_LINES.has(type) || isOfProgram(line.data) || !message) continue
    const question = type === 'user' ? requestIn(message.content) : ''
    if (question === '') {
      take(line.data)
      continue
    }
    if (turn) yield foundOf(turn, { reply: reason, answer, next: question })
    reason = ''
    answer = ''
    waitingMap.clear()
    turn = {
      place,
      log: {
        question,
        framework: 'claude-code',
        frameworkVersion: version ?? null,
        domain: 'code',
        sourceId: sessionId ?? null,
        createdAt: timeOfLog(timestamp),
        steps: [],
      },
    }
  }
  if (turn) yield foundOf(turn, { reply: reason, answer, next: null })
}

/** What the person asked in a line; empty when the line carries results or a program's text. */
function requestIn(content: NonNullable<Line['message']>['content']): string {
  if (typeof content === 'string') return isRequest(content) ? content : ''
  if (!content || content.some(({ type }) => type === 'tool_result')) return ''
  return content
    .flatMap(({ type, text }) => (type === 'text' && isRequest(text ?? '') ? [text ?? ''] : []))
    .join('\n')
}

/** Claude Code: a session's JSONL, or its export as JSON, one experience per request. */
export const claudeCode: LogFormat = {
  id: 'claude-code',
  title: 'Claude Code session (JSONL, JSON)',
  writtenFor: 'Claude Code 1.0 and 2.0 (session files below projects/, and exports with loglines)',
  ...LOG_WORDS,
  recognise: byJsonSigns([
    sign(0.95, /"loglines"\s*:\s*\[/),
    sign(
      0.9,
      /"type"\s*:\s*"(?:user|assistant)"/,
      /"message"\s*:\s*\{/,
      /"(?:sessionId|parentUuid|isSidechain)"\s*:/,
    ),
  ]),
  read,
}
