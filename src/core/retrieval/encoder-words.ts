// Cuts a text into the rows of the encoder's table. models/training/encoder/units.py does the same: change both or none.

const LONGEST_WORD = 40
const MOST_WORDS = 512
/** Letters from which on a word of one language is looked for in the others: names, borrowed words. */
const LEAST_SHARED = 4

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '))

/** By mark, the function words by which a text's language is told. English has no mark, and wins where as many words are met. */
const FUNCTION_WORDS: readonly (readonly [mark: string, words: ReadonlySet<string>])[] = [
  [
    '',
    setOf(
      'the and is not i we a an with of to on for you she it them how where when who whose why which what are have has will be my our his ' +
        'her can must should at after from or but also only still in into about me us no there please was were do does did this that',
    ),
  ],
  [
    'de:',
    setOf(
      'der das und ist nicht ich wir ein eine einen einem einer mit von zu auf fur ihr sie es den dem wie wo wann wer wen wem wessen warum ' +
        'welche welcher welches sind haben habe hat hast wird werden mein meine meinen meiner unser unsere sein seine seinen kann muss soll ' +
        'bei nach aus oder aber auch nur noch schon vom zum zur im ins uber mich mir dir uns kein keine sich gibt bitte wurde',
    ),
  ],
  [
    'fr:',
    setOf(
      'le la les des du est et pas je nous un une avec pour dans sur que qui quoi quand comment pourquoi ou quel quelle quels quelles il elle ' +
        'ils elles sont avoir ai a as ont sera mon ma mes notre nos son sa ses peut dois doit faut au aux chez vous tu ce cette ces ne plus ' +
        'aussi mais apres avant se y cela ca',
    ),
  ],
  [
    'es:',
    setOf(
      'el la los las del es y no yo un una con para en que quien cuando como donde por cual cuales esta estan son hay he ha han tengo tiene ' +
        'sera mi mis nuestro nuestra su sus puedo puede debo debe al usted tu este esta estos ese lo se mas tambien pero despues antes muy',
    ),
  ],
]

/** The marks of the languages that have rows. */
export const TONGUES: readonly string[] = FUNCTION_WORDS.map(([mark]) => mark)

/** Words in lower case without accents, at most 512; "don't" is "do not". */
export function encoderWords(text: string): string[] {
  const plain = text
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/n't\b/g, ' not')
    .replace(/'(?:s|re|ve|ll|d|m)\b/g, '')
  return (plain.match(/[a-z]+|[0-9]+/g) ?? []).slice(0, MOST_WORDS).map((word) => word.slice(0, LONGEST_WORD))
}

/** The mark of the language most of whose function words are among `words`: `''` (English), `de:`, `fr:` or `es:`. */
export function tongueOf(words: readonly string[]): string {
  let best = ''
  let most = -1
  for (const [mark, functionWords] of FUNCTION_WORDS) {
    const count = words.reduce((sum, word) => sum + (functionWords.has(word) ? 1 : 0), 0)
    if (count > most) {
      best = mark
      most = count
    }
  }
  return best
}

/**
 * The rows of one word: its own in the text's language, else that of a language which has the whole word, else those of its longest known
 * pieces from the left. `rowOf` says where a unit stands.
 */
export function rowsOfWord(
  word: string,
  mark: string,
  rowOf: (unit: string) => number | undefined,
): readonly number[] {
  const own = rowOf(mark + word)
  if (own !== undefined) return [own]
  if (word.length >= LEAST_SHARED)
    for (const [other] of FUNCTION_WORDS) {
      const row = rowOf(other + word)
      if (row !== undefined) return [row]
    }
  const pieces: number[] = []
  for (let from = 0; from < word.length;) {
    let to = word.length
    for (; to > from; to--) {
      const part = word.slice(from, to)
      let row = rowOf(mark + (from === 0 ? part : `##${part}`))
      if (row === undefined && from > 0 && part.length >= LEAST_SHARED) row = rowOf(mark + part)
      if (row !== undefined) {
        pieces.push(row)
        break
      }
    }
    from = Math.max(to, from + 1)
  }
  return pieces
}
