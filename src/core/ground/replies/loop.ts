/** Sentences and lines that a cycle may be long. */
const LONGEST_CYCLE = 12
/** How often a cycle of several sentences, and one of a single sentence, is said before it is a loop. */
const CYCLES = 3
const SINGLE = 4
/** Characters that all cycles together have at least: shorter repetitions are tables, laughter and closing brackets. */
const LEAST_CHARACTERS = 60
/** Characters at the end in which one piece again and again is a loop, where it is said `SINGLE` times at least, and the longest such piece. */
const TAIL = 120
const LONGEST_PIECE = 200

/** A sentence or a line with where it ends; `key` is what it says, numbering and case aside. */
interface Saying {
  readonly key: string
  readonly end: number
}

function sayingsOf(text: string): Saying[] {
  const sayings: Saying[] = []
  let start = 0
  for (const { index } of text.matchAll(/[.!?](?=\s)|\n/g)) {
    const end = index + 1
    const key = text
      .slice(start, end)
      .toLowerCase()
      .replace(/^[\s>*#-]*\d*[.):]?\s*/, '')
      .trim()
    if (key !== '') sayings.push({ key, end })
    start = end
  }
  return sayings
}

/** The same in calls and forms, where data may repeat themselves and be meant. */
const FORM_TAIL = 1000
const FORM_SINGLE = 8

/** Where one piece at the end of a text begins to be repeated, behind its first saying; null where none is. */
function pieceLoop(text: string, tail = TAIL, least = SINGLE): number | null {
  if (text.slice(-tail).trim().length < tail / 2) return null
  for (let length = 2; length <= LONGEST_PIECE && length * least <= text.length; length++) {
    const piece = text.slice(-length)
    if (!/[\p{L}\p{N}]/u.test(piece)) continue
    let from = text.length
    while (from >= length && text.slice(from - length, from) === piece) from -= length
    if (text.length - from >= Math.max(tail - length, length * least)) return from + length
  }
  return null
}

/** The number of an item within a line. */
const ENUMERATOR = /(?<!\S)\d{1,4}[.):] +(?=\p{L})/gu

/** Where a piece is repeated as items that are counted on; null where none is. */
function countedLoop(text: string): number | null {
  const numbers = [...text.matchAll(ENUMERATOR)]
  if (numbers.length < SINGLE) return null
  const start = pieceLoop(text.replace(ENUMERATOR, ''))
  // Numbers before that place are as long again as they are.
  return start === null
    ? null
    : numbers.reduce((end, { 0: number, index }) => (index < end ? end + number.length : end), start)
}

/**
 * Where a text begins to say the same again and again: the index behind the first saying of what it repeats. A cycle of sentences or lines
 * counts from its third saying on, a single one from its fourth; a refrain with other lines in between does not. Items count whatever their numbers. Null where nothing repeats.
 */
export function loopStart(text: string): number | null {
  const sayings = sayingsOf(text)
  for (let cycle = 1; cycle <= LONGEST_CYCLE; cycle++) {
    const count = cycle * (cycle === 1 ? SINGLE : CYCLES)
    const last = sayings.slice(-count)
    if (last.length < count) break
    const repeats = last.every(({ key }, i) => i < cycle || key === last[i - cycle]?.key)
    const length = last.reduce((sum, { key }) => sum + key.length, 0)
    if (!repeats || length < LEAST_CHARACTERS) continue
    let first = sayings.length - count
    while (first > 0 && sayings[first - 1]?.key === sayings[first - 1 + cycle]?.key) first--
    return sayings[first + cycle - 1]?.end ?? null
  }
  return pieceLoop(text) ?? countedLoop(text)
}

/** A text up to where it begins to repeat itself, and whether it did. */
export function withoutLoop(text: string): { readonly text: string; readonly looped: boolean } {
  const start = loopStart(text)
  return start === null ? { text, looped: false } : { text: text.slice(0, start).trimEnd(), looped: true }
}

/** The form in which a reply with tools is words. */
const WORDS = /^\s{0,9}\{\s{0,9}"reply"\s{0,9}:/

/** Whether a reply is to end, since it says the same again and again: `in-forms`, but for words, one piece eight times at least and for about 1,000 characters. */
export function isLooping(text: string, stops: boolean | 'in-forms' = false): boolean {
  if (stops === 'in-forms' && !WORDS.test(text)) return pieceLoop(text, FORM_TAIL, FORM_SINGLE) !== null
  return stops !== false && loopStart(text) !== null
}
