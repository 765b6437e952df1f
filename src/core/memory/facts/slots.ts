import { isStopWord, stem, wordsOf } from '../../retrieval/terms'

/** What somebody said, and the question that it answers. */
interface Said {
  readonly question: string | null
  readonly statement: string
}

/** Nouns of which somebody has one at a time. */
const SINGLE =
  /^(?:name|password|port|address|birthday|number|code|pin|colou?r|size|price|cost|rent|email|phone|mail|date|time|deadline|version|branch|age|weight|height|favou?rite|job|boss|doctor|dentist|landlord|budget|salary|passwort|adresse|geburtstag|nummer|farbe|preis|name|telefonnummer)$/i

const wordsKey = (text: string): string =>
  [...new Set(wordsOf(text).filter((word) => !isStopWord(word)))].sort().join(' ')

const ASKS_WHEN = /^(?:when|what time|(?:on |at )?(?:which|what) (?:day|date|time)|wann|um wie viel uhr)\b/i
const CLOCK = /\b\d{1,2}(?:[:.]\d\d)? ?(?:am|pm|o['’]clock|uhr)\b|\b\d{1,2}:\d\d|\bat \d{1,2}\b/gi
const DAY =
  /\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|(?:the )?\d{1,2}(?:st|nd|rd|th)\b|(?:\d{1,2} )?(?:january|february|march|april|june|july|august|september|october|november|december)(?: \d{1,2}\b)?)\b/gi
/** By which words a statement says when something is; on which days of a week something is done, it may be done on others too. */
const IS_AT =
  /\b(?:is|are|starts?|begins?|ends?|opens?|closes?|leaves?|moved|changed|postponed|rescheduled|shifted|now|instead|ist|sind|beginnt|endet|öffnet|schließt|jetzt)\b/i
const EACH_WEEK = /\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|\b\p{L}{2,8}tags\b|\bmittwochs\b/iu
/** Words that say that something is at a time, and not what. */
const OF_TIME =
  /^(?:days?|dates?|times?|now|starts?|started|begins?|takes?|place|moved?|changed?|postponed|rescheduled|shifted|instead|uhr|findet|statt|beginnt|jetzt)$/

/** What else says on which day, and at what time. */
const EACH_DAY = /\b(?:every|each|jeden|chaque|cada)\b|[\d:.]{1,8}/giu
const wordsOfWhat = (text: string): string => {
  const words = wordsOf(text).filter((word) => !isStopWord(word) && !OF_TIME.test(word))
  return [...new Set(words.map(stem))].sort().join(' ')
}

/** What takes place at the time that a question asks for, or a statement says; null where neither. */
function whatTakesPlace(text: string): string | null {
  const asks = ASKS_WHEN.test(text)
  const hours = text.replace(CLOCK, ' ')
  const rest = asks ? text.replace(ASKS_WHEN, ' ') : hours === text ? text.replace(DAY, ' ') : hours
  if (rest === text || (!asks && (!IS_AT.test(text) || (hours === text && EACH_WEEK.test(text))))) return null
  return wordsOfWhat(rest) || null
}

/** Where something is, by a place with a number: it is in one of them at a time. */
const IS_IN_ONE =
  /^(.{2,60}?) ((?:is|lies|stands|sits|lives|works|ist|liegt|steht|sitzt|wohnt|arbeitet) (?:at|in|on|an|auf|im|am)) ([^\d]{1,40}) ?\d{1,9}[.!]?$/i

/**
 * What a fact says something of, such that a later fact with the same says otherwise: its question's words, for sentences such as "The wifi
 * password of the cabin is ..." the words before the verb, where they name what there is one of, what takes place at some time, and which of
 * several numbered places something is in.
 */
export function slotsOf({ question, statement }: Said): string[] {
  const slots: string[] = []
  if (question !== null) slots.push(`asked ${wordsKey(question)}`)
  const [, subject = ''] = /^(.{3,80}?) (?:is|are|ist|sind|lautet)\b/i.exec(statement) ?? []
  const words = wordsOf(subject)
  if (words.length >= 2 && words.some((word) => SINGLE.test(word)))
    slots.push(`of ${wordsKey(subject)}${/\b(?:my|mein\w*)\b/i.test(subject) ? ' mine' : ''}`)
  const [, thing = '', verb = '', place = ''] = IS_IN_ONE.exec(statement) ?? []
  if (wordsKey(thing) !== '') slots.push(`in ${wordsKey(thing)} ${verb} ${wordsKey(place)}`.toLowerCase())
  const when = [question ?? '', statement].flatMap((text) => whatTakesPlace(text) ?? [])
  slots.push(...new Set(when.map((what) => `when ${what}`)))
  return slots
}

/** That something was otherwise before. */
const NOW =
  /(?<!\p{L})(?:now|no longer|any ?more|jetzt|inzwischen|neuerdings|nicht mehr|kein\p{L}* mehr|maintenant|désormais|ahora|ya no)(?!\p{L})|^I(?:['’]ve| have)?(?: just)? moved to /iu
/** Where somebody or something is. */
const IS_SOMEWHERE =
  /^(.{1,60}?) (?:(?:have |['’]ve )?(?:just )?moved to|(?:now )?(is|are|lies|hangs|stands|sits|ist|sind|liegt|hängt|steht|sitzt|est|sont|se trouve|está|están|lives?|wohne|wohnt|lebe|lebt|habite|vis|vit|vivo|vive|works?|arbeite|arbeitet|travaille|trabajo|trabaja) (?:(?:now|no longer|jetzt|inzwischen|nicht mehr|maintenant|désormais|ahora|pas) )?(?:in|on|under|at|behind|above|below|beside|next to|near|inside|with|by|for|auf|für|unter|im|am|an|hinter|neben|über|bei|dans|pour|sur|sous|chez|derrière|à|au|en|para|bajo|detrás de|debajo de|sobre))(?= )/iu
/** Whose name is told. */
const IS_CALLED =
  /^(.{2,60}?) (?:(?:is|are)(?: now)? (?:called|named)|heißt|heißen|s['’]appelle|se llama)(?!\p{L})/iu
const verbOf = (verb: string): string =>
  /^(?:work|arbeit|trava|traba)/i.test(verb)
    ? 'works'
    : /^(?:live|wohn|leb|habit|vi)|^$/i.test(verb)
      ? 'lives'
      : 'is'

/** What a statement says a place, a time or a name of, which may have several: only a word such as "now" tells that the earlier one is over. */
function looseSlotsOf(statement: string): string[] {
  const [, thing = '', verb = ''] = IS_SOMEWHERE.exec(statement) ?? []
  const who = wordsKey(thing) || (/^(?:i|ich|j|je|yo)$/i.test(thing) ? 'me' : '')
  const hasTime = IS_AT.test(statement) && statement.search(CLOCK) + statement.search(DAY) > -2
  const what = hasTime
    ? wordsOfWhat([CLOCK, DAY, EACH_DAY].reduce((text, one) => text.replace(one, ' '), statement))
    : ''
  const [, owner = ''] = IS_CALLED.exec(statement) ?? []
  return [
    ...(wordsKey(owner) === '' ? [] : [`called ${wordsKey(owner)}`]),
    ...(who === '' ? [] : [`${verbOf(verb)} somewhere ${who}`]),
    ...(what === '' ? [] : [`each ${what}`]),
  ]
}

/** Whether what was said before is no more so by a later saying. */
export function overtakes(later: Said): (earlier: Said) => boolean {
  const slots = new Set(slotsOf(later))
  const loose = new Set(NOW.test(later.statement) ? looseSlotsOf(later.statement) : [])
  return (earlier) =>
    slotsOf(earlier).some((slot) => slots.has(slot)) ||
    (loose.size > 0 && looseSlotsOf(earlier.statement).some((slot) => loose.has(slot)))
}
