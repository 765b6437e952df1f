import type { CallPiece, ChatTool } from '../../core/ground/chat'
import { toolBefore } from '../../core/ground/replies/call-texts'
import { argumentNames } from '../../core/ground/replies/tool-names'

type Show = (text: string) => void

/** What comes next outside of texts and words. */
type Place = 'open' | 'key' | 'colon' | 'value' | 'comma' | 'over' | 'lost'

/** What is open around the current place, and how many of its entries were shown. */
interface Level {
  readonly isList: boolean
  entries: number
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }
const inText = (text: string): string => JSON.stringify(text).slice(1, -1)

/**
 * Arguments of one call, shown as JSON while a model writes them: texts sign by sign, other values once they are whole. It is `lost`, and shows no more,
 * where they are no strict JSON or have a name that the tool does not have. What it shows is always the beginning of one JSON object.
 */
export class LiveArguments {
  #place: Place = 'open'
  readonly #levels: Level[] = []
  readonly #names: readonly string[]
  readonly #seen = new Set<string>()
  #string: 'key' | 'value' | null = null
  #escape = ''
  #key = ''
  /** A name of the object itself, with its joints, until it is sure that its value is shown. */
  #held = ''
  #word = ''
  #out = ''

  constructor(
    tool: Pick<ChatTool, 'inputSchema'>,
    private readonly show: Show,
  ) {
    this.#names = argumentNames(tool)
  }

  get isOver(): boolean {
    return this.#place === 'over'
  }

  get isLost(): boolean {
    return this.#place === 'lost'
  }

  /** Takes what is written next; answers how much of it belongs to the arguments. */
  push(text: string): number {
    let index = 0
    while (index < text.length && !this.isOver && !this.isLost) this.#take(text.charAt(index++))
    const out = this.#out
    this.#out = ''
    if (out !== '') this.show(out)
    return index
  }

  #take(sign: string): void {
    if (this.#string !== null) this.#inString(sign)
    else if (this.#word !== '' && /[\w.+-]/.test(sign)) this.#word += sign
    else {
      if (this.#word !== '') this.#endWord()
      if (!this.isLost && sign.trim() !== '') this.#outside(sign)
    }
  }

  #outside(sign: string): void {
    const level = this.#levels.at(-1)
    switch (this.#place) {
      case 'open':
        return sign === '{' ? this.#enter(false) : this.#lose()
      case 'key':
        if (sign === '}' && level?.entries === 0) return this.#leave('}')
        if (sign !== '"') return this.#lose()
        this.#string = 'key'
        this.#key = ''
        return
      case 'colon':
        return sign === ':' ? void (this.#place = 'value') : this.#lose()
      case 'value':
        if (sign === ']' && level?.isList === true && level.entries === 0) return this.#leave(']')
        return this.#value(sign)
      case 'comma':
        if (sign === ',') return void (this.#place = level?.isList === true ? 'value' : 'key')
        return sign === (level?.isList === true ? ']' : '}') ? this.#leave(sign) : this.#lose()
      default:
        return this.#lose()
    }
  }

  #value(sign: string): void {
    if (sign === '"') {
      this.#entry()
      this.#string = 'value'
      this.#out += '"'
    } else if (sign === '{' || sign === '[') {
      this.#entry()
      this.#enter(sign === '[')
    } else if (/[-\dtfn]/.test(sign)) this.#word = sign
    else this.#lose()
  }

  /** What stands before a value is shown with it. */
  #entry(): void {
    const level = this.#levels.at(-1)
    if (!level) return
    if (level.isList && level.entries > 0) this.#out += ','
    this.#out += this.#held
    this.#held = ''
    level.entries++
  }

  #enter(isList: boolean): void {
    this.#levels.push({ isList, entries: 0 })
    this.#out += isList ? '[' : '{'
    this.#place = isList ? 'value' : 'key'
  }

  #leave(sign: string): void {
    this.#levels.pop()
    // What was left out may be said at the end, so the last bracket waits for it.
    if (this.#levels.length > 0) this.#out += sign
    this.#place = this.#levels.length > 0 ? 'comma' : 'over'
  }

