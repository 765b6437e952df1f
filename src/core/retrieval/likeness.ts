import { beginAlike, isGeneral, isNeighbour, isOfKind, LIGHT, namesContrast } from './neighbours'
import { isStopWord, stem, termsOf, wordsOf } from './terms'

/** What a request and an item have in common at least, for the item to be about the request. */
export const LEAST_LIKENESS = 0.5

/** What a light word, another word, and a name or a number count. */
const WEIGHTS = { light: 0.3, word: 1, name: 3 } as const
/** What a word counts that stands in the other text as another word for the same everyday thing, or in another form. */
const SAME_THING = 0.7
/** Names are told by capital letters unless this part of the words has one, as in German. */
const MANY_CAPITALS = 0.6

interface Words {
  readonly text: string
  /** By stem: what each content word counts. */
  readonly weights: ReadonlyMap<string, number>
  readonly names: ReadonlySet<string>
  /** By stem: the everyday things it stands for. */
  readonly things: ReadonlyMap<string, readonly string[]>
}

/** What was read last as a request: one is held against many keys. */
let requestWords: Words | null = null
const readRequest = (request: string): Words => {
  if (requestWords?.text !== request) requestWords = read(request)
  return requestWords
}

function read(text: string): Words {
  const content = [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(([word], i) => ({ word, first: i === 0 }))
  const inside = content.filter(({ word, first }) => !first && !isStopWord(word.toLowerCase()))
  const capitals = inside.filter(({ word }) => /^\p{Lu}/u.test(word))
  const telling = capitals.length <= inside.length * MANY_CAPITALS || inside.length < 3
  const isName = (word: string): boolean => /\p{N}/u.test(word) || (telling && /^\p{Lu}/u.test(word))
  const names = new Set(inside.flatMap(({ word }) => (isName(word) ? wordsOf(word).map(stem) : [])))
  const weights = new Map<string, number>()
  const things = new Map<string, readonly string[]>()
  for (const word of wordsOf(text)) {
    if (isStopWord(word)) continue
    const root = stem(word)
    weights.set(root, names.has(root) ? WEIGHTS.name : LIGHT.has(root) ? WEIGHTS.light : WEIGHTS.word)
    things.set(
      root,
      termsOf(word).flatMap(({ term, kind }) => (kind === 'thing' ? [term] : [])),
    )
  }
  return { text, weights, names, things }
}

/** Whether two texts have names in common alone, though the request is about more than those. */
function onlyNames(a: Words, b: Words): boolean {
  const heavy = [...a.weights].filter(([, weight]) => weight === WEIGHTS.word)
  const all = new Set([...b.things.values()].flat())
  return (
    heavy.length > 0 &&
    !heavy.some(([word]) => b.weights.has(word) || a.things.get(word)?.some((thing) => all.has(thing)))
  )
}

/** Whether both name somebody or something that the other does not. */
const namesOthers = (a: Words, b: Words): boolean =>
  [...a.names].some((name) => !b.weights.has(name)) && [...b.names].some((name) => !a.weights.has(name))

const differ = (a: Words, b: Words): boolean => namesOthers(a, b) || isNeighbour(a.text, b.text)

const sharesWord = (a: Words, b: Words): boolean =>
  [...a.weights].some(([word, weight]) => weight !== WEIGHTS.light && b.weights.has(word))

/** Whether a request and a key ask the same of something else each: they have a word in common that says something, and differ in another. */
export function asksOfAnother(request: string, key: string): boolean {
  const [a, b] = [readRequest(request), read(key)]
  const isOther = isNeighbour(request, key) || (isGeneral(request, key) && namesOthers(a, b))
  return isOther && (sharesWord(a, b) || namesContrast(request, key))
}

/** What a word of a key counts: a name or a number that the request has not may be what it asks for. */
const unasked = (request: Words, word: string, weight: number): number =>
  weight !== WEIGHTS.name || request.weights.has(word)
    ? weight
    : /\p{N}/u.test(word)
      ? WEIGHTS.light
      : WEIGHTS.word

/**
 * How far two texts are about the same, in [0, 1], by their words: the share of what both say that they have in common, where names count most
 * and words such as "find" or "number" little. 0 where they differ in the one word that matters, and where the request is of a kind and the key of one.
 */
export function likeness(request: string, key: string): number {
  const a = readRequest(request)
  const b = read(key)
  const sum = (weights: Iterable<number>): number => [...weights].reduce((total, weight) => total + weight, 0)
  const all = new Set([...b.things.values()].flat())
  let common = 0
  for (const [word, weight] of a.weights)
    if (b.weights.has(word)) common += weight
    else if (
      a.things.get(word)?.some((thing) => all.has(thing)) ||
      [...b.weights.keys()].some((other) => beginAlike(word, other))
    )
      common += weight * SAME_THING
  if (common === 0 || differ(a, b) || onlyNames(a, b) || isOfKind(request, key)) return 0
  const total =
    sum(a.weights.values()) + sum([...b.weights].map(([word, weight]) => unasked(a, word, weight)))
  return Math.min(1, (2 * common) / total)
}
