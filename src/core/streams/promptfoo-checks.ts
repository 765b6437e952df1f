import type { AnswerCheck } from '../../shared/domain/answer-check'
import { isRecord } from '../ground/record'

/** An assertion of promptfoo, as its file has it. */
export type Assertion = Readonly<Record<string, unknown>>

interface About {
  readonly vars: Readonly<Record<string, unknown>>
  readonly prompt: string
  /** The share of weights that has to pass; null: all. */
  readonly threshold: number | null
  readonly fill: (template: string) => string | { readonly reason: string }
}

/** What assertions come to: the check of a task and what it checks against, or why the task cannot be checked. */
export type Checks = { readonly unchecked: readonly string[] } & (
  | { readonly check: AnswerCheck | null; readonly answer: string | null }
  | { readonly reason: string }
)

const literal = (value: unknown): string => JSON.stringify(value) ?? 'undefined'
/** Texts of a value that is a list, or one text with commas. */
const textsOf = (value: unknown): string[] | null =>
  Array.isArray(value)
    ? value.map(String)
    : typeof value === 'string'
      ? value.split(',').map((one) => one.trim())
      : null

const isText = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number'

const same = (value: unknown): string =>
  isRecord(value) || Array.isArray(value)
    ? `JSON.stringify(sorted(JSON.parse(output))) === JSON.stringify(sorted(${literal(value)}))`
    : `output.trim() === ${literal(String(value).trim())}`

type Condition = (value: unknown, assertion: Assertion) => string | null

const whereText =
  (condition: (text: string) => string): Condition =>
  (value) =>
    isText(value) ? condition(String(value)) : null
const whereTexts =
  (how: 'some' | 'every', isLower: boolean): Condition =>
  (value) => {
    const texts = textsOf(value)
    if (texts === null || texts.length === 0) return null
    const list = literal(isLower ? texts.map((text) => text.toLowerCase()) : texts)
    return `${list}.${how}((text) => ${isLower ? 'output.toLowerCase()' : 'output'}.includes(text))`
  }

/** Code of a person: an expression, or lines that return. It says true or false, a score, or `{pass}`. */
const ofCode: Condition = (value, { threshold }) => {
  if (typeof value !== 'string' || /^file:\/\//.test(value.trim())) return null
  const body = value.trim().includes('\n') ? value : `return (${value.trim().replace(/;$/, '')})`
  return `passes((function (output, context) { ${body}\n})(output, context), ${typeof threshold === 'number' ? threshold : 'null'})`
}

/** What each kind of assertion asks of `output`, as JavaScript; null where it cannot be told. */
const CONDITIONS: Readonly<Record<string, Condition>> = {
  equals: (value) => (value === undefined ? null : same(value)),
  contains: whereText((text) => `output.includes(${literal(text)})`),
  icontains: whereText((text) => `output.toLowerCase().includes(${literal(text.toLowerCase())})`),
  'starts-with': whereText((text) => `output.startsWith(${literal(text)})`),
  regex: whereText((text) => `new RegExp(${literal(text)}).test(output)`),
  'contains-any': whereTexts('some', false),
  'contains-all': whereTexts('every', false),
  'icontains-any': whereTexts('some', true),
  'icontains-all': whereTexts('every', true),
  // With a schema there is nothing here that reads it.
  'is-json': (value) => (value === undefined ? 'isJson(output)' : null),
  levenshtein: (value, { threshold }) =>
    isText(value)
      ? `distance(output, ${literal(String(value))}) <= ${typeof threshold === 'number' ? threshold : 5}`
      : null,
  javascript: ofCode,
}

/** What the conditions stand on. */
const GROUND = `
const sorted = (value) => Array.isArray(value) ? value.map(sorted)
  : value !== null && typeof value === 'object'
    ? Object.fromEntries(Object.keys(value).sort().map((name) => [name, sorted(value[name])])) : value
const isJson = (text) => { try { JSON.parse(text); return true } catch { return false } }
const passes = (result, threshold) => {
  if (typeof result === 'number') return threshold === null ? result > 0 : result >= threshold
  return result !== null && typeof result === 'object' ? result.pass === true : Boolean(result)
}
const distance = (a, b) => {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length]
}
const attempt = (ask) => { try { return ask() } catch { return false } }
`

/** Kinds that a model decides by words. */
const BY_WORDS: ReadonlySet<string> = new Set(['llm-rubric', 'model-graded-closedqa'])
const BY_REFERENCE: ReadonlySet<string> = new Set(['factuality', 'model-graded-factuality'])

/** Kinds that are counted and not checked here. */
const OTHERS =
  'answer-relevance bleu classifier contains-html contains-json contains-sql contains-xml context-faithfulness context-recall context-relevance conversation-relevance cost finish-reason g-eval gleu guardrails is-html is-refusal is-sql is-valid-function-call is-valid-openai-function-call is-valid-openai-tools-call is-xml latency meteor moderation perplexity perplexity-score pi python rouge-n ruby search-rubric select-best similar skill-used tool-call-f1 trajectory webhook word-count'
const KINDS: ReadonlySet<string> = new Set([
  ...[...Object.keys(CONDITIONS), ...BY_WORDS, ...BY_REFERENCE],
  ...OTHERS.split(' '),
])
/** Kinds by the names that cells of a table may give them. */
const SHORT: Readonly<Record<string, string>> = { fn: 'javascript', eval: 'javascript', grade: 'llm-rubric' }

/** What a cell of a table expects: `kind: value`, `kind(threshold): value`, a kind alone, or the answer itself. */
export function assertionOf(cell: string): Assertion {
  const parts = /^(not-)?([a-z][a-z-]{1,40})(?:\((\d{1,6}(?:\.\d{1,6})?)\))?(?::([^]*))?$/.exec(cell)
  const [, not = '', name = '', threshold, value] = parts ?? []
  const kind = SHORT[name] ?? name
  if (!KINDS.has(kind)) return { type: 'equals', value: cell }
  return {
    type: not + kind,
    ...(value !== undefined && value.trim() !== '' && { value: value.trim() }),
    ...(threshold !== undefined && { threshold: Number(threshold) }),
  }
}

const kindOf = (assertion: Assertion): string =>
  typeof assertion['type'] === 'string' ? assertion['type'] : 'without a type'

/** The assertions of sets that all have to pass stand for themselves. */
const flat = (assertions: readonly Assertion[]): Assertion[] =>
  assertions.flatMap((one) =>
    one['type'] === 'assert-set' && one['threshold'] === undefined && Array.isArray(one['assert'])
      ? flat(one['assert'].filter(isRecord))
      : [one],
  )

/** A value with a test's own values filled in; undefined where it names one that is not there. */
function filledValue(value: unknown, fill: About['fill']): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => filledValue(one, fill))
  if (typeof value !== 'string') return value
  const text = fill(value)
  return typeof text === 'string' ? text : undefined
}

