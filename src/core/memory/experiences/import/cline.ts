import { parsed, readElements } from '../../../ground/entries'
import { byJsonSigns, sign } from '../../../ground/recognition'
import { isRecord } from '../../../ground/record'
import { foundInDialog, nameOf } from './conversations'
import type { DialogCall, DialogMessage, DialogResult } from './dialog-message'
import { LOG_WORDS, type Found, type LogFormat } from './log'
import { messageOf } from './message'

/** What the program puts around what the person wrote. */
const PERSON = ['task', 'feedback', 'user_message', 'answer', 'user_input'] as const
/** The answer to a call that was written as text: "[execute_command for 'npm test'] Result:". */
const RESULT = /^\[([a-z_]{3,60})(?: for [^\n]{0,2000})?\] Result:\s*/
/** What a tool answers where the person spoke in its place, or refused it. */
const SPOKEN = /^(?:The user (?:has )?(?:provided|denied|approved)|<(?:answer|feedback|user_message)>)/
const FAILED = /^(?:The tool execution failed|The user denied|Error[: ])/
/** Calls that are written as XML begin so, by the names of the tools. */
const CALL =
  /<(execute_command|read_file|write_to_file|replace_in_file|apply_diff|insert_content|search_files|list_files|list_code_definition_names|browser_action|use_mcp_tool|access_mcp_resource|ask_followup_question|attempt_completion|plan_mode_respond|new_task|switch_mode|web_fetch)>/g
const ARGUMENT = /<([a-z_]{1,40})>/g
/** Calls of a message and arguments of a call that are looked at. */
const MOST_CALLS = 100
const MOST_ARGUMENTS = 50

interface Element {
  readonly name: string
  readonly body: string
  readonly from: number
  readonly to: number
}

/** The elements that begin with one of these tags and are closed, one after the other. */
function elementsIn(text: string, opening: RegExp, most: number): Element[] {
  const elements: Element[] = []
  let end = 0
  let count = 0
  for (const match of text.matchAll(opening)) {
    if (match.index < end) continue
    if (++count > most) break
    const name = match[1] ?? ''
    const from = match.index + match[0].length
    const to = text.indexOf(`</${name}>`, from)
    if (to < 0) continue
    end = to + name.length + 3
    elements.push({ name, body: text.slice(from, to).trim(), from: match.index, to: end })
  }
  return elements
}

/** A text without these elements. */
function without(text: string, elements: readonly Element[]): string {
  let rest = ''
  let at = 0
  for (const { from, to } of elements) {
    rest += text.slice(at, from)
    at = to
  }
  return (rest + text.slice(at)).trim()
}

const OF_PROGRAM = /<(environment_details)>/g
const THINKS = /<(thinking)>/g
const OF_PERSON = new RegExp(`<(${PERSON.join('|')})(?: mode="[a-z]{1,20}")?>`, 'g')

/** Tools that only say something to the person. */
const SAYS: ReadonlySet<string> = new Set([
  'attempt_completion',
  'plan_mode_respond',
  'ask_followup_question',
])

const argumentsIn = (body: string): Record<string, string> =>
  Object.fromEntries(elementsIn(body, ARGUMENT, MOST_ARGUMENTS).map(({ name, body: value }) => [name, value]))

/** A reply with its calls taken out of the text. */
function replyOf(message: DialogMessage): DialogMessage {
  const calls: DialogCall[] = []
  const words: string[] = []
  const elements = elementsIn(message.text, CALL, MOST_CALLS)
  for (const { name: tool, body } of elements) {
    const input = argumentsIn(body)
    if (SAYS.has(tool)) words.push(input['result'] ?? input['response'] ?? input['question'] ?? '')
    else calls.push({ id: null, tool, given: input })
  }
  const spoken = without(message.text, elements)
  const thoughts = elementsIn(spoken, THINKS, 1)
  const rest = without(spoken, thoughts)
  return {
    ...message,
    text: calls.length > 0 || words.length === 0 ? rest : words.join('\n').trim(),
    thought: [message.thought ?? '', ...thoughts.map(({ body }) => body)]
      .filter((part) => part !== '')
      .join('\n'),
    calls: [...(message.calls ?? []), ...calls],
  }
}

