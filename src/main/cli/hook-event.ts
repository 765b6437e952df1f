import { canonicalJson } from '../../core/ground/canonical-json'
import { isRecord } from '../../core/ground/record'
import { complaintOf } from '../../core/verdict/complaint'

/** A moment of a program that runs hooks, by whatever name it goes there. */
export type Moment = 'start' | 'before' | 'after'

const MOMENTS: Readonly<Record<string, Moment>> = {
  ...{ SessionStart: 'start', sessionStart: 'start' },
  ...{ PreToolUse: 'before', BeforeTool: 'before', preToolUse: 'before' },
  ...{ PostToolUseFailure: 'after', PostToolUse: 'after', AfterTool: 'after' },
}

/** What a program tells its hooks, as far as Loam reads it. */
export interface HookEvent {
  readonly name: string
  /** Null: one at which Loam has nothing to say. */
  readonly moment: Moment | null
  readonly session: string
  readonly tool: string
  /** What the tool is given, as attempts keep it. */
  readonly action: string
  /** What the tool complained of; null before a call, and where it did not. */
  readonly error: string | null
}

/** Most characters that a hook is told. */
const LONGEST_EVENT = 4 * 1024 * 1024

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/** What Gemini CLI says of a command beside what the command said. */
const FRAME = /^(?:Output: |(?:Exit Code|Process Group PGID): \d{1,10}$)/gm

/** What a tool answered, and what is said of it besides. */
function answerIn(response: unknown): {
  readonly text: string
  readonly isError: boolean
  readonly exit: number
} {
  const parts = isRecord(response) ? response : { output: response }
  const { error } = parts
  const message = isRecord(error) ? textIn(error['message']) : textIn(error)
  const texts = ['llmContent', 'output', 'stdout', 'stderr'].map((name) => textIn(parts[name]))
  const text = message === '' ? texts.filter((one) => one !== '').join('\n') : message
  const exit = Number(/^Exit Code: (\d{1,5})$/m.exec(text)?.[1] ?? 0)
  return { text: text.replace(FRAME, ''), isError: message !== '' || parts['isError'] === true, exit }
}

/** Reads what came. @throws Error where it is no moment of a program */
export function hookEventOf(text: string): HookEvent {
  const value: unknown = JSON.parse(text)
  if (!isRecord(value) || typeof value['hook_event_name'] !== 'string') throw new Error('It names no moment.')
  const { hook_event_name: name, tool_input: input = {}, tool_response: response } = value
  const action = typeof input === 'string' ? input : canonicalJson(input)
  const { text: answer, isError, exit } = answerIn(response)
  const message = textIn(value['error']).trim()
  const complaint = response === undefined ? null : complaintOf(answer, action, { isError, exit })
  return {
    name: name as string,
    moment: MOMENTS[name as string] ?? null,
    session: textIn(value['session_id']) || textIn(value['conversation_id']),
    tool: textIn(value['tool_name']),
    action,
    error: message || complaint?.line || null,
  }
}

let input: Promise<string> | undefined

async function readInput(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk)
    if (text.length > LONGEST_EVENT) break
  }
  return text
}

/** What came on standard input, read once. */
export const hookInput = (): Promise<string> => (input ??= readInput())
