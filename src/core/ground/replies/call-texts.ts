import type { ChatTool } from '../chat'
import { isRecord } from '../writing'
import { LooseJson } from './loose-json'
import { firstAndLast, Places } from './places'
import { nameBefore, textArgument, toolNamed } from './tool-names'

/** A call as it stands in a text. */
export interface FoundCall {
  /** As it was written. */
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly from: number
  readonly end: number
  /** Nothing closes it: it goes on to the end of the text. Default: something does. */
  readonly open?: true
}

const NAMES = ['name', 'tool', 'tool_name', 'function', 'function_name', 'action', 'recipient_name'] as const
const ARGUMENTS = [
  'arguments',
  'parameters',
  'args',
  'input',
  'action_input',
  'tool_input',
  'params',
  'kwargs',
] as const
/** How deep calls lie in what stands around them, such as `{"tool_calls": [{"function": {...}}]}`. */
const DEEPEST_CALL = 4
/** Places at which an object is looked for: of more, the first and the last half. */
const MOST_PLACES = 2000
/** Characters before an object in which its tool's name is looked for. */
const BEFORE = 160

/** Arguments, whether they came as an object, as a text of JSON, or as the one text a tool takes. */
function argumentsOf(tool: ChatTool | undefined, input: unknown): Record<string, unknown> | null {
  if (input === undefined || input === null) return {}
  if (isRecord(input)) return input
  if (typeof input !== 'string') return null
  const start = input.search(/\S/)
  if (start < 0) return {}
  if (input[start] === '{') {
    const read = new LooseJson(input).at(start)
    if (read && isRecord(read.value)) return read.value
  }
  const only = tool && textArgument(tool)
  return only === undefined ? null : { [only]: input }
}

/** Calls that a value holds, first to last. */
function callsIn(value: unknown, tools: readonly ChatTool[], depth = 0): Omit<FoundCall, 'from' | 'end'>[] {
  if (depth > DEEPEST_CALL) return []
  if (Array.isArray(value)) return value.flatMap((item: unknown) => callsIn(item, tools, depth + 1))
  if (!isRecord(value)) return []
  const nameKey = NAMES.find(
    (key) => typeof value[key] === 'string' && value[key] !== '' && value[key] !== 'function',
  )
  if (nameKey !== undefined) {
    const name = value[nameKey] as string
    const tool = toolNamed(tools, name)
    const argsKey = ARGUMENTS.find((key) => value[key] !== undefined)
    if (argsKey !== undefined) {
      const args = argumentsOf(tool, value[argsKey])
      if (args !== null) return [{ name, args }]
    } else if (tool) {
      const { [nameKey]: _name, ...rest } = value
      const records = Object.entries(rest).filter(([key]) => key !== 'id' && key !== 'type')
      return [{ name, args: Object.fromEntries(records) }]
    }
  }
  const [[key, inner] = ['', undefined], ...others] = Object.entries(value)
  const keyed = others.length === 0 ? toolNamed(tools, key) : undefined
  const args = keyed && argumentsOf(keyed, inner)
  if (keyed && args) return [{ name: keyed.name, args }]
  return Object.values(value).flatMap((one) => callsIn(one, tools, depth + 1))
}

/** What stands between a tool's name and its arguments: the families' marks, a fence, a label. */
const JOINTS: readonly RegExp[] = [
  /<[|｜][^<>|｜]{1,40}[|｜]>$/,
  /\[ARGS\]$/,
  /\[CALL_ID\][\w-]{0,40}$/,
  /```(?:json|JSON)$/,
  /(?:[Aa]ction|[Tt]ool) [Ii]nput$/,
  /(?:<\|constrain\|>json|:\d{1,4}|\bjson)$/,
  /<\|channel\|>(?:commentary|analysis)$/,
]

/** A text without what is put between anything: blanks, and signs that open or close. */
function withoutBlanks(text: string): string {
  let end = text.length
  // A mark such as `<|message|>` is a joint of its own.
  while (end > 0 && (/[\s:(`*]/.test(text.charAt(end - 1)) || /[^|｜]>$/.test(text.slice(end - 2, end))))
    end--
  return text.slice(0, end)
}

/** A text without the joints at its end. */
function withoutJoints(text: string): string {
  let rest = text
  for (let most = 0; most < 8; most++) {
    const shorter = JOINTS.reduce((restText, joint) => withoutBlanks(restText.replace(joint, '')), rest)
    if (shorter === rest) break
    rest = shorter
  }
  return rest
}

/** The tool named right before the object at `start`, as in `name[ARGS]{`, `to=functions.name ...{` or `>>>name\n{`. */
export function toolBefore(
  text: string,
  start: number,
  tools: readonly ChatTool[],
): { tool: ChatTool; from: number } | null {
  const before = text.slice(Math.max(0, start - BEFORE), start)
  const head = withoutJoints(before)
  const output = nameBefore(head, head.length)
  const tool = toolNamed(tools, output.replace(/^.*\bfunctions\./, ''))
  return tool ? { tool, from: start - before.length + head.length - output.length } : null
}

/** Calls written as JSON, in whatever stands around them: tags, lists, fences, sentences. */
export function jsonCalls(text: string, tools: readonly ChatTool[]): FoundCall[] {
  const foundCalls: FoundCall[] = []
  const reader = new LooseJson(text)
  let end = 0
  for (const at of firstAndLast(new Places(text).of('{'), MOST_PLACES)) {
    const read = at < end ? null : reader.at(at)
    if (!read || !isRecord(read.value)) continue
    end = read.end
    const calls = callsIn(read.value, tools)
    // Calls of one object keep their order.
    foundCalls.push(...calls.map((call, i) => ({ ...call, from: at + i / 1000, end: read.end })))
    const before = calls.length > 0 ? null : toolBefore(text, at, tools)
    if (before)
      foundCalls.push({ name: before.tool.name, args: read.value, from: before.from, end: read.end })
  }
  return foundCalls
}
