import type { Query, Window } from './ast'
import { MySqlError, syntaxError } from './errors'
import { tokenize, type Token } from './tokens'

/** Words that cannot be a bare name or alias. */
const RESERVED = new Set(
  (
    'ALL AND AS ASC BETWEEN BY CASE CROSS DELETE DESC DESCRIBE DISTINCT DIV ELSE EXCEPT EXISTS FALSE FOR FROM GROUP HAVING IN INNER ' +
    'INSERT INTERSECT INTERVAL INTO IS JOIN KEY LEFT LIKE LIMIT MOD NATURAL NOT NULL ON OR ORDER OUTER OVER PARTITION RANK DENSE_RANK ' +
    'ROW_NUMBER LAG LEAD RECURSIVE REGEXP REPLACE RIGHT RLIKE SELECT SET STRAIGHT_JOIN TABLE THEN TO TRUE UNION UPDATE USE USING ' +
    'VALUES WHEN WHERE WINDOW WITH XOR GROUPS SYSTEM INDEX CONDITION CHANGE READ WRITE ROWS ROW OF LOCK OPTION KEYS SHOW'
  ).split(' '),
)

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** A place in a statement's tokens. Every `expect` throws 1064 with the text from the wrong token on. */
export class Cursor {
  private readonly tokens: readonly Token[]
  private at = 0
  /** Windows that were named before they are declared. */
  private named: { readonly name: string; readonly window: Mutable<Window> }[] = []

  constructor(
    readonly sql: string,
    /** Reads a query here; given from outside so that expressions and queries need not import each other. */
    readonly parseQuery: (cursor: Cursor) => Query,
  ) {
    this.tokens = tokenize(sql)
  }

  /** A window by its name; what it is comes with `declareWindow`. */
  windowNamed(name: string): Window {
    const window = { partitionBy: [], orderBy: [], frame: '' }
    this.named.push({ name: name.toLowerCase(), window })
    return window
  }

  /** Says what the windows of a name are. */
  declareWindow(name: string, declared: Window): void {
    for (const use of this.named) if (use.name === name.toLowerCase()) Object.assign(use.window, declared)
    this.named = this.named.filter((use) => use.name !== name.toLowerCase())
  }

  /** @throws MySqlError 3579 when a window was named that nothing declares */
  expectWindows(): void {
    const [use] = this.named
    if (use) throw new MySqlError(3579, 'HY000', `Window name '${use.name}' is not defined.`)
  }

  peek(ahead = 0): Token {
    return this.tokens[this.at + ahead] ?? (this.tokens.at(-1) as Token)
  }

  next(): Token {
    const token = this.peek()
    if (token.kind !== 'end') this.at++
    return token
  }

  fail(ahead = 0): MySqlError {
    return syntaxError(this.sql, this.peek(ahead).start)
  }

  isWord(word: string, ahead = 0): boolean {
    const token = this.peek(ahead)
    return token.kind === 'word' && token.text.toUpperCase() === word
  }

  isOperator(text: string, ahead = 0): boolean {
    const token = this.peek(ahead)
    return token.kind === 'operator' && token.text === text
  }

  /** Takes the words when they all come next. */
  takeWords(...words: string[]): boolean {
    if (!words.every((word, i) => this.isWord(word, i))) return false
    this.at += words.length
    return true
  }

  /** Takes whichever of the words comes next, in upper case. */
  takeAny<T extends string>(...words: readonly T[]): T | null {
    const match = words.find((word) => this.isWord(word))
    if (match !== undefined) this.at++
    return match ?? null
  }

  takeOperator(text: string): boolean {
    if (!this.isOperator(text)) return false
    this.at++
    return true
  }

  expectWords(...words: string[]): void {
    for (const word of words) if (!this.takeWords(word)) throw this.fail()
  }

  expectOperator(text: string): void {
    if (!this.takeOperator(text)) throw this.fail()
  }

  /** A name comes next: in backticks, or a word that is not reserved. */
  isName(ahead = 0): boolean {
    const token = this.peek(ahead)
    return token.kind === 'name' || (token.kind === 'word' && !RESERVED.has(token.text.toUpperCase()))
  }

  expectName(): string {
    if (!this.isName()) throw this.fail()
    return this.next().text
  }

  /** What follows a point may be any word. */
  expectNameAfterPoint(): string {
    const token = this.peek()
    if (token.kind !== 'name' && token.kind !== 'word') throw this.fail()
    return this.next().text
  }

  /** `[AS] alias`; text in quotes is an alias too. Null when there is none. */
  takeAlias(): string | null {
    const explicit = this.takeWords('AS')
    if (this.isName() || this.peek().kind === 'string') return this.next().text
    if (explicit) throw this.fail()
    return null
  }

  expectInteger(): number {
    const token = this.peek()
    if (token.kind !== 'number' || !/^\d+$/.test(token.text)) throw this.fail()
    return Number(this.next().text)
  }

  /** `( item, item )` with at least one item. */
  parenthesized<T>(item: () => T): T[] {
    this.expectOperator('(')
    const items = this.commaSeparated(item)
    this.expectOperator(')')
    return items
  }

  commaSeparated<T>(item: () => T): T[] {
    const items = [item()]
    while (this.takeOperator(',')) items.push(item())
    return items
  }

  /** `(` followed by a query, not by an expression. */
  isSubquery(): boolean {
    if (!this.isOperator('(')) return false
    let ahead = 1
    while (this.isOperator('(', ahead)) ahead++
    return this.isWord('SELECT', ahead) || this.isWord('WITH', ahead)
  }

  subquery(): Query {
    this.expectOperator('(')
    const query = this.parseQuery(this)
    this.expectOperator(')')
    return query
  }

  expectEnd(): void {
    if (this.peek().kind !== 'end') throw this.fail()
  }

  /** Source text from a token's start to the last token taken. */
  textSince(start: number): string {
    const last = this.tokens[this.at]?.start ?? this.sql.length
    return this.sql.slice(start, last).trim()
  }
}
