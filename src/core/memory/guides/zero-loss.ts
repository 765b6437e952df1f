import { GUIDE_SECTIONS, type GuideSection, type GuideText } from '../../../shared/domain/guide'
import { termsOf } from '../../retrieval/terms'
import { lostParticulars, particulars, sentencesOf, wholeText } from './guide'

/** Share of an insight's words, by how rare they are among all insights, that a document has which says it. */
const SAID_FROM = 0.8

/** The words of a text that say something, without their endings. */
const sayingWords = (text: string): Set<string> =>
  new Set(termsOf(text).flatMap(({ kind, term }) => (kind === 'word' ? [term] : [])))

/** Words of a document that say something and stand in none of its sources: what the integrator made up, or put in other words. */
export function unsourcedWords(document: GuideText, sources: readonly string[]): string[] {
  const knownSet = new Set(sources.flatMap((source) => [...sayingWords(source)]))
  return [...sayingWords(wholeText(document))].filter((word) => !knownSet.has(word))
}

/** Particulars of a document that stand in none of its sources: made up for certain. */
export function inventedParticulars(document: GuideText, sources: readonly string[]): string[] {
  const knownSet = new Set(sources.flatMap((source) => [...particulars(source)]))
  return [...particulars(wholeText(document))].filter((one) => !knownSet.has(one))
}

/**
 * The insights a document does not say: those with a particular that it lacks, or with too few of their words in it, endings and words that
 * say little apart, each weighing ln(1 + N / n) where n of the N insights have it. In order, each text once.
 */
export function unsaidInsights(insights: readonly string[], document: GuideText): string[] {
  const texts = [...new Set(insights)]
  const words = texts.map(sayingWords)
  const count = new Map<string, number>()
  for (const set of words) for (const word of set) count.set(word, (count.get(word) ?? 0) + 1)
  const weigh = (set: readonly string[]): number =>
    set.reduce((sum, word) => sum + Math.log(1 + texts.length / (count.get(word) ?? 1)), 0)
  const whole = wholeText(document)
  const has = sayingWords(whole)
  const exact = particulars(whole)
  return texts.filter((text, i) => {
    if ([...particulars(text)].some((one) => !exact.has(one))) return true
    const own = [...(words[i] ?? [])]
    return weigh(own.filter((word) => has.has(word))) < SAID_FROM * weigh(own)
  })
}

/** Characters of a document's texts. */
export const documentLength = (document: GuideText): number => wholeText(document).length

/**
 * Puts back what a new version lost: sentences of the old document with particulars that are gone, then insights it does not say, word for
 * word, as long as it stays within `most` characters. `lost` names what found no room, by its particulars or as the insight it is.
 */
export function putBack(
  after: GuideText,
  before: GuideText | null,
  insights: readonly string[],
  most: number,
): { readonly text: GuideText; readonly back: string[]; readonly lost: string[] } {
  let text = after
  const back: string[] = []
  const add = (section: GuideSection, sentence: string): void => {
    const body = text[section] === '' ? sentence : `${text[section]}\n${sentence}`
    const longer = { ...text, [section]: body }
    if (documentLength(longer) > most) return
    text = longer
    back.push(sentence)
  }
  for (const section of before === null ? [] : GUIDE_SECTIONS)
    for (const sentence of sentencesOf(before?.[section] ?? '')) {
      const removalSet = new Set(lostParticulars(before, text))
      if ([...particulars(sentence)].some((one) => removalSet.has(one))) add(section, sentence)
    }
  for (const insight of insights)
    if (unsaidInsights(insights, text).includes(insight)) add('howToUse', insight)
  return { text, back, lost: [...lostParticulars(before, text), ...unsaidInsights(insights, text)] }
}

const plainClause = (clause: string): string =>
  clause
    .trim()
    .replace(/(?<![.,;:!?])[.,;:!?]+$/, '')
    .toLowerCase()

/** A sentence without clauses of two words or more that it has said already: what a small model writes when it goes in circles. */
function withoutEchoes(sentence: string): string {
  if (sentence.includes('`')) return sentence
  const end = /[.!?]$/.exec(sentence)?.[0] ?? ''
  const messageSet = new Set<string>()
  const selection = sentence.split(', ').filter((clause) => {
    const plain = plainClause(clause)
    const own = plain.includes(': ') ? plain.slice(plain.indexOf(': ') + 2) : plain
    const isEcho = own.includes(' ') && messageSet.has(own)
    messageSet.add(own)
    return !isEcho
  })
  const text = selection.join(', ').replace(/,$/, '')
  return text.endsWith(end) ? text : `${text}${end}`
}

/** A document without repetitions: sentences that stand in their section already, and clauses that stand in their sentence. */
export function withoutRepetitions(document: GuideText): GuideText {
  const tidy = (body: string): string => {
    if (body.includes('```')) return body
    const seenSet = new Set<string>()
    return body
      .split('\n')
      .flatMap((line) => {
        const all = sentencesOf(line)
        const selection = all.flatMap((sentence) => {
          const short = withoutEchoes(sentence)
          if (short.includes(' ') && seenSet.has(short)) return []
          seenSet.add(short)
          return [short]
        })
        if (selection.length === all.length && selection.every((one, i) => one === all[i])) return [line]
        return selection.length === 0 ? [] : [selection.join(' ')]
      })
      .join('\n')
      .trim()
  }
  return {
    context: tidy(document.context),
    howToUse: tidy(document.howToUse),
    whenToUse: tidy(document.whenToUse),
    bestPractices: tidy(document.bestPractices),
  }
}
