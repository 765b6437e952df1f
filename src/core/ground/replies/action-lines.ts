import type { ChatTool } from '../chat'
import { isRecord } from '../writing'
import { LooseJson } from './loose-json'
import { argumentNames, textArgument, toolNamed } from './tool-names'
import { jsonCalls, type FoundCall } from './call-texts'
import { firstAndLast, LONGEST } from './places'

/** `Action: Name`, with bold marks, quotes or in another case. */
const LINE = /\baction[*_]{0,3}\s{0,3}:[*_]{0,3}\s{0,3}[*_`"'[<]{0,3}([a-z_][\w.-]{0,63})[*_`"'\]>]{0,3}/gi
/** A label in front of what an action is about, alone on its line or before its text. */
const LABEL =
  /^[\s*_#]{0,12}(?:final answer|action input|tool input|answer|message|input|sql|code)[*_]{0,3}\s{0,3}:[*_]{0,3}[^\S\n]{0,8}/i
const FINAL_ANSWER = /(?:^|\n)[\s*_#>]{0,12}final answer[*_]{0,3}\s{0,3}:[*_]{0,3}[^\S\n]{0,8}/i
/** Lines that are read: of more, the first and the last half. */
const MOST = 256
/** Marks that a call in a family's own form begins with. */
export const OWN_FORM = /<tool_call>|\[TOOL_CALLS\]|<function=|<invoke |<\|tool/

/** What an action line came to: a call, or why it is none. */
export type ActionLine = FoundCall | { readonly problem: string; readonly from: number; readonly end: number }

/** What code a tool runs. */
export interface CodeForm {
  /** What its fences are called, its own name first. */
  readonly languages: readonly string[]
  /** Whether a text can be such code, where its beginning says so. Default: any can. */
  readonly begins?: (code: string) => boolean
}

export interface ActionWords {
  readonly tools: readonly ChatTool[]
  /** Words of the text form: the tool a word stands for, or null for a word that announces a call as JSON. */
  readonly words: Readonly<Record<string, string | null>>
  /** The tool that code is run with. */
  readonly code?: string | undefined
  /** Which code that is. Default: any. */
  readonly codeForm?: CodeForm
}

/**
 * Why a fence does not hold the code that is run; null where it does. A fence of another name does where the code begins as it should or, where
 * that cannot be told, where an action announces it.
 */
export function codeFault(
  { language, content }: { readonly language: string; readonly content: string },
  form: CodeForm | undefined,
  announced: boolean,
): string | null {
  if (!form || form.languages.includes(language)) return null
  if (form.begins ? form.begins(content) : announced || language === '') return null
  const [own = ''] = form.languages
  return `The code in the reply is ${language === '' || form.languages.includes(language) ? '' : `${language}, `}not ${own}.`
}

/** What the first fence of a text holds, without its language; null without a fence that closes. */
export function fencedText(text: string): { readonly language: string; readonly content: string } | null {
  const from = text.indexOf('```')
  const end = from < 0 ? -1 : text.indexOf('```', from + 3)
  if (end < 0) return null
  const body = text.slice(from + 3, end)
  const head = /^[\w+#.-]{0,24}[^\S\n]{0,8}\n/.exec(body)
  return {
    language: head ? head[0].trim().toLowerCase() : '',
    content: body.slice(head?.[0].length ?? 0).replace(/\r?\n$/, ''),
  }
}

/** Text without quotes, bold marks or a fence around it. */
function bare(text: string): string {
  const fence = text.trimStart().startsWith('```') ? fencedText(text) : null
  return (fence?.content ?? text).trim().replace(/^\*{2}([^*]{1,4000})\*{2}$/, '$1')
}

/** What `Final Answer:` is followed by on its line, or on those behind it; null without one. */
export function finalAnswer(text: string): string | null {
  const mark = FINAL_ANSWER.exec(text)
  if (!mark) return null
  const rest = text.slice(mark.index + mark[0].length)
  const [line = ''] = rest.trimStart().split('\n')
  return bare(line.startsWith('```') ? rest : line)
}

/** The object that an action's arguments are written as. */
function objectOf(text: string, tool: ChatTool): Record<string, unknown> | null {
  const start = text.indexOf('{')
  const read = start < 0 ? null : new LooseJson(text).at(start)
  if (!read || !isRecord(read.value)) return null
  const knownSet = new Set(argumentNames(tool))
  return Object.keys(read.value).some((key) => knownSet.has(key)) ? read.value : null
}

/** Arguments of an action from the text behind its line. */
function argumentsOf(tool: ChatTool, body: string, words: ActionWords): Record<string, unknown> | null {
  if (argumentNames(tool).length === 0) return {}
  const input = objectOf(body, tool)
  if (input) return input
  const only = textArgument(tool)
  if (only === undefined) return null
  if (tool.name === words.code) {
    const text = fencedText(body)?.content ?? body.replace(LABEL, '')
    return text.trim() === '' || text.includes('```') ? null : { [only]: text.trim() }
  }
  const text = finalAnswer(body) ?? bare(body.replace(LABEL, ''))
  return text === '' ? null : { [only]: text }
}

/** All action lines of a text, each with what stands up to the next one. */
export function actionLines(text: string, words: ActionWords): ActionLine[] {
  const { tools } = words
  if (text.length > LONGEST) return []
  const spokenMap = new Map(Object.entries(words.words).map(([word, tool]) => [word.toLowerCase(), tool]))
  const lines = [...text.matchAll(LINE)].map((match) => ({
    name: match[1] ?? '',
    from: match.index,
    start: match.index + match[0].length,
  }))
  const ownLines = lines.filter(({ name }) => spokenMap.has(name.toLowerCase()) || toolNamed(tools, name))
  const records = firstAndLast(ownLines, MOST)
  if (records.length === 0) {
    const [first] = lines
    return first
      ? [{ problem: `There is no action "${first.name}".`, from: first.from, end: first.from }]
      : []
  }
  return records.map(({ name, from, start }, i): ActionLine => {
    const next = records[i + 1]?.from ?? text.length
    const own = text.slice(start, next).search(OWN_FORM)
    const word = spokenMap.get(name.toLowerCase())
    // A message may hold anything; a call in a form of its own behind it is one more action.
    const end = own > 0 && word !== null ? start + own : next
    const body = text.slice(start, end)
    if (word === null) {
      const call = jsonCalls(body, tools)[0]
      return call
        ? { ...call, from, end }
        : { problem: `There is no call of a tool behind "Action: ${name}" that can be read.`, from, end }
    }
    const tool = toolNamed(tools, word ?? name)
    const fence = tool?.name === words.code ? fencedText(body) : null
    const fault = fence && !/^\s*[[{]/.test(fence.content) ? codeFault(fence, words.codeForm, true) : null
    if (fault !== null) return { problem: fault, from, end }
    const args = tool ? argumentsOf(tool, body, words) : null
    if (tool && args) return { name: tool.name, args, from, end }
    return { problem: `There is nothing behind "Action: ${name}" that can be used.`, from, end }
  })
}
