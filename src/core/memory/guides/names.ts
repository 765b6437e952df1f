import { GUIDE_SECTIONS, type GuideText } from '../../../shared/domain/guide'
import { sentencesOf, wholeText } from './guide'

/** A word that is written like a name. */
const NAME = /^\p{Lu}[\p{L}\p{N}_]*$/u
/** Words after a name that tell where it stands. */
const FOLLOWING = 2

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}_]+/gu) ?? []

/** What follows each word that is written like a name, in small letters. */
const namesIn = (sentence: string): { readonly name: string; readonly before: string }[] => {
  const words = wordsOf(sentence)
  return words.flatMap((name, at) => {
    const next = words.slice(at + 1, at + 1 + FOLLOWING)
    return NAME.test(name) && next.length === FOLLOWING
      ? [{ name, before: next.join(' ').toLowerCase() }]
      : []
  })
}

/**
 * Names that a document made up in place of those it was told: a word in no source, written like a name, that stands before the same words as a
 * name of the sources which is not in its sentence. What could stand for several names is left alone.
 */
function mistakenNames(document: GuideText, sources: readonly string[]): Map<string, string> {
  const knownSet = new Set(sources.flatMap((source) => wordsOf(source.toLowerCase())))
  const noticeSetMap = new Map<string, Set<string>>()
  for (const { name, before } of sources.flatMap(sentencesOf).flatMap(namesIn))
    noticeSetMap.set(before, new Set([...(noticeSetMap.get(before) ?? []), name]))
  const meantSetMap = new Map<string, Set<string>>()
  for (const sentence of sentencesOf(wholeText(document)))
    for (const { name, before } of namesIn(sentence)) {
      if (knownSet.has(name.toLowerCase())) continue
      const own = new Set(wordsOf(sentence))
      const candidates = [...(noticeSetMap.get(before) ?? [])].filter((one) => !own.has(one))
      if (candidates.length > 0)
        meantSetMap.set(name, new Set([...(meantSetMap.get(name) ?? []), ...candidates]))
    }
  return new Map(
    [...meantSetMap].flatMap(([name, candidates]) => {
      const [one, ...others] = candidates
      return one === undefined || others.length > 0 ? [] : [[name, one] as const]
    }),
  )
}

/** The document with the names of its sources where it has others in their place. */
export function withNamesOf(sources: readonly string[], document: GuideText): GuideText {
  const mistaken = mistakenNames(document, sources)
  if (mistaken.size === 0) return document
  const right = (text: string): string =>
    text.replace(/[\p{L}\p{N}_]+/gu, (word) => mistaken.get(word) ?? word)
  return Object.fromEntries(
    GUIDE_SECTIONS.map((section) => [section, right(document[section])]),
  ) as unknown as GuideText
}
