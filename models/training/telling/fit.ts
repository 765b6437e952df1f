import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packTelling, tellingFeatures } from '../../../src/core/memory/facts/telling'
import { sentencesIn, withoutLead } from '../../../src/core/memory/facts/statement'
import { StaticEncoder } from '../../../src/core/retrieval/static-encoder'
import { createRng } from '../../../src/shared/random'

// Fits what tells a message that tells something from one that asks or orders: `npx tsx models/training/telling/fit.ts` writes models/loam-telling.bin.
// From messages.txt, the encoder's everyday.txt and phrases.txt, the sentences of test/fixtures/recall but fresh-asks.txt, and the prose of readmes of
// installed packages under MIT, ISC, BSD, Apache-2.0, 0BSD or Unlicense, which tells nothing to anybody.

const LANGUAGES = ['en', 'de', 'fr', 'es']
/** Texts that are made of one pattern; the verbs of orders are many. */
const TEXTS_OF_PATTERN = { usual: 18, verbs: { en: 144, others: 54 }, phrases: 10 }
/** Shares of questions without their mark, and of texts that begin small. */
const UNMARKED = 0.5
const SMALL = 0.25
/** What a line of the fixtures counts beside a pattern, and all readmes together. */
const FIXTURE_WEIGHT = 0.4
const README_WEIGHT = 60
const SENTENCES_OF_README = 12
const PENALTY = 2e-4
const STEPS = 200
const RATE = 0.1

type Lists = ReadonlyMap<string, readonly string[]>
interface Example {
  readonly text: string
  readonly tells: boolean
  readonly weight: number
}

const rng = createRng('telling')
const root = join(import.meta.dirname, '../../..')
const linesOf = (path: string): string[] =>
  readFileSync(join(root, path), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))

const LIST = /^\{?(\w+)\}? = (.*)$/

/** The parts of a line between bars, but for bars within brackets. */
function partsOf(line: string): string[] {
  let depth = 0
  const marked = line.split(/([[\]|])/).map((part) => {
    depth += Number(part === '[') - Number(part === ']')
    return part === '|' && depth === 0 ? '\n' : part
  })
  return marked
    .join('')
    .split('\n')
    .map((part) => part.trim())
}

function listsOf(lines: readonly string[], language: number | null): Map<string, string[]> {
  const lists = new Map<string, string[]>()
  for (const line of lines) {
    const [, name, parts = ''] = LIST.exec(line) ?? []
    if (name === undefined) continue
    const items = partsOf(parts)
    lists.set(name, language === null ? items : [...(lists.get(name) ?? []), items[language] ?? ''])
  }
  return lists
}