/** The condition of an assertion, with its weight; null where it cannot be checked by code. */
function conditionOf(assertion: Assertion, fill: About['fill']): string | null {
  const kind = kindOf(assertion)
  const isNot = kind.startsWith('not-')
  const condition = CONDITIONS[isNot ? kind.slice(4) : kind]
  if (condition === undefined || 'transform' in assertion) return null
  const { value } = assertion
  const own = condition === ofCode ? value : filledValue(value, fill)
  if (value !== undefined && own === undefined) return null
  const text = condition(own, assertion)
  return text === null ? null : isNot ? `!attempt(() => ${text})` : `attempt(() => ${text})`
}

const weightOf = ({ weight }: Assertion): number => (typeof weight === 'number' ? weight : 1)

/** What a model is asked, where all that is left are assertions in words. */
function judgeOf(assertions: readonly Assertion[], fill: About['fill']): Omit<Checks, 'unchecked'> | null {
  const words = assertions.filter((one) => BY_WORDS.has(kindOf(one)) || BY_REFERENCE.has(kindOf(one)))
  const values = words.map((one) => filledValue(one['value'], fill))
  if (words.length === 0 || values.some((value) => typeof value !== 'string')) return null
  const isReference = (_: unknown, i: number): boolean => BY_REFERENCE.has(kindOf(words[i] ?? {}))
  const references = values.filter(isReference)
  const rubric = values.filter((value, i) => !isReference(value, i)).join('\n')
  return { check: { kind: 'judge', rubric }, answer: references.length === 0 ? null : references.join('\n') }
}

/**
 * What the assertions of a test come to. Those that code can check decide, all others are counted; where there are none, a judge decides by
 * those in words. A test without assertions is one that nobody can grade.
 */
export function checkOf(inputs: readonly Assertion[], { vars, prompt, threshold, fill }: About): Checks {
  const assertions = flat(inputs)
  const conditions = assertions.flatMap((one) => {
    const condition = conditionOf(one, fill)
    return condition === null ? [] : [{ condition, weight: weightOf(one), kind: kindOf(one), from: one }]
  })
  const rest = assertions.filter((one) => !conditions.some(({ from }) => from === one))
  if (assertions.length === 0) return { unchecked: [], check: null, answer: null }
  if (conditions.length === 0) {
    const byWords = judgeOf(rest, fill)
    const unchecked = rest
      .map(kindOf)
      .filter((kind) => byWords === null || !(BY_WORDS.has(kind) || BY_REFERENCE.has(kind)))
    return byWords === null
      ? { unchecked, reason: `nothing here checks its assertions: ${[...new Set(unchecked)].join(', ')}` }
      : { ...(byWords as Extract<Checks, { check: unknown }>), unchecked }
  }
  const lines = conditions.map(
    ({ condition, weight, kind }) => `all.push([${weight}, ${condition}, ${literal(kind)}])`,
  )
  const decides =
    threshold === null
      ? 'const bad = all.filter(([weight, good]) => weight > 0 && !good).map(([, , kind]) => kind)'
      : `const sum = (list) => list.reduce((so, [weight]) => so + weight, 0)
const bad = sum(all.filter(([, good]) => good)) >= ${threshold} * sum(all) - 1e-9 ? [] : ['the share of assertions']`
  const code = [
    GROUND.trim(),
    'const output = String(answer)',
    `const context = ${literal({ vars, prompt })}`,
    'const all = []',
    ...lines,
    decides,
    "if (bad.length > 0) throw new Error('not passed: ' + bad.join(', '))",
    'true',
  ].join('\n')
  return {
    unchecked: rest.map(kindOf),
    check: { kind: 'test', language: 'javascript', code: '' },
    answer: code,
  }
}