  #lose(): void {
    this.#place = 'lost'
  }

  #inString(sign: string): void {
    if (this.#escape !== '') {
      this.#escape += sign
      if (this.#escape.startsWith('\\u') && this.#escape.length < 6) return
      const letter = this.#escape.charAt(1)
      const code = Number.parseInt(this.#escape.slice(2), 16)
      this.#escape = ''
      if (letter !== 'u') this.#letter(ESCAPES[letter] ?? letter)
      else if (Number.isNaN(code)) this.#lose()
      else this.#letter(String.fromCharCode(code))
    } else if (sign === '\\') this.#escape = sign
    else if (sign !== '"') this.#letter(sign)
    else if (this.#string === 'value') {
      this.#string = null
      this.#out += '"'
      this.#place = 'comma'
    } else this.#endKey()
  }

  #letter(letter: string): void {
    if (this.#string === 'key') this.#key += letter
    else this.#out += inText(letter)
  }

  #endKey(): void {
    this.#string = null
    this.#place = 'colon'
    if (this.#levels.length === 1) {
      if (this.#seen.has(this.#key) || !this.#names.includes(this.#key)) return this.#lose()
      this.#seen.add(this.#key)
    }
    const isFirst = this.#levels.at(-1)?.entries === 0
    this.#held = `${isFirst ? '' : ','}${JSON.stringify(this.#key)}:`
  }

  #endWord(): void {
    const word = this.#word
    this.#word = ''
    this.#place = 'comma'
    // Nothing in the place of an argument may be left out of the call.
    if (word === 'null' && this.#levels.length === 1) {
      this.#held = ''
      return
    }
    const isWord = word === 'true' || word === 'false' || word === 'null'
    if (!isWord && Number.isNaN(Number(word))) return this.#lose()
    this.#entry()
    this.#out += isWord ? word : JSON.stringify(Number(word))
  }
}

/** Characters after which an object that has not named a tool is taken for something else. */
const UNCLEAR = 200
const HEAD =
  /^\{\s{0,9}"(?:name|tool|tool_name|function)"\s{0,9}:\s{0,9}"([^"\\]{1,120})"\s{0,9},\s{0,9}"(?:arguments|parameters|args|input)"\s{0,9}:\s{0,9}(?=\{)/
const AROUND = /^\{\s{0,9}"(?:tool_calls|type|id)"/
const FIRST_KEY = /^\{\s{0,9}"([^"\\]{1,120})"\s{0,9}:/

/** Finds calls written as JSON in a reply while it is written, and tells of their arguments. Other forms are told of by the result alone. */
export class CallsInProgress {
  #index = 0
  #count = 0
  #live: LiveArguments | null = null

  constructor(
    private readonly tools: readonly ChatTool[],
    private readonly tell: (piece: CallPiece) => void,
  ) {}

  /** `text`: all from where a call may begin; it only grows. */
  see(text: string): void {
    for (;;) {
      if (this.#live) {
        this.#index += this.#live.push(text.slice(this.#index))
        if (!this.#live.isOver) return
        this.#live = null
      }
      const start = text.indexOf('{', this.#index)
      const head = start < 0 ? 'unclear' : this.#headAt(text, start)
      if (head === 'unclear') return
      if (head === null) {
        this.#index = start + 1
        continue
      }
      const { name } = head.tool
      const index = this.#count++
      this.#index = head.from
      this.tell({ index, name, text: '' })
      this.#live = new LiveArguments(head.tool, (piece) => this.tell({ index, name, text: piece }))
    }
  }

  #headAt(text: string, start: number): { tool: ChatTool; from: number } | null | 'unclear' {
    const rest = text.slice(start, start + 400)
    const match = HEAD.exec(rest)
    if (match) {
      const tool = this.tools.find(({ name }) => name === match[1])
      return tool ? { tool, from: start + match[0].length } : null
    }
    const before = toolBefore(text, start, this.tools)?.tool
    const key = FIRST_KEY.exec(rest)?.[1]
    if (before && key !== undefined && argumentNames(before).includes(key))
      return { tool: before, from: start }
    return AROUND.test(rest) || rest.length > UNCLEAR ? null : 'unclear'
  }
}
