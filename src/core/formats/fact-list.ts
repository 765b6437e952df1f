import { parsed, readElements, readLines } from '../ground/entries'
import { peek } from '../ground/peek'
import { UNRECOGNISED, type Recognition } from '../ground/recognition'
import type { RowPlace } from '../../shared/domain/reading'
import type { Found, ReadContext } from '../memory/experiences/import/log'
import { asSentence, oneLine } from '../memory/facts/statement'
import { foundFact, LONGEST_FACT } from './foreign-fact'
import type { Format } from './format'

/** A line of a list as its words, with the day that stands before them; null for a heading, a rule or an empty line. */
function itemOf(
  line: string,
): { readonly text: string; readonly day: string | null; readonly isPoint: boolean } | null {
  const trimmed = line.trim()
  if (/^(?:#{1,6}\s|[-=*_]{3,}$|```|$)/.test(trimmed)) return null
  const point = /^(?:[-*+•–]|\d{1,4}[.)])\s+/.exec(trimmed)?.[0] ?? ''
  const rest = trimmed.slice(point.length)
  const dated = /^\[?(\d{4}-\d\d-\d\d)\]?\s*[-–:]\s+/.exec(rest)
  const text = oneLine(rest.slice(dated?.[0].length ?? 0).replace(/\*\*|__/g, ''))
  return { text, day: dated?.[1] ?? null, isPoint: point !== '' || dated !== null }
}

/** Characters that say whether it is JSON. */
const HEAD = 256
const LEAST_WORDS = 3
const wordCount = (text: string): number => text.split(' ').length

/** Why a text is no fact; null where it may be one. */
const faultOf = (text: string): string | null =>
  text.length > LONGEST_FACT
    ? 'it is too long for a fact'
    : text.endsWith('?')
      ? 'it asks and tells nothing'
      : wordCount(text) < LEAST_WORDS
        ? 'it is too short for a sentence'
        : null

/** Of a list that nobody named: characters of an item, and items. */
const LONGEST_ITEM = 300
const MOST_ITEMS = 500
const SURE = 0.2
/** A link of an index, or who speaks: parts of pages and of logs. */
const NO_SENTENCE = /\[\[|\]\(|^(?:agent|assistant|user|human|system|you)\s?:/i

/** What tells its reader what to do: a rule of a policy. */
const RULE = /\byou (?:should|must|shall|cannot|may (?:not|only)|are (?:not )?allowed)\b/i

/** Points of a list, or lines that are each a sentence, and nothing else. */
function recognise(head: string): Recognition {
  const isJson = TEXTS.test(head)
  const lines = isJson
    ? head.split(BETWEEN).map((text) => text.replace(/^\s*\[\s*"|"\s*\]\s*$/g, ''))
    : head.split('\n')
  const items = lines.flatMap((line) => itemOf(line) ?? [])
  if (items.length < 2 || items.length > MOST_ITEMS) return UNRECOGNISED
  const isPlain = items.every(
    ({ text }) =>
      faultOf(text) === null && text.length <= LONGEST_ITEM && !NO_SENTENCE.test(text) && !RULE.test(text),
  )
  const isList = items.every(({ text, isPoint }) => isPoint || /\p{L}[.!]$/u.test(text))
  return isPlain && (isJson || isList)
    ? { confidence: SURE, seen: items[0]?.text.slice(0, 60) ?? '' }
    : UNRECOGNISED
}

/** A JSON array of texts and nothing else, and the beginning of any. */
const TEXTS = /^\s*\[\s*"(?:[^"\\]|\\.)*"(?:\s*,\s*"(?:[^"\\]|\\.)*")*\s*\]\s*$/
const BETWEEN = /"\s*,\s*"/
const ARRAY = /^\s*\[\s*["{\]]/

/** Other programs write of whoever uses them. */
const OF_USER = /^(?:the )?user(?:['’]s)?\s/i

function foundOf(line: string, place: RowPlace, context: ReadContext): Found[] {
  const item = itemOf(line)
  if (item === null) return []
  const why = faultOf(item.text)
  if (why !== null) return [{ kind: 'left', place, why }]
  const about = OF_USER.test(item.text) ? 'me' : null
  const sentence = { statement: asSentence(item.text), about, by: 'a list', createdAt: item.day }
  return [foundFact(sentence, place, context)]
}

/** Sentences that are worth remembering, as people keep them and as other programs print what they remember. */
export const factList: Format = {
  id: 'fact-list',
  title: 'List of facts (text, Markdown or JSON)',
  writtenFor:
    'a sentence on each line or point, or a JSON array of sentences; what ChatGPT and Claude print of their memory',
  keeps: 'Every sentence as a fact, with the day that stands before it.',
  loses: 'Headings. Questions, single words and long texts are left out, each with the reason.',
  recognise,
  async *read(text, context) {
    const { head, pieces } = await peek(text, HEAD)
    if (ARRAY.test(head))
      for await (const { place, value, problem } of parsed(readElements(pieces)))
        if (typeof value === 'string') yield* foundOf(value, place, context)
        else yield { kind: 'left', place, why: problem ?? 'it is no sentence' }
    else
      for await (const { text, place, problem } of readLines(pieces))
        if (text === null) yield { kind: 'left', place, why: problem ?? 'it is no sentence' }
        else yield* foundOf(text, place, context)
  },
}
