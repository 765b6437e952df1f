import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { statedIn } from '../../src/core/memory/facts/stated'
import { rememberedIn } from '../../src/core/memory/facts/statement'
import { tellsBy } from '../../src/main/embedders/built-in-encoder'
import { encoderPath, tellingPath } from '../../src/main/ground/model-file'
import { findResources } from '../../src/main/ground/resources'

// What is kept or offered of messages: `npm run told-freely -- [--others FOLDER] [--verbose]`. Things told in free words and asks (test/fixtures/told), everyday asks
// (test/fixtures/recall/fresh-asks.txt), and every text of the JSON files below FOLDER, whose writers told nobody anything to keep.

const { values } = parseArgs({
  options: { others: { type: 'string' }, verbose: { type: 'boolean', default: false } },
})
const print = (line: string): void => void process.stdout.write(`${line}\n`)

const linesOf = (file: string): string[][] =>
  readFileSync(join(import.meta.dirname, '../fixtures', file), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => line.split('|').map((part) => part.trim()))

const { models } = findResources()
const tells = tellsBy(tellingPath(models), encoderPath(models))
const keptOf = (text: string): readonly string[] => rememberedIn(text) ?? []
const offeredOf = (text: string): readonly string[] => (keptOf(text).length > 0 ? [] : statedIn(text, tells))

function tell(title: string, texts: readonly string[], wanted: boolean): void {
  const kept = texts.filter((text) => keptOf(text).length > 0)
  const offered = texts.filter((text) => offeredOf(text).length > 0)
  print(`${title}: ${texts.length} texts, kept ${kept.length}, offered ${offered.length}`)
  if (!values.verbose) return
  for (const text of texts) {
    const statements = [...keptOf(text), ...offeredOf(text)]
    if (statements.length > 0 !== wanted)
      print(`  ${JSON.stringify(text.slice(0, 160))} -> ${JSON.stringify(statements)}`)
  }
}

/** The texts of a JSON value that stand under a name of something said or asked. */
function textsIn(value: unknown, texts: Set<string>): void {
  if (typeof value === 'string') {
    if (value.length > 8 && value.length < 1500) texts.add(value)
  } else if (Array.isArray(value)) for (const one of value) textsIn(one, texts)
  else if (value !== null && typeof value === 'object')
    for (const [name, one] of Object.entries(value))
      if (
        typeof one === 'object' ||
        /instruction|question|prompt|content|text|task|goal|message|query/i.test(name)
      )
        textsIn(one, texts)
}

const MOST_BYTES = 3e7

const filesBelow = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) return filesBelow(path)
    return /\.jsonl?$/.test(name) && statSync(path).size <= MOST_BYTES ? [path] : []
  })

function textsBelow(folder: string): string[] {
  const texts = new Set<string>()
  for (const file of filesBelow(folder)) {
    const content = readFileSync(file, 'utf8')
    for (const json of file.endsWith('.jsonl') ? content.split('\n').filter(Boolean) : [content])
      textsIn(JSON.parse(json), texts)
  }
  return [...texts]
}

const earlier = linesOf('told/earlier.txt')
for (const set of new Set(earlier.map(([name]) => name)))
  tell(
    `earlier set ${set}`,
    earlier.flatMap(([name, text = '']) => (name === set ? [text] : [])),
    true,
  )
const fresh = linesOf('told/fresh.txt')
for (const set of ['a', 'b', 'c', 'd'])
  for (const kind of ['tells', 'asks']) {
    const rows = fresh.filter(([name = '', one]) => name.startsWith(set) && one === kind)
    tell(
      `fresh set ${set}, ${kind}`,
      rows.map(([, , text = '']) => text),
      kind === 'tells',
    )
    const mixed = rows.flatMap(([, , text = '', statement]) => (statement ? [{ text, statement }] : []))
    const plain = mixed.filter(({ text, statement }) => offeredOf(text).join() === statement)
    if (mixed.length > 0)
      print(`  of ${mixed.length} that also ask, the sentence alone that tells: ${plain.length}`)
  }
tell(
  'everyday asks',
  linesOf('recall/fresh-asks.txt').map(([, text = '']) => text),
  false,
)
if (values.others !== undefined) tell('texts by others', textsBelow(values.others), false)
