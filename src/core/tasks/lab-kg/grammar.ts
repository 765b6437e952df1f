/** What a reply says to do, in LifelongAgentBench's grammar for knowledge graphs. */
export type LabKgAction =
  | { readonly kind: 'call'; readonly name: string; readonly text: string }
  | { readonly kind: 'answer'; readonly variable: string }
  | { readonly kind: 'invalid'; readonly reason: string }

const FINAL_ANSWER = /Final [Aa]nswer:\s*(?:[Vv]ar(?:iable)?\s*)?#(\d+)/
const CALL = /Action: (\w+)\(/g

/** Why a reply names no action, in the benchmark's own words. */
const NO_ACTION =
  'Cannot find the pattern of action in agent response. ' +
  'final_answer_pattern: Final [Aa]nswer:\\s*(?:[Vv]ar(?:iable)?\\s*)?#(\\d+) action_pattern: Action: (\\w+)\\((.+?)\\)'

/**
 * Reads a reply by the benchmark's own rules: a final answer anywhere comes first, then the first call whose parentheses close on its line. The
 * arguments reach to the parenthesis that pairs with the first one; without such a one there are none.
 */
export function parseLabKgAction(reply: string): LabKgAction {
  const answer = FINAL_ANSWER.exec(reply)?.[1]
  if (answer !== undefined) return { kind: 'answer', variable: `#${answer}` }
  let close = -1
  let lineEnd = -1
  for (const match of reply.matchAll(CALL)) {
    const from = match.index + match[0].length
    // At least one character stands between them.
    if (close <= from) close = reply.indexOf(')', from + 1)
    if (close < 0) break
    if (lineEnd < from) lineEnd = reply.indexOf('\n', from)
    if (lineEnd < 0) lineEnd = reply.length
    if (close > lineEnd) continue
    return { kind: 'call', name: match[1] ?? '', text: upToItsPair(reply, from) }
  }
  return { kind: 'invalid', reason: NO_ACTION }
}

function upToItsPair(reply: string, from: number): string {
  let open = 1
  for (let i = from; i < reply.length; i++) {
    if (reply[i] === '(') open++
    else if (reply[i] === ')' && --open === 0) return reply.slice(from, i)
  }
  return ''
}

/** Arguments that are cut into entities with commas in their names, in characters; longer ones are cut at every comma. */
const LONGEST = 4000

/** The arguments of a call as they are written: cut at commas, but not inside the entities of the task. */
export function splitArguments(text: string, entities: readonly string[]): string[] {
  const withComma = text.length > LONGEST ? [] : entities.filter((entity) => entity.includes(','))
  return cut(text, withComma)
}

function cut(text: string, entities: readonly string[]): string[] {
  const [entity, ...others] = entities
  if (entity === undefined)
    return text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
  return text.split(entity).flatMap((part, i) => [...(i === 0 ? [] : [entity]), ...cut(part, others)])
}

/** What an argument names: the variable of a number, a variable without one, or something else. */
export function variableIn(argument: string): number | 'unreadable' | null {
  const prefix = /^(?:#|variable ?#|var ?#)/i.exec(argument)?.[0]
  if (prefix === undefined) return null
  const index = argument.slice(prefix.length).trim()
  return /^[+-]?\d{1,9}$/.test(index) ? Number(index) : 'unreadable'
}
