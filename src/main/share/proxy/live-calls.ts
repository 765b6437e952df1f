import { randomBytes } from 'node:crypto'
import type { CallPiece, GenerateResult, ToolCall } from '../../../core/ground/chat'
import { isRecord } from '../../../core/ground/writing'

/** A piece of a call as a client is told of it. The pieces of one `id` add up to its arguments as JSON; the first is empty. */
export interface ClientCallPiece {
  readonly id: string
  readonly name: string
  readonly text: string
}

/** Calls of one reply: each gets an id that is unique, and all of it is told in pieces, those that were written whole too. */
export class LiveCalls {
  readonly #calls: { readonly id: string; readonly name: string; text: string }[] = []

  constructor(private readonly tell: (piece: ClientCallPiece) => void = () => undefined) {}

  piece({ index, name, text }: CallPiece): void {
    const call = (this.#calls[index] ??= { id: newCallId(), name, text: '' })
    call.text += text
    this.tell({ id: call.id, name: call.name, text })
  }

  /** The result with the ids of its calls; what was not told of them is told now. */
  end(result: GenerateResult): GenerateResult {
    const { toolCalls } = result
    if (!toolCalls) return result
    return { ...result, toolCalls: toolCalls.map((call, i) => this.#end(call, i)) }
  }

  #end(call: ToolCall, i: number): ToolCall {
    const live = this.#calls[i]
    const rest = live?.name === call.name ? restOf(live.text, call.arguments) : null
    if (live && rest !== null) {
      if (rest !== '') this.tell({ id: live.id, name: live.name, text: rest })
      return { ...call, id: live.id }
    }
    // It came out otherwise than it began: told anew as a call of its own.
    const id = newCallId()
    this.tell({ id, name: call.name, text: '' })
    this.tell({ id, name: call.name, text: JSON.stringify(call.arguments) })
    return { ...call, id }
  }
}

const newCallId = (): string => `call_${randomBytes(12).toString('hex')}`

/** What is missing behind the beginning of a value's JSON without blanks; null where it begins no text that means this value. */
export function restOf(beginning: string, value: unknown): string | null {
  const walk = walkOver(beginning, 0, value)
  if (walk === null) return null
  return 'rest' in walk ? walk.rest : walk.end === beginning.length ? '' : null
}

/** A value was said up to `end`, or what of it is remainder. */
type Walk = { readonly end: number } | { readonly rest: string } | null

function walkOver(text: string, from: number, value: unknown): Walk {
  const sign = text.charAt(from)
  if (sign === '') return { rest: JSON.stringify(value) }
  if (sign === '"') return walkString(text, from, value)
  if (sign === '[') return Array.isArray(value) ? walkList(text, from + 1, value) : null
  if (sign === '{') return isRecord(value) ? walkObject(text, from + 1, value) : null
  const word = /^[\w.+-]{1,40}/.exec(text.slice(from, from + 40))?.[0] ?? ''
  return JSON.stringify(value) === word ? { end: from + word.length } : null
}

function walkString(text: string, from: number, value: unknown): Walk {
  if (typeof value !== 'string') return null
  let end = from + 1
  while (end < text.length && text.charAt(end) !== '"') end += text.charAt(end) === '\\' ? 2 : 1
  const isWhole = text.charAt(end) === '"'
  const string = stringIn(isWhole ? text.slice(from, end + 1) : `${text.slice(from)}"`)
  if (string === null) return null
  if (isWhole) return string === value ? { end: end + 1 } : null
  return value.startsWith(string) ? { rest: JSON.stringify(value.slice(string.length)).slice(1) } : null
}

function walkList(text: string, from: number, values: readonly unknown[]): Walk {
  let index = from
  for (let i = 0; ; i++) {
    if (text.charAt(index) === ']') return i === values.length ? { end: index + 1 } : null
    if (text.charAt(index) === ',') index++
    else if (index === text.length) {
      const items = values.slice(i).map((value) => JSON.stringify(value))
      return { rest: `${i > 0 && items.length > 0 ? ',' : ''}${items.join(',')}]` }
    }
    if (i >= values.length) return null
    const walk = walkOver(text, index, values[i])
    if (walk === null) return null
    if ('rest' in walk) {
      const items = values.slice(i + 1).map((value) => `,${JSON.stringify(value)}`)
      return { rest: `${walk.rest}${items.join('')}]` }
    }
    index = walk.end
  }
}

function walkObject(text: string, from: number, value: Readonly<Record<string, unknown>>): Walk {
  const remainder = new Map(Object.entries(value))
  const others = (isFirst: boolean): string =>
    [...remainder]
      .map(([key, one], i) => `${isFirst && i === 0 ? '' : ','}${JSON.stringify(key)}:${JSON.stringify(one)}`)
      .join('') + '}'
  let index = from
  for (let isFirst = true; ; isFirst = false) {
    if (text.charAt(index) === '}') return remainder.size === 0 ? { end: index + 1 } : null
    if (index === text.length) return { rest: others(isFirst) }
    if (text.charAt(index) === ',') index++
    const end = keyEnd(text, index)
    const key = end === null ? null : stringIn(text.slice(index, end))
    if (end === null || key === null || !remainder.has(key) || text.charAt(end) !== ':') return null
    const walk = walkOver(text, end + 1, remainder.get(key))
    remainder.delete(key)
    if (walk === null) return null
    if ('rest' in walk) return { rest: walk.rest + others(false) }
    index = walk.end
  }
}

/** Where a name ends, behind its quote; null where it does not. */
function keyEnd(text: string, from: number): number | null {
  let end = from + 1
  while (end < text.length && text.charAt(end) !== '"') end += text.charAt(end) === '\\' ? 2 : 1
  return text.charAt(end) === '"' ? end + 1 : null
}

/** What a string of JSON says; null where it breaks off in an escape. */
function stringIn(json: string): string | null {
  try {
    return JSON.parse(json) as string
  } catch {
    return null
  }
}
