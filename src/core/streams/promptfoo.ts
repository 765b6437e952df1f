import type { RowPlace } from '../../shared/domain/reading'
import type { ParsedEntry } from '../ground/entries'
import { isRecord } from '../ground/record'
import { checkOf, type Assertion } from './promptfoo-checks'

type Record = Readonly<{ [name: string]: unknown }>

/** Whether a value is promptfoo's configuration: prompts, and tests of them. */
export const isPromptfoo = (value: unknown): value is Record =>
  isRecord(value) && 'prompts' in value && ('tests' in value || 'scenarios' in value)

/** Prompts with the values of one test, at most. */
const MOST_COMBINATIONS = 100

const FILE =
  /^(?:file|exec|https?|huggingface|python|package):|^[\w./\\*-]{1,200}\.(?:txt|json|jsonl|ya?ml|py|m?js|ts|md|csv|j2|xlsx)$/i

/** The text of a prompt, or the file that it stands in. */
type Prompt = string | { readonly file: string }
/** Characters of a file's name that are told. */
const LONGEST_NAME = 80

/** The file that a test's values stand in, all or one of them. */
const otherFile = (vars: unknown): string | undefined =>
  (isRecord(vars) ? Object.values(vars) : [vars])
    .find((value): value is string => typeof value === 'string' && /^file:\/\//.test(value))
    ?.slice(0, LONGEST_NAME)

const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value]

