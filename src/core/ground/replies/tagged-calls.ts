import type { ChatTool } from '../chat'
import { isRecord } from '../writing'
import { LooseJson } from './loose-json'
import { argumentNames, nameBefore, toolNamed } from './tool-names'
import type { FoundCall } from './call-texts'

/** Openings of a call as tags: `<function=name>`, `<invoke name="name">`, `<function name="name">`; DeepSeek puts `｜DSML｜` before each tag's name. */
const OPENING =
  /<(?:｜DSML｜)?(?:function|invoke|tool)(?:=|\s{1,4}name=)["']?([A-Za-z_][\w.-]{0,80})["']?\s{0,4}>/g
/** One argument: `<parameter=key>`, `<parameter name="key">`, `<param name="key">`. */
const PARAMETER =
  /<((?:｜DSML｜)?(?:parameter|param|arg))(?:=|\s{1,4}name=)["']?([A-Za-z_][\w.-]{0,80})["']?(?:\s{1,4}[a-z]{1,12}="[a-z]{1,12}")?\s{0,4}>/g
const CLOSINGS = ['</function>', '</invoke>', '</tool>', '</tool_call>', '</｜DSML｜invoke>'] as const
const GLM_OPEN = /<tool_call>\s{0,8}([A-Za-z_][\w.-]{0,80})\s{0,8}(?=<arg_key>|<\/tool_call>)/g

/** A value as its schema wants it: tags hold text, and numbers, lists and objects stand in it as JSON. */
function valueOf(tool: ChatTool | undefined, key: string, text: string): unknown {
  const properties = tool?.inputSchema['properties']
  const schema = isRecord(properties) ? properties[key] : undefined
  const isText = isRecord(schema) && schema['type'] === 'string'
  // One line break behind the opening tag and one before the closing one are the form's own.
  const value = text.replace(/^\r?\n/, '').replace(/\r?\n$/, '')
  if (isText) return value
  const start = value.search(/\S/)
  const read = start < 0 ? null : new LooseJson(value).at(start)
  return read !== null && value.slice(read.end).trim() === '' ? read.value : value
}

const firstOf = (text: string, marks: readonly string[], from: number): number => {
  const places = marks.map((mark) => text.indexOf(mark, from)).filter((place) => place >= 0)
  return places.length === 0 ? text.length : Math.min(...places)
}

const openAt = (text: string, end: number): Pick<FoundCall, 'open'> =>
  end === text.length ? { open: true } : {}

function parametersIn(
  text: string,
  from: number,
  end: number,
  tool: ChatTool | undefined,
): Record<string, unknown> {
  const body = text.slice(from, end)
  const entries: [string, unknown][] = []
  for (const match of body.matchAll(PARAMETER)) {
    const [whole, tag = '', key = ''] = match
    const start = match.index + whole.length
    const close = firstOf(body, [`</${tag}>`, `<${tag}=`, `<${tag} name`], start)
    entries.push([key, valueOf(tool, key, body.slice(start, close))])
  }
  return Object.fromEntries(entries)
}

/** Calls written as tags with a tag per argument: Qwen3-Coder, Step, Nemotron, Seed-OSS, MiniMax and others. */
export function tagCalls(text: string, tools: readonly ChatTool[]): FoundCall[] {
  const calls: FoundCall[] = []
  for (const match of text.matchAll(OPENING)) {
    const name = match[1] ?? ''
    const start = match.index + match[0].length
    // With an object inside, it is a call as JSON.
    if (
      text
        .slice(start, start + 40)
        .trimStart()
        .startsWith('{')
    )
      continue
    const end = firstOf(text, CLOSINGS, start)
    const args = parametersIn(text, start, end, toolNamed(tools, name))
    calls.push({ name, args, from: match.index, end, ...openAt(text, end) })
  }
  for (const match of text.matchAll(GLM_OPEN)) {
    const name = match[1] ?? ''
    const start = match.index + match[0].length
    const end = firstOf(text, ['</tool_call>'], start)
    calls.push({
      name,
      args: glmArguments(text.slice(start, end), toolNamed(tools, name)),
      from: match.index,
      end,
      ...openAt(text, end),
    })
  }
  return [...calls, ...namedTagCalls(text, tools)]
}

/** GLM's pairs: `<arg_key>key</arg_key><arg_value>value</arg_value>`. */
function glmArguments(body: string, tool: ChatTool | undefined): Record<string, unknown> {
  const entries = body
    .split('<arg_key>')
    .slice(1)
    .map((part): [string, unknown] => {
      const key = part.slice(0, firstOf(part, ['</arg_key>'], 0)).trim()
      const index = part.indexOf('<arg_value>')
      const value = index < 0 ? '' : part.slice(index + 11, firstOf(part, ['</arg_value>'], index))
      return [key, valueOf(tool, key, value)]
    })
  return Object.fromEntries(entries)
}

/** Tags that are named as the tool and its arguments are: `<execute_sql><sql>...</sql></execute_sql>`. */
function namedTagCalls(text: string, tools: readonly ChatTool[]): FoundCall[] {
  return tools.flatMap((tool): FoundCall[] => {
    const open = `<${tool.name}>`
    const from = text.lastIndexOf(open)
    const end = from < 0 ? -1 : text.indexOf(`</${tool.name}>`, from)
    if (end < 0) return []
    const body = text.slice(from + open.length, end)
    const entries = argumentNames(tool).flatMap((key): [string, unknown][] => {
      const start = body.indexOf(`<${key}>`)
      const close = start < 0 ? -1 : body.indexOf(`</${key}>`, start)
      return close < 0 ? [] : [[key, valueOf(tool, key, body.slice(start + key.length + 2, close))]]
    })
    return [{ name: tool.name, args: Object.fromEntries(entries), from, end }]
  })
}

/** Calls as Python writes them: `[name(key="value")]`, as Llama 4, LFM2 and Gemma's `tool_code` have them. */
export function pythonCalls(text: string, tools: readonly ChatTool[]): FoundCall[] {
  const reader = new LooseJson(text)
  const calls: FoundCall[] = []
  for (let at = text.indexOf('('); at >= 0; at = text.indexOf('(', at + 1)) {
    const name = nameBefore(text, at)
    const from = at - name.length
    const line =
      text
        .slice(Math.max(0, from - 100), from)
        .split('\n')
        .at(-1)
        ?.trimEnd() ?? ''
    const tool = line === '' || /[[>,(`]$/.test(line) ? toolNamed(tools, name) : undefined
    const call = tool && pythonArguments(text, at + 1, tool, reader)
    if (call) calls.push({ name: tool.name, args: call.args, from, end: call.end })
  }
  return calls
}

function pythonArguments(
  text: string,
  start: number,
  tool: ChatTool,
  reader: LooseJson,
): { args: Record<string, unknown>; end: number } | null {
  const names = argumentNames(tool)
  const entries: [string, unknown][] = []
  let at = start
  for (let most = 0; most < 64; most++) {
    const key = /^[\s,]{0,40}(?:([A-Za-z_]\w{0,80})\s{0,8}=(?!=))?\s{0,8}/.exec(text.slice(at, at + 200))
    at += key?.[0].length ?? 0
    if (text[at] === ')') return { args: Object.fromEntries(entries), end: at + 1 }
    const read = reader.at(at)
    const name = key?.[1] ?? names[entries.length]
    if (read === null || name === undefined) return null
    entries.push([name, read.value])
    at = read.end
  }
  return null
}