function fill(pattern: string, lists: Lists): string {
  let text = pattern
  while (/[[{]/.test(text))
    text = text
      .replace(/\[([^[\]]*)\]/, (_, parts: string) => rng.pick(parts.split('|')))
      .replace(/\{(\w+)\}/, (_, name: string) => rng.pick(lists.get(name) ?? []))
  return text.replace(/\s+/g, ' ').trim()
}

/** A text as people also type it. */
function typed(text: string): string {
  const unmarked = rng.chance(UNMARKED) ? text.replace(/ ?\?$/, '') : text
  return rng.chance(SMALL) ? `${unmarked.slice(0, 1).toLowerCase()}${unmarked.slice(1)}` : unmarked
}

function examplesOf(pattern: string, tells: boolean, lists: Lists, count: number): Example[] {
  const texts = new Set(Array.from({ length: count }, () => typed(fill(pattern, lists))))
  const weight = Math.max(1, count / TEXTS_OF_PATTERN.usual) / texts.size
  return [...texts].map((text) => ({ text, tells, weight }))
}

const everyday = linesOf('models/training/encoder/everyday.txt')
const phrases = linesOf('models/training/encoder/phrases.txt')
const english = listsOf(everyday, null)
const translations = LANGUAGES.map((_, i) => listsOf(phrases, i))
/** Lines that tell what is amiss now, or what is needed: neither. */
const NEITHER = /\{fault\}\.$|hurts|isn't working|can't find|out of \{food\}|^buy|^Something/
const PHRASES_OF_NEITHER = /broken|not work|still need|^buy|Please do not/

const patternsOf = (lines: readonly string[]): string[] => lines.filter((line) => !LIST.test(line))

function ofEncoder(): Example[] {
  const notes = patternsOf(everyday)
    .filter((line) => !NEITHER.test(line))
    .flatMap((line) => {
      const asks = line.includes('?') || /^\[?(?:Who|What|Which|When|Where|How)\b/.test(line)
      return examplesOf(line.replaceAll(']?', '|]'), !asks, english, TEXTS_OF_PATTERN.usual)
    })
  const translated = patternsOf(phrases)
    .filter((line) => !PHRASES_OF_NEITHER.test(line))
    .flatMap((line) =>
      partsOf(line).flatMap((part, i) =>
        examplesOf(part, !part.includes('?'), translations[i] ?? english, TEXTS_OF_PATTERN.phrases),
      ),
    )
  return [...notes, ...translated]
}

function ofMessages(): Example[] {
  const lines = linesOf('models/training/telling/messages.txt')
  const own = listsOf(lines, null)
  let heading = ''
  return lines.flatMap((line) => {
    if (line.startsWith('= ')) heading = line
    if (line.startsWith('= ') || LIST.test(line)) return []
    const language = LANGUAGES.findIndex((name) => heading.endsWith(` ${name}`))
    const lists = new Map([...english, ...own, ...(language > 0 ? (translations[language] ?? []) : [])])
    const { usual, verbs } = TEXTS_OF_PATTERN
    const count = !heading.includes('verbs') ? usual : language > 0 ? verbs.others : verbs.en
    return examplesOf(line, heading.startsWith('= tells'), lists, count)
  })
}

/** By file, which of its columns tell and which ask. */
const FIXTURES = [
  ['notes', [1], [2, 3]],
  ['asked-otherwise', [1], [2]],
  ['near-neighbours', [1], [2, 3]],
  ['last-neighbours', [1], [2, 3]],
  ['fresh-neighbours', [1], [2, 3]],
  ['asked-of-none', [], [1]],
] as const

const ofFixtures = (): Example[] =>
  FIXTURES.flatMap(([name, told, asked]) =>
    linesOf(`test/fixtures/recall/${name}.txt`).flatMap((line) => {
      const cells = line.split('|').map((cell) => cell.trim())
      const of = (columns: readonly number[], tells: boolean): Example[] =>
        columns.map((i) => ({ text: typed(cells[i] ?? ''), tells, weight: FIXTURE_WEIGHT }))
      return [...of(told, true), ...of(asked, false)]
    }),
  )

function ofReadmes(): Example[] {
  const modules = join(root, 'node_modules')
  const folders = readdirSync(modules)
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(modules, name)).map((part) => join(name, part)) : [name],
    )
    .sort()
  const sentences = folders.flatMap((folder) => {
    const manifest = join(modules, folder, 'package.json')
    const readme = join(modules, folder, 'README.md')
    if (!existsSync(manifest) || !existsSync(readme)) return []
    const { license } = JSON.parse(readFileSync(manifest, 'utf8')) as { license?: unknown }
    if (!/^(?:MIT|ISC|BSD-\d-Clause|Apache-2\.0|0BSD|Unlicense)$/.test(String(license))) return []
    const prose = readFileSync(readme, 'utf8')
      .split('```')
      .filter((_, i) => i % 2 === 0)
      .flatMap((part) => part.split('\n'))
      .filter((line) => !/^\s*[#>|<!-]|https?:|\[|`/.test(line))
    return sentencesIn(prose.join('\n'))
      .filter(({ length }) => length > 20 && length < 160)
      .slice(0, SENTENCES_OF_README)
  })
  return sentences.map((text) => ({ text, tells: false, weight: README_WEIGHT / sentences.length }))
}

/** Weights of least logistic loss, both kinds counting the same: Adam over all examples at once. */
function fit(rows: readonly Float32Array[], examples: readonly Example[]): Float32Array {
  const size = rows[0]?.length ?? 0
  const total = (tells: boolean): number =>
    examples.reduce((sum, one) => sum + (one.tells === tells ? one.weight : 0), 0)
  const totals = [total(false), total(true)] as const
  const weights = new Float64Array(size)
  const mean = new Float64Array(size)
  const square = new Float64Array(size)
  for (let step = 1; step <= STEPS; step++) {
    const slope = weights.map((weight) => 2 * PENALTY * weight)
    for (const [i, row] of rows.entries()) {
      const { tells, weight } = examples[i] as Example
      let score = 0
      for (let j = 0; j < size; j++) score += (weights[j] as number) * (row[j] as number)
      const off = ((1 / (1 + Math.exp(-score)) - Number(tells)) * weight) / totals[Number(tells) as 0 | 1]
      for (let j = 0; j < size; j++) slope[j] = (slope[j] as number) + off * (row[j] as number)
    }
    for (let j = 0; j < size; j++) {
      const by = slope[j] as number
      mean[j] = 0.9 * (mean[j] as number) + 0.1 * by
      square[j] = 0.999 * (square[j] as number) + 0.001 * by * by
      const rate = (RATE * Math.min(1, (2 * (STEPS - step)) / STEPS)) / (1 - 0.9 ** step)
      weights[j] =
        (weights[j] as number) -
        (rate * (mean[j] as number)) / (Math.sqrt((square[j] as number) / (1 - 0.999 ** step)) + 1e-8)
    }
  }
  return Float32Array.from(weights)
}

const encoder = new StaticEncoder(readFileSync(join(root, 'models/loam-encoder.bin')))
const examples = [...ofEncoder(), ...ofMessages(), ...ofFixtures(), ...ofReadmes()]
const rows = examples.map(({ text }) => tellingFeatures(withoutLead(text), encoder))
writeFileSync(join(root, 'models/loam-telling.bin'), packTelling(fit(rows, examples)))
process.stdout.write(`${examples.length} texts, ${examples.filter(({ tells }) => tells).length} tell\n`)
