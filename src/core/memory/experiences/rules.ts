import type { Guidance } from '../../../shared/domain/experience'

/** Words a statement has at most to be one item of an enumeration; what is longer is prose. */
const MOST_WORDS = 4

/** A line of guidance: what stands before a colon, and the statements behind it. */
interface Line {
  readonly lead: string
  readonly parts: readonly string[]
}

const plain = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim()

/**
 * "Harbor rules: cancelled K, price cents." is two statements, each of which can be right while the other is wrong. Only an enumeration of short
 * statements is taken apart; any other line is one statement.
 */
function linesOf(text: string): Line[] {
  return text.split('\n').flatMap((line) => {
    const trimmed = line.replace(/^- /, '').trim()
    if (trimmed === '') return []
    const colon = trimmed.indexOf(': ')
    const lead = colon < 0 ? '' : trimmed.slice(0, colon)
    const parts = trimmed
      .slice(colon < 0 ? 0 : colon + 2)
      .replace(/\.$/, '')
      .split(/[,;] /)
      .map((part) => part.trim())
      .filter((part) => part !== '')
    const listed = colon >= 0 && parts.every((part) => part.split(' ').length <= MOST_WORDS)
    return [listed ? { lead, parts } : { lead: '', parts: [trimmed] }]
  })
}

const keyOf = (lead: string, part: string): string => plain(lead === '' ? part : `${lead}: ${part}`)
const textsOf = (guidance: Guidance): readonly string[] =>
  typeof guidance === 'string' ? [guidance] : guidance

/** The statements of a guidance, each once, by a key that is the same wherever the same is said. */
export const rulesOf = (guidance: Guidance): readonly string[] => [
  ...new Set(
    textsOf(guidance).flatMap((text) =>
      linesOf(text).flatMap(({ lead, parts }) => parts.map((part) => keyOf(lead, part))),
    ),
  ),
]

/** What a guidance says of single things, by the keys of its statements: in an enumeration the first word is the thing and the others are said of it. */
export const subjectsOf = (guidance: Guidance): ReadonlyMap<string, string> =>
  new Map(
    textsOf(guidance).flatMap((text) =>
      linesOf(text).flatMap(({ lead, parts }) =>
        parts.flatMap((part): [string, string][] => {
          const [first = '', ...rest] = part.split(/\s+/)
          return lead === '' || rest.length === 0 ? [] : [[keyOf(lead, part), keyOf(lead, first)]]
        }),
      ),
    ),
  )

/** The guidance without some of its statements; a line with none left goes. The same object where nothing is left out. */
export function withoutRules(guidance: Guidance, leaveOut: (rule: string) => boolean): Guidance {
  const shorten = (text: string): string =>
    linesOf(text)
      .flatMap(({ lead, parts }) => {
        const selection = parts.filter((part) => !leaveOut(keyOf(lead, part)))
        if (selection.length === 0) return []
        return lead === '' ? selection : `${lead}: ${selection.join(', ')}.`
      })
      .join('\n')
  if (!rulesOf(guidance).some(leaveOut)) return guidance
  if (typeof guidance === 'string') return shorten(guidance)
  return guidance.map(shorten).filter((text) => text !== '')
}

/** Those statements that a text takes over word for word. */
export function rulesIn(text: string, rules: readonly string[]): readonly string[] {
  const messageSet = new Set(rulesOf(text.replace(/(^|\n)\d+[.)]\s*(?:note\s+)?/gi, '$1')))
  return rules.filter((rule) => messageSet.has(rule))
}

const wordsOf = (text: string): string[] => plain(text).match(/[\p{L}\p{N}_-]+/gu) ?? []

/** What prose names as it stands in a world: in quotation marks or code marks, with a digit or an underscore in it, or two words in one. */
const NAME =
  /[`"\u201c']([\p{L}\p{N}_.-]{2,40})[`"\u201d']|(?<![\p{L}\p{N}_])(\p{L}[\p{L}\p{N}]*[\p{N}_][\p{L}\p{N}_]*|\p{Ll}{2,}\p{Lu}\p{L}+|\p{N}{3,}|\p{N}[\p{N}.,-]*\p{N})(?![\p{L}\p{N}_])/gu

/** Numbers as they are counted with: 1,200 as 1200. */
const inDigits = (text: string): string => text.replace(/(?<=\d),(?=\d{3}(?!\d))/g, '')

/** Whether prose names a thing that stands nowhere in what it was written of. */
function namesMadeUp(prose: string, log: string): boolean {
  const text = inDigits(log.toLowerCase())
  return [...prose.matchAll(NAME)].some(([, quotation, name]) => {
    const thing = inDigits((quotation ?? name ?? '').toLowerCase())
    return thing !== '' && !text.includes(thing)
  })
}

/**
 * The statements that a log does not bear out: those of enumerations that speak of something in it (their first word) and say what stands nowhere in
 * it, and sentences that name a thing which stands nowhere in it. Whoever wrote them down made them up.
 */
export function madeUpRules(guidance: Guidance, log: string): readonly string[] {
  const messageSet = new Set(wordsOf(log))
  const products = textsOf(guidance).flatMap((text) =>
    linesOf(text).flatMap(({ lead, parts }) => {
      if (lead === '') return parts.flatMap((part) => (namesMadeUp(part, log) ? [keyOf('', part)] : []))
      return parts.flatMap((part) => {
        const [first = '', ...rest] = wordsOf(part)
        const unheard =
          messageSet.has(first) && rest.length > 0 && !rest.every((word) => messageSet.has(word))
        return unheard ? [keyOf(lead, part)] : []
      })
    }),
  )
  return [...new Set(products)]
}

/** The statements of enumerations that none of these texts shows: no text holds all words of one. */
export function unshownRules(guidance: Guidance, texts: readonly string[]): readonly string[] {
  const shownSet = texts.map((text) => new Set(wordsOf(text)))
  const unshown = textsOf(guidance).flatMap((text) =>
    linesOf(text).flatMap(({ lead, parts }) =>
      lead === ''
        ? []
        : parts.flatMap((part) => {
            const words = wordsOf(part)
            return shownSet.some((text) => words.every((word) => text.has(word))) ? [] : [keyOf(lead, part)]
          }),
    ),
  )
  return [...new Set(unshown)]
}
