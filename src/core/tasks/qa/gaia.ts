/** A number as people write it, `$1,234` or `17 %`; null when it is none. */
export function numberOf(text: string): number | null {
  const plain = text.replace(/[$%,]/g, '').trim()
  return /^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : null
}

/** Lower case, without English articles and white space, and without punctuation unless it is kept. */
function plainText(text: string, keepPunctuation: boolean): string {
  const lower = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\b(a|an|the)\b/g, ' ')
  return (keepPunctuation ? lower : lower.replace(/[\p{P}\p{S}]/gu, '')).replace(/\s/g, '')
}

const isNumber = (reference: string): boolean =>
  /^\s*[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i.test(reference)

const sameNumber = (answer: string, reference: string): boolean => numberOf(answer) === Number(reference)

/**
 * Exact match as GAIA's leaderboard scores it, with articles removed as Memento section 5.2 says: a reference that is a number is
 * compared as one (units $ and %, thousands commas left aside); one with commas or semicolons as a list of as many elements, in
 * order, each a number or a text with its punctuation; any other as a text without punctuation.
 */
export function gaiaMatch(answer: string, reference: string): 0 | 1 {
  if (isNumber(reference)) return sameNumber(answer, reference) ? 1 : 0
  if (/[,;]/.test(reference)) {
    const targets = reference.split(/[,;]/)
    const inputs = answer.split(/[,;]/)
    if (targets.length !== inputs.length) return 0
    const right = targets.every((element, i) => {
      const matchText = inputs[i] ?? ''
      return isNumber(element)
        ? sameNumber(matchText, element)
        : plainText(matchText, true) === plainText(element, true)
    })
    return right ? 1 : 0
  }
  return plainText(answer, false) === plainText(reference, false) ? 1 : 0
}

/** ASCII punctuation, Python's `string.punctuation`. */
const PUNCTUATION = /[!-/:-@[-`{-~]/g

const publishedText = (text: string, keepPunctuation: boolean): string => {
  const lower = text.replace(/\s/g, '').toLowerCase()
  return keepPunctuation ? lower : lower.replace(PUNCTUATION, '')
}

/**
 * Exact match by GAIA's scorer as it is published (gaia-benchmark/leaderboard, scorer.py): as `gaiaMatch`, but English articles are
 * kept, and only ASCII punctuation goes.
 */
export function gaiaPublishedMatch(answer: string, reference: string): 0 | 1 {
  if (isNumber(reference)) return numberOf(answer) === Number(reference) ? 1 : 0
  if (!/[,;]/.test(reference)) return publishedText(answer, false) === publishedText(reference, false) ? 1 : 0
  const targets = reference.split(/[,;]/)
  const inputs = answer.split(/[,;]/)
  const right =
    targets.length === inputs.length &&
    targets.every((element, i) => {
      const matchText = inputs[i] ?? ''
      return isNumber(element)
        ? numberOf(matchText) === Number(element)
        : publishedText(matchText, true) === publishedText(element, true)
    })
  return right ? 1 : 0
}
