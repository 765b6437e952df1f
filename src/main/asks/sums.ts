import { wordedSums } from './worded-sums'

/** Stands for `/ 100 *` where places have to stay the same. */
const PERCENT = '~'
/** Words between two numbers that stand for a sign, in the languages that Loam comes with. */
const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/×|(?<=\d ?)x(?= ?\d)|\b(?:times|multiplied by|mal|fois|multiplicado por)\b/giu, '*'],
  [/÷|\b(?:divided by|geteilt durch|divisé par|dividido (?:por|entre))(?![\p{L}])/giu, '/'],
  [/\b(?:plus|más)(?![\p{L}])/giu, '+'],
  [/−|\b(?:minus|moins|menos)\b/giu, '-'],
  [/\bto the power of\b/giu, '^'],
  [/(?:%|\bpercent|\bprozent|\bpour cent|\bpor ciento)\s(?:of|von|de)\b/giu, PERCENT],
]
/** Numbers, brackets and signs in a row. */
const IN_SIGNS = /[\d.,()\s+*/^~-]+/gu
/** A calculation: a number, a sign, another number, and nothing that cannot stand in one. */
const CALCULATION = /^[(\s]*\d[\d.()\s]*[+*/^-][\d.()\s+*/^-]*\d[)\s]*$/u
/** Dates and ranges have signs too: those without blanks around them are calculations only where the sign can be nothing else. */
const AS_WRITTEN_TOGETHER = /^\d+(?:[-/.]\d+)+$/u
/** Two numbers with a sign between them: from the lower to the higher it is a range. */
const RANGE = /^[\d.]+ - [\d.]+$/u
/** Characters of a calculation, and calculations of a message that are worked out at the most. */
const LONGEST = 200
const MOST = 5

/** A calculation of a message: as it is written there, and in signs. */
interface Sum {
  readonly words: string
  readonly signs: string
}

/** The calculations that a message names, with signs or in words. */
function sumsIn(text: string): Sum[] {
  // Signs take as many characters as the words they stand for, so that places stay the same.
  const signs = SIGNS.reduce(
    (before, [words, sign]) => before.replace(words, (match) => sign.padEnd(match.length)),
    text,
  )
  const sums = [...signs.matchAll(IN_SIGNS)].flatMap(({ 0: part, index }): Sum[] => {
    const whole = part.slice(0, part.length - [...part].reverse().findIndex((one) => !/[.,\s]/u.test(one)))
    const inSigns = whole
      .replace(/(?<=\d),(?=\d{3}(?!\d))/gu, '')
      .replace(/(?<=\d),(?=\d{1,2}(?!\d))/gu, '.')
      .replaceAll(PERCENT, ' / 100 *')
      .replace(/\s+/gu, ' ')
      .trim()
    // "240 plus 15%" is no 255.
    const isPartial = /^\s?(?:%|(?:percent|prozent|pour cent|por ciento)\b)/iu.test(
      signs.slice(index + whole.length),
    )
    const isOne =
      !isPartial &&
      inSigns.length <= LONGEST &&
      CALCULATION.test(inSigns) &&
      !AS_WRITTEN_TOGETHER.test(inSigns)
    return isOne ? [{ words: text.slice(index, index + whole.length).trim(), signs: inSigns }] : []
  })
  return sums
}

/** Digits of a result in another unit, which is hardly ever whole. */
const DIGITS_OF_UNIT = 6

/** Each calculation of a message with its result, for a model that calls no tools; empty where there is none. What is no calculation after all is left out. */
export async function workOutSums(text: string): Promise<string[]> {
  const sums = [...sumsIn(text).map((sum) => ({ ...sum, unit: null })), ...wordedSums(text)].slice(0, MOST)
  if (sums.length === 0) return []
  const { evaluate, format, unit: unitOf } = await import('mathjs')
  return sums.flatMap(({ words, signs, unit }) => {
    try {
      const value: unknown =
        unit === null ? evaluate(signs) : unitOf(String(evaluate(signs))).toNumber(unit.name)
      const isRange = typeof value === 'number' && value < 0 && RANGE.test(signs)
      return typeof value === 'number' && Number.isFinite(value) && !isRange
        ? [
            `${words} = ${format(value, { precision: unit === null ? 12 : DIGITS_OF_UNIT, upperExp: 15 })}${unit === null ? '' : ` ${unit.label}`}`,
          ]
        : []
    } catch {
      return []
    }
  })
}

/** Words of a message beside its sums from which on it asks for more than these: in a question, and in any other message. */
const OTHER_WORDS = { question: 7, other: 3 }
const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? []

/** Whether a sum is a part of a name or a measure: "4 x 100 m relay". */
function isPart(sum: string, text: string): boolean {
  const [words = ''] = sum.split(' = ')
  const at = text.indexOf(words)
  return at >= 0 && /[\d)]$/.test(words) && /^\s*\p{L}/u.test(text.slice(at + words.length))
}

/** The answer to a message that asks for its sums and hardly anything else; empty for any other. */
export function sumsAlone(text: string, sums: readonly string[]): string {
  const own = new Set(wordsOf(sums.join(' ')))
  const others = wordsOf(text).filter((word) => !own.has(word))
  const most = text.includes('?') ? OTHER_WORDS.question : OTHER_WORDS.other
  const isAlone = sums.length > 0 && others.length <= most && !sums.some((sum) => isPart(sum, text))
  return isAlone ? sumAnswer(sums) : ''
}

/** The results as an answer. */
export const sumAnswer = (sums: readonly string[]): string => `${sums.join('; ')}.`

/** The results as a model reads them with the message; empty where there are none. */
export const sumText = (sums: readonly string[]): string =>
  sums.length === 0 ? '' : `What is known:\n${sums.map((sum) => `- ${sum}`).join('\n')}`

/** The results behind a message, for a model too small for tools, which seldom says what it only reads before it. */
export const sumsToSay = (sums: readonly string[]): string =>
  `Calculator: ${sums.join('; ')}\n\nAnswer with what the calculator says.`
