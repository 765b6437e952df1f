import { publishedReader } from '../../ground/replies/read-reply'
import type { ToolInfo } from '../../ground/tools'
import { isRecord } from '../../ground/writing'
import { exactObject } from '../../ground/exact-object'

/** What a reply of the agent is: a call of one tool, or something said to the user. */
export type ToolUseAction =
  | { readonly kind: 'call'; readonly name: string; readonly args: unknown }
  | { readonly kind: 'message'; readonly content: string }
  | { readonly kind: 'invalid'; readonly reason: string }

const ACTION = /Action: (Tool|Message)[^\S\n]*\n?/
const FENCE = '```'

/** What the first fence holds; null without one. */
function fenced(text: string): string | null {
  const from = text.indexOf(FENCE) + FENCE.length
  const end = from < FENCE.length ? -1 : text.indexOf(FENCE, from)
  return end < 0 ? null : text.slice(from, end).replace(/^json/, '')
}

const invalid = (reason: string): ToolUseAction => ({ kind: 'invalid', reason })

/**
 * Reads a reply: the first `Action: Tool|Message` decides. A tool call is the JSON object behind it, fenced or not, with `name` and
 * `arguments`; a message is all of the text behind it.
 */
export function parseToolUse(reply: string): ToolUseAction {
  const action = ACTION.exec(reply)
  if (action === null) return invalid('There is no "Action: Tool" or "Action: Message" in the reply.')
  const rest = reply.slice(action.index + action[0].length).trim()
  if (action[1] === 'Message') {
    return rest === '' ? invalid('The message is empty.') : { kind: 'message', content: rest }
  }
  const text = fenced(rest) ?? rest
  try {
    const call = JSON.parse(text) as unknown
    if (typeof call !== 'object' || call === null || !('name' in call) || typeof call.name !== 'string') {
      return invalid('The tool call has no name.')
    }
    return { kind: 'call', name: call.name, args: 'arguments' in call ? call.arguments : {} }
  } catch {
    return invalid('The tool call is not JSON.')
  }
}

/** A tool call in the form that `parseToolUse` reads. */
export const writeCall = (name: string, args: unknown): string =>
  `Action: Tool\n\`\`\`json\n${JSON.stringify({ name, arguments: args })}\n\`\`\``

/** A message in the form that `parseToolUse` reads. */
export const writeMessage = (text: string): string => `Action: Message\n${text}`

/** What says something to the user. */
export const SAY: ToolInfo = {
  name: 'message',
  server: 'user',
  description: 'Says something to the user.',
  inputSchema: exactObject({ text: { type: 'string', description: 'What to say.' } }),
}

/** A call as text, as `parseToolUse` reads it. */
export const writeAction = (name: string, args: Readonly<Record<string, unknown>>): string =>
  name === SAY.name ? writeMessage(String(args['text'] ?? '')) : writeCall(name, args)

/** The text form as a call; null when a reply is not in it. */
export const readPublished = publishedReader(parseToolUse, (action) =>
  action.kind === 'message'
    ? { name: SAY.name, args: { text: action.content } }
    : { name: action.name, args: isRecord(action.args) ? action.args : {} },
)
