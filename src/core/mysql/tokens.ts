import { MySqlError, syntaxError } from './errors'

/**
 * One piece of MySQL text. `word` is a bare word (keyword or name), `name` a name in backticks; `text` is the source text of
 * operators and numbers and the content of everything quoted. `start` is its offset in the statement.
 */
export interface Token {
  readonly kind: 'word' | 'name' | 'string' | 'number' | 'operator' | 'variable' | 'end'
  readonly text: string
  readonly start: number
}

const SPACE = /\s+/y
const COMMENT = /--(?=\s|$)[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\//y
const WORD = /[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*/y
const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y
const VARIABLE = /@{1,2}[\w.$]*/y
/** Whatever is nothing else is an operator of one character, for the parser to refuse. */
const OPERATOR = /->>|->|<=>|<<|>>|<=|>=|<>|!=|:=|\|\||&&|\S/y

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0', b: '\b', Z: '\x1a' }

/** Cuts MySQL text into tokens, the last one `end`. Comments are dropped. Throws `MySqlError` 1064 where it cannot go on. */
export function tokenize(sql: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  const match = (pattern: RegExp): string | null => {
    pattern.lastIndex = at
    return pattern.exec(sql)?.[0] ?? null
  }
  while (at < sql.length) {
    const skipped = match(SPACE) ?? match(COMMENT)
    if (skipped !== null) {
      at += skipped.length
      continue
    }
    const start = at
    const char = sql[at] ?? ''
    if (char === "'" || char === '"' || char === '`') {
      const quoted = readQuoted(sql, at)
      tokens.push({ kind: char === '`' ? 'name' : 'string', text: quoted.text, start })
      at = quoted.end
      continue
    }
    const afterPoint = tokens.at(-1)?.text === '.' && tokens.at(-1)?.start === at - 1
    const foundMatch =
      piece('number', afterPoint ? null : match(NUMBER)) ??
      piece('word', match(afterPoint ? /[\w$\u0080-\uffff]+/y : WORD)) ??
      piece('variable', match(VARIABLE)) ??
      piece('operator', match(OPERATOR))
    if (foundMatch === null) throw syntaxError(sql, at)
    tokens.push({ ...foundMatch, start })
    at += foundMatch.text.length
  }
  tokens.push({ kind: 'end', text: '', start: sql.length })
  return tokens
}

const piece = (kind: Token['kind'], text: string | null): Pick<Token, 'kind' | 'text'> | null =>
  text === null || text === '' ? null : { kind, text }

function readQuoted(sql: string, start: number): { text: string; end: number } {
  const quote = sql[start] ?? ''
  let text = ''
  for (let i = start + 1; i < sql.length; i++) {
    const char = sql[i] ?? ''
    if (char === '\\' && quote !== '`') {
      const next = sql[++i] ?? ''
      // In patterns `\%` and `\_` must stay escaped; everywhere else MySQL keeps the backslash too.
      text += next === '%' || next === '_' ? `\\${next}` : (ESCAPES[next] ?? next)
    } else if (char === quote) {
      if (sql[i + 1] !== quote) return { text, end: i + 1 }
      text += quote
      i++
    } else {
      text += char
    }
  }
  throw quote === '`' ? syntaxError(sql, start) : new MySqlError(1064, '42000', unclosed(sql, start))
}

const unclosed = (sql: string, start: number): string => syntaxError(sql, start).detail

/** The statements of a text, cut at semicolons outside quotes and comments, blank ones left out. */
export function splitStatements(sql: string): string[] {
  const tokens = tokenize(sql)
  const parts: string[] = []
  let start = 0
  let isUsed = false
  for (const token of tokens) {
    if (token.kind === 'end' || (token.kind === 'operator' && token.text === ';')) {
      if (isUsed) parts.push(sql.slice(start, token.start).trim())
      start = token.start + 1
      isUsed = false
    } else {
      isUsed = true
    }
  }
  return parts
}
