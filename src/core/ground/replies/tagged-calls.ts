import type { ChatTool } from '../chat'
import { isRecord } from '../writing'
import { LooseJson } from './loose-json'
import { firstAndLast, firstFrom, Places } from './places'
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

/** Calls in a text, and arguments of a call, that are read: of more, the first and the last half. */
const MOST = 128
/** Places at which a call as Python writes it is looked for; likewise. */
const MOST_PLACES = 2000

const openAt = (text: string, end: number): Pick<FoundCall, 'open'> =>
  end === text.length ? { open: true } : {}

/** A text in which tags are looked for: what calls within one another share is read once. */
class TaggedText {
  readonly places: Places
  readonly #parameters: readonly RegExpMatchArray[]
  readonly #starts: readonly number[]
  readonly #values = new Map<string, unknown>()

  constructor(readonly text: string) {
    this.places = new Places(text)
    this.#parameters = [...text.matchAll(PARAMETER)]
    this.#starts = this.#parameters.map(({ index = 0 }) => index)
  }

  /** The arguments of a call whose body goes from `from` to `end`, each in a tag of its own. */
  parameters(from: number, end: number, tool: ChatTool | undefined): Record<string, unknown> {
    const inside = this.#parameters.slice(firstFrom(this.#starts, from), firstFrom(this.#starts, end))
    const entries = firstAndLast(inside, MOST).flatMap((match): [string, unknown][] => {
      const [whole, tag = '', key = ''] = match
      const start = (match.index ?? 0) + whole.length
      if (start > end) return []
      const close = this.places.first([`</${tag}>`, `<${tag}=`, `<${tag} name`], start, end)
      return [[key, this.#value(start, close, tool, key)]]
    })
    return Object.fromEntries(entries)
  }

  /** GLM's pairs: `<arg_key>key</arg_key><arg_value>value</arg_value>`. */
  pairs(from: number, end: number, tool: ChatTool | undefined): Record<string, unknown> {
    const keys = this.places.of('<arg_key>')
    const inside = keys.slice(firstFrom(keys, from), firstFrom(keys, end))
    const entries = firstAndLast(inside, MOST).flatMap((place): [string, unknown][] => {
      const start = place + '<arg_key>'.length
      if (start > end) return []
      const next = this.places.first(['<arg_key>'], start, end)
      const key = this.text.slice(start, this.places.first(['</arg_key>'], start, next)).trim()
      const value = this.places.first(['<arg_value>'], start, next)
      const valueStart = Math.min(next, value + '<arg_value>'.length)
      const close = this.places.first(['</arg_value>'], valueStart, next)
      return [[key, value === next ? valueOf(tool, key, '') : this.#value(valueStart, close, tool, key)]]
    })
    return Object.fromEntries(entries)
  }

  #value(from: number, to: number, tool: ChatTool | undefined, key: string): unknown {
    const place = `${from} ${to} ${tool?.name ?? ''} ${key}`
    if (!this.#values.has(place)) this.#values.set(place, valueOf(tool, key, this.text.slice(from, to)))
    return this.#values.get(place)
  }
}

/** Calls written as tags with a tag per argument: Qwen3-Coder, Step, Nemotron, Seed-OSS, MiniMax and others. */
export function tagCalls(text: string, tools: readonly ChatTool[]): FoundCall[] {
  const tagged = new TaggedText(text)
  const calls: FoundCall[] = []
  for (const match of firstAndLast([...text.matchAll(OPENING)], MOST)) {
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
    const end = tagged.places.first(CLOSINGS, start)
    const args = tagged.parameters(start, end, toolNamed(tools, name))
    calls.push({ name, args, from: match.index, end, ...openAt(text, end) })
  }
  for (const match of firstAndLast([...text.matchAll(GLM_OPEN)], MOST)) {
    const name = match[1] ?? ''
    const start = match.index + match[0].length
    const end = tagged.places.first(['</tool_call>'], start)
    const args = tagged.pairs(start, end, toolNamed(tools, name))
    calls.push({ name, args, from: match.index, end, ...openAt(text, end) })
  }
  return [...calls, ...namedTagCalls(text, tools)]
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
  const toolsByName = new Map<string, ChatTool | undefined>()
  for (const at of firstAndLast(new Places(text).of('('), MOST_PLACES)) {
    const name = nameBefore(text, at)
    if (!toolsByName.has(name)) toolsByName.set(name, toolNamed(tools, name))
    const tool = toolsByName.get(name)
    const from = at - name.length
    const call = tool && beginsCall(text, from) ? pythonArguments(text, at + 1, tool, reader) : null
    if (tool && call) calls.push({ name: tool.name, args: call.args, from, end: call.end })
  }
  return calls
}

/** Whether what stands before `from` on its line lets a call begin there. */
function beginsCall(text: string, from: number): boolean {
  const before = text.slice(Math.max(0, from - 100), from)
  const line = before.slice(before.lastIndexOf('\n') + 1).trimEnd()
  return line === '' || /[[>,(`]$/.test(line)
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
