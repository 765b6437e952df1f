import {
  GUIDE_SECTIONS,
  type GuideSection,
  type GuideText,
  type GuideVersion,
  type Insight,
  type Sentence,
} from '../../../shared/domain/guide'

type Constraints = GuideVersion['constraints']
export const NO_CONSTRAINTS: Constraints = { keep: [], drop: [] }

/** A fenced piece of code stays whole; else a sentence ends at . ! ? before a blank, or at a line's end. */
const SENTENCE = /```[\s\S]*?```|[^\n]+?(?:[.!?](?=\s|$)|(?=\n|$))/g

/** The sentences of a section, in order. */
export const sentencesOf = (text: string): string[] =>
  (text.match(SENTENCE) ?? []).map((sentence) => sentence.trim()).filter((sentence) => sentence !== '')

const PARTICULARS = [
  /```[\s\S]*?```/g,
  /`[^`\n]+`/g,
  /(?:[A-Za-z]:)?(?:[\\/][\w.+-]*\w)+[\\/]?/g,
  /(?=\w)(?<=(?<![\w-])-*)[\w-]+\.[a-z][a-z0-9]{1,4}\b/g,
  /-{1,2}[a-z][\w-]*/g,
  /\d+(?:[.,:/-]\d+)*%?/g,
  /\b[A-Z][A-Z0-9_]*\b/g,
]
/** Words in capitals that are no code. */
const PLAIN = new Set(['A', 'I'])

/** The code, numbers, paths, options and names in capitals of a text: what the zero-loss policy must not lose. */
export function particulars(text: string): Set<string> {
  const foundSet = new Set<string>()
  let rest = text
  for (const pattern of PARTICULARS)
    rest = rest.replace(pattern, (match) => {
      if (!PLAIN.has(match)) foundSet.add(match)
      return ' '
    })
  return foundSet
}

/** All sections of a document, one below the other. */
export const wholeText = (document: GuideText): string =>
  GUIDE_SECTIONS.map((section) => document[section]).join('\n')

/** What the zero-loss check flags: particulars of the old document that the new one does not have, in order. */
export function lostParticulars(before: GuideText | null, after: GuideText): string[] {
  if (before === null) return []
  const keptSet = particulars(wholeText(after))
  return [...particulars(wholeText(before))].filter((one) => !keptSet.has(one))
}

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])

/** Share of an insight's words, the rare ones counting more, above which a sentence is taken to rest on it. */
const RESTS_ABOVE = 0.5

/**
 * Which insights each sentence rests on: those with more than half of their words in it, each word weighing ln(1 + N / n) where
 * n of the N insights have it; and what the same sentence of the version before rested on.
 */
export function attribute(
  text: GuideText,
  insights: readonly Insight[],
  before: readonly Sentence[],
): Sentence[] {
  const words = insights.map((insight) => wordsOf(insight.text))
  const count = new Map<string, number>()
  for (const set of words) for (const word of set) count.set(word, (count.get(word) ?? 0) + 1)
  const weight = (word: string): number =>
    Math.log(1 + insights.length / (count.get(word) ?? insights.length))
  const total = (set: Iterable<string>): number => [...set].reduce((sum, word) => sum + weight(word), 0)
  return GUIDE_SECTIONS.flatMap((section) =>
    sentencesOf(text[section]).map((sentence): Sentence => {
      const own = wordsOf(sentence)
      const supporting = insights.filter((_, i) => {
        const messageSet = words[i] ?? new Set()
        return total([...messageSet].filter((word) => own.has(word))) > RESTS_ABOVE * total(messageSet)
      })
      const same = before.find((old) => old.section === section && old.text === sentence)
      return {
        section,
        text: sentence,
        insights: [...new Set([...(same?.insights ?? []), ...supporting.map(({ id }) => id)])],
        trajectories: [
          ...new Set([...(same?.trajectories ?? []), ...supporting.map(({ trajectoryId }) => trajectoryId)]),
        ],
        byHand: same?.byHand ?? false,
      }
    }),
  )
}

/** Puts back what a person wrote and takes out what they removed. `restored` names both, in words of the document. */
export function enforce(
  text: GuideText,
  { keep, drop }: Constraints,
): { text: GuideText; restored: string[] } {
  const restored: string[] = []
  const result = { ...text }
  const dropped = new Set(drop)
  for (const section of GUIDE_SECTIONS) {
    let body = result[section]
    for (const sentence of sentencesOf(body)) {
      if (!dropped.has(sentence)) continue
      const at = body.indexOf(sentence)
      body = `${body.slice(0, at)}${body.slice(at + sentence.length)}`.replace(/ {2,}/g, ' ').trim()
      restored.push(sentence)
    }
    for (const one of keep) {
      if (one.section !== section || body.includes(one.text)) continue
      body = body === '' ? one.text : `${body}\n${one.text}`
      restored.push(one.text)
    }
    result[section] = body
  }
  return { text: result, restored }
}

/** The constraints after a person edited a document: sentences that are new are kept, sentences that are gone never come back. */
export function editedConstraints(before: GuideVersion | null, after: GuideText): Constraints {
  const old = before?.constraints ?? NO_CONSTRAINTS
  const had = (before?.sentences ?? []).map(({ section, text }) => ({ section, text }))
  const has = GUIDE_SECTIONS.flatMap((section) =>
    sentencesOf(after[section]).map((text) => ({ section, text })),
  )
  const isIn = (list: readonly { section: string; text: string }[], one: { section: string; text: string }) =>
    list.some(({ section, text }) => section === one.section && text === one.text)
  const messageSet = new Set(has.map(({ text }) => text))
  return {
    keep: [...old.keep.filter((one) => isIn(has, one)), ...has.filter((one) => !isIn(had, one))].filter(
      (one, i, all) => all.findIndex((other) => isIn([other], one)) === i,
    ),
    drop: [...new Set([...old.drop, ...had.map(({ text }) => text)])].filter((text) => !messageSet.has(text)),
  }
}

const HEADINGS: Readonly<Record<GuideSection, string>> = {
  context: 'Context',
  howToUse: 'How to use',
  whenToUse: 'When to use',
  bestPractices: 'Best practices',
}

/** A concept document as Markdown: `# concept`, then `## Context`, `## How to use`, `## When to use`, `## Best practices`, where not empty. */
export const guideText = (concept: string, document: GuideText): string =>
  [
    `# ${concept}`,
    ...GUIDE_SECTIONS.filter((section) => document[section] !== '').map(
      (section) => `## ${HEADINGS[section]}\n${document[section]}`,
    ),
  ].join('\n\n')