/** What stands in a message in the person's name: what they wrote, and what tools answered. */
function askOf(content: unknown, message: DialogMessage): DialogMessage[] {
  const blocks = Array.isArray(content) ? content.filter(isRecord) : []
  const texts = (blocks.length > 0 ? blocks : [{ type: 'text', text: message.text }]).flatMap((block) =>
    block['type'] === 'text' && typeof block['text'] === 'string'
      ? [without(block['text'], elementsIn(block['text'], OF_PROGRAM, MOST_CALLS))]
      : [],
  )
  const requests: string[] = []
  const results: DialogResult[] = []
  for (const result of message.results ?? []) {
    const request = SPOKEN.test(result.text) ? elementsIn(result.text, OF_PERSON, 1)[0]?.body : undefined
    if (request === undefined) results.push(result)
    else requests.push(request)
  }
  let isAnswer = false
  for (const text of texts) {
    const request = elementsIn(text, OF_PERSON, 1)[0]?.body
    const answered = RESULT.exec(text)
    if (request !== undefined) requests.push(request)
    else if (answered) {
      isAnswer = true
      const rest = text.slice(answered[0].length)
      results.push({ id: null, text: rest, failed: FAILED.test(rest) })
    } else if (isAnswer && results.length > 0 && text !== '') {
      const last = results.pop()
      if (last)
        results.push({
          ...last,
          text: `${last.text}\n${text}`.trim(),
          failed: last.failed || FAILED.test(text),
        })
    }
  }
  return [
    ...(results.length > 0 ? [{ role: 'tool' as const, text: '', results }] : []),
    ...requests.map((text) => ({ role: 'user' as const, text })),
  ]
}

function dialogOf(values: readonly unknown[]): DialogMessage[] {
  return values.filter(isRecord).flatMap((value) => {
    const message = messageOf(value)
    if (!message) return []
    return message.role === 'agent' ? [replyOf(message)] : askOf(value['content'], message)
  })
}

/** A session of the program for terminals: its messages, with what is known of all. */
function* sessionIn(
  { messages, sessionId, origin }: Record<string, unknown> & { readonly messages: readonly unknown[] },
  place: Found['place'],
): Generator<Found> {
  const about = isRecord(origin) ? origin : {}
  const { modelInfo } = messages.filter(isRecord).find((each) => isRecord(each['modelInfo'])) ?? {}
  yield* foundInDialog(place, dialogOf(messages), {
    ...{ framework: 'cline', frameworkVersion: nameOf(about['version']), domain: 'code' },
    ...{ sourceId: nameOf(sessionId), model: isRecord(modelInfo) ? nameOf(modelInfo['id']) : null },
  })
}

async function* read(text: AsyncIterable<string>): AsyncGenerator<Found> {
  const values: unknown[] = []
  let first: Found['place'] | null = null
  for await (const { place, value, problem } of parsed(readElements(text))) {
    if (problem !== null) yield { kind: 'left', place, why: problem }
    else if (isRecord(value) && Array.isArray(value['messages']))
      yield* sessionIn({ ...value, messages: value['messages'] }, place)
    else {
      first ??= place
      values.push(value)
    }
  }
  if (first) yield* foundInDialog(first, dialogOf(values), { framework: 'cline', domain: 'code' })
}

/** Cline and Roo Code: a task's history of requests, one experience per request of the person. */
export const cline: LogFormat = {
  id: 'cline',
  title: 'Cline or Roo Code task (api_conversation_history.json, *.messages.json)',
  writtenFor: 'Cline 3.0 to 3.40, its program for terminals 3.0.65, Roo Code 3; calls as XML or as tool_use',
  ...LOG_WORDS,
  loses: `${LOG_WORDS.loses} What the program adds to each message about open files and time; tokens, which stand in another file.`,
  recognise: byJsonSigns(
    [
      sign(0.94, /<user_input mode=/, /"sessionId"\s*:/, /"role"\s*:\s*"user"/),
      sign(0.94, /<task>/, /<environment_details>/, /"role"\s*:\s*"user"/),
      sign(
        0.9,
        /\[(?:execute_command|read_file|write_to_file|list_files)(?: for '|\] Result:)/,
        /"role"\s*:/,
      ),
    ],
    /api_conversation_history\.json$/,
  ),
  read,
}