/** A prompt's text: of a chat, all its messages; the name of its file for one that is kept in another. */
function promptText(prompt: unknown): Prompt {
  const text = isRecord(prompt) ? (prompt['raw'] ?? prompt['prompt'] ?? prompt['id']) : prompt
  if (typeof text !== 'string' || text.trim() === '') return { file: 'another file' }
  if (FILE.test(text.trim())) return { file: text.trim().slice(0, LONGEST_NAME) }
  if (!text.trimStart().startsWith('[')) return text
  // A chat stands there as JSON or as a line for each message; its words are what is asked.
  const contents = Array.from(
    text.matchAll(/"content"\s*:\s*"((?:[^"\\]|\\.)*)"/g),
    ([, words = '']) => words,
  )
  return contents.length === 0
    ? text
    : contents.map((words) => words.replace(/\\n/g, '\n').replace(/\\(["\\/])/g, '$1')).join('\n\n')
}

/** The value of `a.b` in a test's values. */
const valueAt = (vars: Record, path: string): unknown =>
  path.split('.').reduce<unknown>((at, name) => (isRecord(at) ? at[name] : undefined), vars)

const wordsOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** A template with a test's values in it; in words what it uses beside names of values. */
export function filled(template: string, vars: Record): string | { readonly reason: string } {
  let problem: string | null = null
  const text = template.replace(/\{\{([^{}]*)\}\}/g, (whole, inner: string) => {
    // Dashes inside the braces take away the white space around them.
    const name = inner.trim().replace(/^-/, '').replace(/-$/, '').trim()
    const value = /^[\w.]+$/.test(name) ? valueAt(vars, name) : undefined
    if (value === undefined) problem ??= whole
    return value === undefined ? whole : wordsOf(value)
  })
  if (/\{%/.test(template)) problem ??= '{% ... %}'
  return problem === null ? text : { reason: `nothing fills in ${problem} of its prompt here` }
}

/** A test's values, one set for each combination of those that are lists; null for too many. */
function combinations(vars: Record): Record[] | null {
  let sets: Record[] = [{}]
  for (const [name, value] of Object.entries(vars)) {
    const values = Array.isArray(value) ? (value as unknown[]) : [value]
    if (sets.length * values.length > MOST_COMBINATIONS) return null
    sets = sets.flatMap((set) => values.map((one) => ({ ...set, [name]: one })))
  }
  return sets
}

/** An assertion that another place of the file holds. */
function resolved(assertion: Record, templates: unknown): Record {
  const reference = assertion['$ref']
  const name =
    typeof reference === 'string' ? /^#\/assertionTemplates\/(.{1,200})$/.exec(reference)?.[1] : undefined
  const template = name !== undefined && isRecord(templates) ? templates[name] : undefined
  return isRecord(template) ? template : assertion
}

interface Configuration {
  readonly templates: unknown
  readonly prompts: readonly Prompt[]
  readonly shared: Record
  /** How many assertions of each kind are not checked here. */
  readonly unchecked: Map<string, number>
}

type Row = Record | { readonly reason: string }

const isReason = (row: Row): row is { readonly reason: string } => Object.keys(row).join() === 'reason'

/** The tasks of one test: one for each prompt and set of values. */
function rowsOfTest(
  test: unknown,
  name: string,
  { prompts, shared, templates, unchecked }: Configuration,
): Row[] {
  if (!isRecord(test))
    return [{ reason: `${wordsOf(test).slice(0, LONGEST_NAME)} is another file, which is not read here` }]
  if (typeof test['unread'] === 'string') return [{ reason: test['unread'] }]
  const inner = (value: unknown): Record => (isRecord(value) ? value : {})
  const apart = otherFile(test['vars']) ?? otherFile(shared['vars'])
  if (apart !== undefined) return [{ reason: `its values stand in ${apart}, which is not read here` }]
  const vars = { ...inner(shared['vars']), ...inner(test['vars']) }
  const options = { ...inner(shared['options']), ...inner(test['options']) }
  if ('transform' in options || 'postprocess' in options)
    return [{ reason: 'its answer is changed by code before it is checked' }]
  const sets = combinations(vars)
  if (sets === null) return [{ reason: `it stands for more than ${MOST_COMBINATIONS} tests` }]
  const assertions: Assertion[] = [...listOf(test['assert']), ...listOf(shared['assert'])]
    .filter(isRecord)
    .map((one) => resolved(one, templates))
  const threshold = typeof test['threshold'] === 'number' ? test['threshold'] : null
  const rows: Row[] = []
  for (const set of sets)
    for (const prompt of prompts) {
      if (typeof prompt !== 'string') {
        rows.push({ reason: `its prompt stands in ${prompt.file}, which is not read here` })
        continue
      }
      const question = filled(
        `${wordsOf(options['prefix'] ?? '')}${prompt}${wordsOf(options['suffix'] ?? '')}`,
        set,
      )
      if (typeof question !== 'string') {
        rows.push(question)
        continue
      }
      const check = checkOf(assertions, {
        vars: set,
        prompt: question,
        threshold,
        fill: (one) => filled(one, set),
      })
      for (const kind of check.unchecked) unchecked.set(kind, (unchecked.get(kind) ?? 0) + 1)
      if ('reason' in check) rows.push({ reason: check.reason })
      else {
        const id = `${name}${sets.length * prompts.length > 1 ? `-${rows.length + 1}` : ''}`
        rows.push({ id, question, answer: check.answer, ...(check.check && { check: check.check }) })
      }
    }
  return rows
}

/** Tests of scenarios with the values that each scenario has for them. */
const scenarioTests = (value: unknown): unknown[] =>
  listOf(value).flatMap((scenario) => {
    if (!isRecord(scenario)) return [scenario]
    return listOf(scenario['config']).flatMap((config) =>
      listOf(scenario['tests']).map((test) =>
        isRecord(config) && isRecord(test)
          ? {
              ...config,
              ...test,
              vars: { ...(config['vars'] as Record), ...(test['vars'] as Record) },
              assert: [...listOf(config['assert']), ...listOf(test['assert'])],
            }
          : test,
      ),
    )
  })

/** The tests of a configuration as rows with a question, and what could not be taken from it in words. */
export function promptfooRows(config: Record): {
  readonly rows: readonly ParsedEntry[]
  readonly notes: readonly string[]
} {
  const unchecked = new Map<string, number>()
  const apart = config['defaultTest']
  const shared = isRecord(config['defaultTest']) ? config['defaultTest'] : {}
  const prompts = listOf(config['prompts']).map(promptText)
  const tests = [...listOf(config['tests']), ...scenarioTests(config['scenarios'])]
  const rows = tests.flatMap((test, i) => {
    const place: RowPlace = { line: 1, entry: i + 1 }
    return rowsOfTest(test, `test-${i + 1}`, {
      prompts,
      shared,
      templates: config['assertionTemplates'],
      unchecked,
    }).map((row) =>
      isReason(row) ? { place, value: undefined, problem: row.reason } : { place, value: row, problem: null },
    )
  })
  const counts = [...unchecked]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, count]) => `${kind} (${count})`)
  return {
    rows,
    notes: [
      ...(counts.length > 0 ? [`Assertions that are not checked here: ${counts.join(', ')}.`] : []),
      ...(typeof apart === 'string'
        ? [`What all tests share stands in ${apart.slice(0, LONGEST_NAME)}, which is not read here.`]
        : []),
    ],
  }
}
