import { nestsTooDeep } from '../ground/json-check'
import { isRecord } from '../ground/record'
import { assertionOf } from './promptfoo-checks'
import { isPromptfoo } from './promptfoo'
import { readTable } from './tables'

type Config = Readonly<Record<string, unknown>>

/** A file that a configuration names, as text: YAML as JSON. */
export interface NamedText {
  readonly name: string
  readonly text: string
}
/** By the reference as it stands in the configuration; several where that is a pattern. */
export type NamedTexts = ReadonlyMap<string, readonly NamedText[]>

const DATA = /\.(?:csv|tsv|jsonl?|ya?ml|txt|md|j2)$/i
const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]

/** Whether a value names a file of data: with `file://`, or where only files stand, by its ending alone. */
const isReference = (value: unknown, isBare = false): value is string =>
  typeof value === 'string' &&
  DATA.test(value) &&
  (value.startsWith('file://') ||
    (isBare && !value.includes('\n') && !value.includes('{{') && !/^\w+:/.test(value)))

/** What a configuration holds, where a text is one of promptfoo's that names other files; null for any other text. */
export function configurationOf(text: string): Config | null {
  if (!/"prompts"\s*:/.test(text) || !/"(?:tests|scenarios)"\s*:/.test(text) || nestsTooDeep(text))
    return null
  try {
    const value: unknown = JSON.parse(text)
    return isPromptfoo(value) ? value : null
  } catch {
    return null
  }
}

/** The files that prompts, tests, scenarios, what all tests share, and values stand in, as the configuration names them, each once. */
export function referencesIn(config: Config): string[] {
  const { prompts, defaultTest } = config
  const scenarios = listOf(config['scenarios'])
  const tests = [config, ...scenarios.filter(isRecord)].flatMap((holder) => [
    ...listOf(holder['tests']),
    ...(holder === config ? [] : listOf(holder['config'])),
  ])
  const ofVars = [defaultTest, ...tests].flatMap((test) =>
    isRecord(test) ? [test['vars'], ...(isRecord(test['vars']) ? Object.values(test['vars']) : [])] : [],
  )
  const bare = [...listOf(prompts), ...tests, ...scenarios, defaultTest].filter((value) =>
    isReference(value, true),
  )
  return [...new Set([...bare, ...ofVars.filter((value) => isReference(value))] as string[])]
}

/** A configuration with what the files hold in the places of their names; a name without a text stays as it is. */
export function withTexts(config: Config, texts: NamedTexts): Config {
  const { prompts, tests, scenarios, defaultTest } = config
  const filesOf = (value: unknown): readonly NamedText[] | undefined =>
    typeof value === 'string' ? texts.get(value) : undefined
  const valueOf = (value: unknown): unknown => {
    const [file] = filesOf(value) ?? []
    return file === undefined ? value : isText(file) ? file.text.trimEnd() : parsedText(file)
  }
  const varsOf = (value: unknown): unknown => {
    const vars = valueOf(value)
    return isRecord(vars)
      ? Object.fromEntries(Object.entries(vars).map(([name, one]) => [name, valueOf(one)]))
      : vars
  }
  const testOf = (test: unknown): unknown =>
    isRecord(test) && 'vars' in test ? { ...test, vars: varsOf(test['vars']) } : test
  const testsOf = (value: unknown): unknown[] =>
    listOf(value)
      .flatMap((test) => filesOf(test)?.flatMap(testsIn) ?? [test])
      .map(testOf)
  const scenarioOf = (scenario: unknown): unknown =>
    isRecord(scenario)
      ? { ...scenario, config: testsOf(scenario['config']), tests: testsOf(scenario['tests']) }
      : scenario
  const shared = valueOf(defaultTest)
  return {
    ...config,
    prompts: listOf(prompts).flatMap((prompt) => filesOf(prompt)?.flatMap(promptsIn) ?? [prompt]),
    ...(tests !== undefined && { tests: testsOf(tests) }),
    ...(scenarios !== undefined && {
      scenarios: listOf(scenarios)
        .flatMap((one) => filesOf(one)?.flatMap((file) => listOf(parsedText(file))) ?? [one])
        .map(scenarioOf),
    }),
    ...(defaultTest !== undefined && { defaultTest: testOf(shared) }),
  }
}

const isText = ({ name }: NamedText): boolean => /\.(?:txt|md|j2)$/i.test(name)

/** JSON, as lines where the name says so; the text itself where it is none. */
function parsedText({ name, text }: NamedText): unknown {
  if (nestsTooDeep(text)) return text
  try {
    if (!/\.jsonl$/i.test(name)) return JSON.parse(text) as unknown
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line) as unknown)
  } catch {
    return text
  }
}

/** Prompts of a file: texts between lines of three dashes, a chat, or a list of prompts. */
function promptsIn(file: NamedText): unknown[] {
  if (isText(file)) return file.text.split(/^---\r?$/m).flatMap((text) => text.trim() || [])
  const value = parsedText(file)
  const isList =
    Array.isArray(value) &&
    value.every((one) => typeof one === 'string' || !isRecord(one) || !('role' in one))
  return isList ? value : [{ raw: typeof value === 'string' ? value : JSON.stringify(value) }]
}

/** Tests of a file: a list of them, or a table with a test in each row. */
function testsIn(file: NamedText): unknown[] {
  if (!/\.(?:csv|tsv)$/i.test(file.name)) return listOf(parsedText(file))
  return readTable(file.text).entries.map(({ value, place, problem }) =>
    isRecord(value)
      ? testOfRow(value)
      : { unread: `line ${place.line} of ${file.name}: ${problem ?? 'it is no row'}` },
  )
}

/** A row of a table as a test: columns that begin with two underscores say what is expected, all others are values. */
function testOfRow(row: Config): Config {
  const cells = Object.entries(row).map(
    ([name, value]) => [name, typeof value === 'string' ? value : String(value)] as const,
  )
  const cellOf = (name: string): string | undefined => cells.find(([one]) => one === name)?.[1]
  const threshold = Number(cellOf('__threshold') ?? NaN)
  return {
    vars: Object.fromEntries(cells.filter(([name]) => !name.startsWith('__'))),
    assert: cells.flatMap(([name, value]) =>
      /^__expected\d*$/.test(name) && value.trim() !== '' ? [assertionOf(value.trim())] : [],
    ),
    options: { prefix: cellOf('__prefix') ?? '', suffix: cellOf('__suffix') ?? '' },
    ...(!Number.isNaN(threshold) && { threshold }),
  }
}
