import { isUnfinished, type ChatTool, type GenerateResult, type ToolCall } from '../../core/ground/chat'
import { LooseJson } from '../../core/ground/replies/loose-json'
import { callsInText } from '../../core/ground/replies/read-reply'
import { namedArguments, toolNamed } from '../../core/ground/replies/tool-names'
import { isRecord } from '../../core/ground/writing'

/** A call as it was written: `text` are its arguments. */
export interface WrittenCall {
  readonly id: string
  readonly name: string
  readonly text: string
}

/** What is said of a call that a reply was cut in: it is never made in part. `text` is what was written of it. */
export const cutCall = ({ id, name, text }: WrittenCall): ToolCall => ({
  id,
  name,
  arguments: {},
  problem: `The call of ${name} was cut at the length limit of a reply, so it was not made. Give it less at once. It began: ${text.slice(0, 200)}`,
})

/** Reads a call against the tools there are. What cannot be called says why, in words that can go back to the model. */
export function readToolCall(tools: readonly ChatTool[], { id, name, text }: WrittenCall): ToolCall {
  const refuse = (problem: string): ToolCall => ({ id, name, arguments: {}, problem })
  const tool = toolNamed(tools, name)
  if (!tool) {
    const names = tools.map((one) => one.name).join(', ')
    return refuse(`There is no tool "${name}". There ${tools.length === 1 ? 'is' : 'are'}: ${names}.`)
  }
  const read = readArguments(text)
  if (read === undefined) return refuse(`The arguments of ${name} are not JSON: ${text.slice(0, 200)}`)
  if (!isRecord(read)) return refuse(`The arguments of ${name} are not an object: ${text.slice(0, 200)}`)
  const input = namedArguments(tool, read)
  const required = Array.isArray(tool.inputSchema['required']) ? tool.inputSchema['required'] : []
  const gaps = required.filter((key) => typeof key === 'string' && input[key] === undefined)
  if (gaps.length > 0) return { ...refuse(`${name} also needs ${gaps.join(', ')}.`), arguments: input }
  return { id, name: tool.name, arguments: input }
}

/** Arguments as models write them, a text of JSON too; undefined when they cannot be read. */
function readArguments(text: string): unknown {
  const start = text.search(/\S/)
  if (start < 0) return {}
  const read = new LooseJson(text).at(start)
  if (read === null || text.slice(read.end).trim() !== '') return undefined
  if (typeof read.value !== 'string' || !read.value.trimStart().startsWith('{')) return read.value
  return new LooseJson(read.value).at(read.value.search(/\S/))?.value
}

/** A reply with the calls that stand in its text, in any of the families' forms. */
export function withCalls<Reply extends Pick<GenerateResult, 'text' | 'finish'>>(
  reply: Reply,
  tools: readonly ChatTool[],
): Reply & Pick<GenerateResult, 'toolCalls'> {
  const calls = callsInText(reply.text, tools)
  const [first] = calls
  if (first === undefined) return reply
  const isCut = isUnfinished(reply.finish) && calls.some(({ open }) => open)
  const toolCalls = calls.map(({ name, args, from, open }, i) =>
    open && isCut
      ? cutCall({ id: `call-${i}`, name, text: reply.text.slice(Math.floor(from)) })
      : readToolCall(tools, { id: `call-${i}`, name, text: JSON.stringify(args) }),
  )
  const head = reply.text.slice(0, Math.floor(first.from))
  // The mark that begins a call stands before what was found.
  const mark = head.search(
    /<\|?[\w-]{0,20}(?:tool|function|python_tag)|\[TOOL_CALLS\]|<｜tool|<\|channel\|>|<[\w-]{1,20}:tool|```(?:json|tool_code)?\s{0,4}$/,
  )
  const text = (mark < 0 ? head : head.slice(0, mark)).trim()
  return { ...reply, text, toolCalls, finish: finishOf(reply, isCut) }
}

/** How a reply with calls ended: one whose last call was cut says by what. */
export const finishOf = (
  { finish }: Pick<GenerateResult, 'finish'>,
  isCut: boolean,
): GenerateResult['finish'] => (isCut && isUnfinished(finish) ? finish : 'tool-calls')
