import type { ChatTool, ToolCall } from '../chat'
import { actionLines, codeFault, fencedText, finalAnswer, OWN_FORM, type ActionWords } from './action-lines'
import { pythonCalls, tagCalls } from './tagged-calls'
import { takeThoughts } from './thoughts'
import { namedArguments, requiredNames, textArgument, toolNamed } from './tool-names'
import { jsonCalls, type FoundCall } from './call-texts'
import { firstFrom, LONGEST } from './places'

/** What an agent wrote in one turn, thoughts told apart or still in it. */
export interface AgentReply {
  readonly text: string
  /** Calls that the model's program read. */
  readonly toolCalls?: readonly ToolCall[]
  /** It was cut by its token limit: text that names no action is then not taken for whole. Default false. */
  readonly cut?: boolean
}

/** A tool that is called, with what. */
export interface Called {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

/** Reads a published text form as a call; null when a reply is not in it. */
export const publishedReader =
  <Action extends { readonly kind: string }>(
    parse: (reply: string) => Action,
    callOf: (action: Exclude<Action, { readonly kind: 'invalid' }>) => Called,
  ) =>
  (reply: string): Called | null => {
    const action = parse(reply)
    return action.kind === 'invalid' ? null : callOf(action as Exclude<Action, { readonly kind: 'invalid' }>)
  }

/** How an environment's replies are read. */
export interface ReplyRules extends ActionWords {
  /** Which action of several in one reply counts, native calls among them. Default: the last one. */
  readonly pick?: 'first' | 'last'
  /** The published text form; read before all others where its first action counts. */
  readonly published?: (text: string) => Called | null
  /** The tool that text stands for which names no action: what says something to a user, or answers. Default: none. */
  readonly plain?: string | undefined
  /** Calls of unknown tools are passed on, for the world to answer. Default false. */
  readonly open?: boolean
}

/** An action, and how it was read; or why there is none. */
export type ReadAction =
  | {
      readonly kind: 'call'
      readonly name: string
      readonly args: Readonly<Record<string, unknown>>
      /** A native call, a text form of any kind, or text that names no action. */
      readonly read: 'native' | 'text' | 'plain'
    }
  | { readonly kind: 'none'; readonly why: string }

const isEmpty = (value: unknown): boolean =>
  value === undefined || (typeof value === 'string' && value.trim() === '')

/** The call as its tool wants it; or what is missing. */
function getCheck(
  call: Pick<FoundCall, 'name' | 'args'>,
  rules: ReplyRules,
): Pick<FoundCall, 'name' | 'args'> | string {
  const tool = toolNamed(rules.tools, call.name)
  if (!tool) {
    if (rules.open === true) return call
    return `There is no action "${call.name.slice(0, 60)}".`
  }
  const args = namedArguments(tool, call.args)
  const gaps = rules.open === true ? [] : requiredNames(tool).filter((name) => isEmpty(args[name]))
  return gaps.length > 0 ? `"${tool.name}" needs ${gaps.join(', ')}.` : { name: tool.name, args }
}

/** The first or last that can be done, else what is wrong with the last. */
function getChoice(
  calls: readonly Pick<FoundCall, 'name' | 'args'>[],
  rules: ReplyRules,
): { call: Pick<FoundCall, 'name' | 'args'> } | { why: string } | null {
  const ordered = rules.pick === 'first' ? calls : [...calls].reverse()
  let why: string | null = null
  for (const call of ordered) {
    const result = getCheck(call, rules)
    if (typeof result !== 'string') return { call: result }
    why ??= result
  }
  return why === null ? null : { why }
}

/** Every call a text holds, in any of the families' forms, first to last. */
export function callsInText(text: string, tools: readonly ChatTool[]): FoundCall[] {
  if (text.length > LONGEST) return []
  const calls = [...tagCalls(text, tools), ...jsonCalls(text, tools)]
  calls.sort((a, b) => a.from - b.from)
  const starts = calls.map(({ from }) => from)
  // The furthest that any call up to each one reaches.
  let reach = 0
  const reaches = calls.map(({ end }) => (reach = Math.max(reach, end)))
  const inside = ({ from }: FoundCall) => (reaches[firstFrom(starts, from) - 1] ?? 0) > from
  return [...calls, ...pythonCalls(text, tools).filter((call) => !inside(call))].sort(
    (a, b) => a.from - b.from,
  )
}

/** Calls outside of the stretches that action lines have. */
function callsBetween(
  text: string,
  lines: readonly Pick<FoundCall, 'from' | 'end'>[],
  tools: readonly ChatTool[],
): FoundCall[] {
  const bounds = [0, ...lines.flatMap(({ from, end }) => [from, end]), text.length]
  const calls: FoundCall[] = []
  for (let i = 0; i < bounds.length; i += 2) {
    const [start = 0, end = 0] = bounds.slice(i, i + 2)
    const part = callsInText(text.slice(start, end), tools)
    calls.push(...part.map((call) => ({ ...call, from: call.from + start, end: call.end + start })))
  }
  return calls
}

/** A text as the one argument of a tool. */
function asText(
  toolName: string | undefined,
  text: string,
  { tools }: ReplyRules,
): Pick<FoundCall, 'name' | 'args'> | null {
  const tool = tools.find(({ name }) => name === toolName)
  const only = tool && textArgument(tool)
  return only === undefined || text.trim() === ''
    ? null
    : { name: tool?.name ?? '', args: { [only]: text.trim() } }
}

/** How text begins that is meant as a call. */
const BEGINS_CALL = new RegExp(String.raw`${OWN_FORM.source}|^\s*[{[]`)
/** What a reply that was cut is told that had begun an action. */
const CUT_ACTION = 'The reply was cut at its length limit before its action was whole. Give it less at once.'
/** What a reply could have gone on with: an action that this makes another one of was not whole. */
const MORE = ' x'

const isSame = (a: ReadAction, b: ReadAction): boolean => JSON.stringify(a) === JSON.stringify(b)

/**
 * Reads a reply (see `readWhole`). Of one that was cut, an action that its end belongs to is none: it would be done in part.
 */
export function readReply(reply: AgentReply, rules: ReplyRules): ReadAction {
  const read = readWhole(reply, rules)
  if (reply.cut !== true || (read.kind === 'call' && read.read === 'native')) return read
  const { text } = takeThoughts(reply.text)
  const calls = callsInText(text, rules.tools)
  const isOpen = calls.some(({ open }) => open === true)
  const isWhole =
    read.kind === 'call' && isSame(read, readWhole({ ...reply, text: reply.text + MORE }, rules))
  if (isWhole && !isOpen) return read
  const begins = calls.length > 0 || actionLines(text, rules).length > 0 || BEGINS_CALL.test(text)
  return read.kind === 'call' || begins ? { kind: 'none', why: CUT_ACTION } : read
}

/**
 * Reads a reply as if it were whole: thoughts are taken out, native calls come before text forms, and the last complete action counts unless the environment's
 * published rules say the first. Text that names no action is what `plain` says.
 */
function readWhole(reply: AgentReply, rules: ReplyRules): ReadAction {
  const calls = reply.toolCalls ?? []
  const problem = calls.findLast((call) => call.problem !== undefined)?.problem
  const native = getChoice(
    calls.filter((call) => call.problem === undefined).map(({ name, arguments: args }) => ({ name, args })),
    rules,
  )
  if (native && 'call' in native) return { kind: 'call', ...native.call, read: 'native' }
  const { text, thought } = takeThoughts(reply.text)
  // A published form that takes the first action says all there is to say.
  const published = rules.published?.(text)
  if (published && rules.pick === 'first') return { kind: 'call', ...published, read: 'text' }

  const lines = actionLines(text, rules)
  const faults = lines.flatMap((line) => ('problem' in line ? [line.problem] : []))
  const byLine = lines.flatMap((line) => ('problem' in line ? [] : [line]))
  const texts = [...byLine, ...callsBetween(text, lines, rules.tools)].sort((a, b) => a.from - b.from)
  const best = getChoice(texts, rules)
  if (best && 'call' in best) return { kind: 'call', ...best.call, read: 'text' }
  const answered = asText(rules.plain, finalAnswer(text) ?? '', rules)
  if (answered) return { kind: 'call', ...answered, read: 'text' }
  const fence = faults.length > 0 || rules.code === undefined ? null : codeIn(text)
  const fault = fence && codeFault(fence, rules.codeForm, false)
  const code = fence && fault === null ? asText(rules.code, fence.content, rules) : null
  if (code) return { kind: 'call', ...code, read: 'text' }

  if (published) return { kind: 'call', ...published, read: 'text' }
  const why =
    problem ?? best?.why ?? (native && 'why' in native ? native.why : undefined) ?? fault ?? faults.at(-1)
  if (why !== undefined) return { kind: 'none', why }
  if (text.trim() === '')
    return {
      kind: 'none',
      why: thought === null ? 'The reply is empty.' : 'There is nothing behind the thoughts.',
    }
  if (BEGINS_CALL.test(text))
    return { kind: 'none', why: 'The call in the reply breaks off or cannot be read.' }
  if (reply.cut === true)
    return { kind: 'none', why: 'The reply was cut at its length limit before it named an action.' }
  const plain = asText(rules.plain, text, rules)
  return plain
    ? { kind: 'call', ...plain, read: 'plain' }
    : { kind: 'none', why: 'The reply names no action.' }
}

/** A fence that is no JSON; null without one. */
function codeIn(text: string): ReturnType<typeof fencedText> {
  const fence = fencedText(text)
  return fence && fence.language !== 'json' && !/^\s*[[{]/.test(fence.content) ? fence : null
}

/** What a reply says, as text. */
export const replyText = (reply: string | AgentReply): string =>
  typeof reply === 'string' ? reply : reply.text
