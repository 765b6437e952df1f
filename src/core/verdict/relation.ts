import type { Relation } from '../../shared/domain/verdict'
import { isStopWord, stem, wordsOf } from '../retrieval/terms'
import { messageWords, personSigns } from './person-signs'

/** Letters, and words with a meaning, of a message up to which a complaint needs no words of the attempt to be about it. */
const SHORT_COMPLAINT = 60
const FEW_WORDS = 4
/** Letters up to which a message may be an answer or a yes. */
const SHORT = 400
/** Shares of the words of the shorter text that both have in common; from `SAME` on it is the same request in other words. */
const ABOUT = 0.2
const FURTHER = 0.25
export const SAME = 0.6
const NEXT = 0.8
/** Letters of a message in which a complaint stands: further down are instructions. */
const BEGINNING = 200
/** Letters of a message, and of a reply's end, that are read. */
const MESSAGE = 600
const REPLY = 3_000

/** The words of a text that carry meaning, as stems. */
export const contentOf = (text: string): Set<string> =>
  new Set(
    wordsOf(text)
      .filter((word) => word.length >= 3 && !isStopWord(word) && !/^\d+$/.test(word))
      .map(stem),
  )

/** How many of the words of the shorter text stand in the other, in [0, 1]; 0 where one has fewer than three. */
export function overlap(a: string, b: string): number {
  const one = contentOf(a)
  const other = contentOf(b)
  const least = Math.min(one.size, other.size)
  if (least < 3) return 0
  return [...one].filter((word) => other.has(word)).length / least
}

const numbersIn = (text: string): string => [...new Set(text.match(/\d+/g) ?? [])].sort().join(' ')

/** What programs print where something failed, in whatever language people write. */
const PRINTED_ERRORS = [
  /Traceback \(most recent/,
  /(?:Error|Exception)[:(]/,
  /\berror(?:\[\w{1,12}\]| (?:CS|TS)\d{1,6}|:)/i,
  /\bnpm ERR/,
  /\bUncaught\b|\bUnhandled\b/,
  /\bexit(?:ed with)? (?:code|status) [1-9]/,
  /\bat [\w.$<>]{1,80} ?\([^()\n]{1,200}:\d{1,6}/,
  /\bundefined (?:is not|reference)\b/,
  /\bcannot find (?:module|name|symbol)\b/i,
  /\[ERROR\]|\bFAILED\b/,
]

/** Whether a message holds what a program printed when something failed. */
export const printsError = (text: string): boolean => PRINTED_ERRORS.some((pattern) => pattern.test(text))

/** Whether a complaint is so short that it can be about nothing but the attempt before it. */
const isBareComplaint = (text: string, words: readonly string[]): boolean =>
  text.length <= SHORT_COMPLAINT && (personSigns.pointsBack(words) || contentOf(text).size <= FEW_WORDS)

/** What a message is read against. */
export interface Before {
  readonly request: string
  /** What the agent said last; empty where it said nothing. */
  readonly reply: string
}

/**
 * How a person's message stands to the attempt before it. Words of a complaint count only where the message is short or about the same thing; in a
 * language whose words are not known, printed errors, repetition, and what both have in common remain.
 */
export function relationOf({ request, reply }: Before, message: string): Relation {
  const text = message.trim()
  const words = messageWords(text.slice(0, MESSAGE))
  const common = overlap(request, text)
  const about = overlap(`${request} ${reply.slice(-REPLY)}`, text)
  const isShort = text.length < SHORT
  if (printsError(text)) return 'error-pasted'
  if (personSigns.complains(messageWords(text.slice(0, BEGINNING))))
    return about >= ABOUT || isBareComplaint(text, words) ? 'complaint' : 'other-problem'
  if (personSigns.repairs(words) || (personSigns.demandsOther(words) && about >= ABOUT)) return 'correction'
  if (personSigns.thanks(words)) return 'thanks'
  if (personSigns.goesOn(words)) return 'continue'
  if (request.trim() === text) return 'same-again'
  // "Block 1", then "block 2".
  if (common >= NEXT && numbersIn(request) !== numbersIn(text) && isShort) return 'moves-on'
  if (common >= SAME && contentOf(text).size >= 4) return 'other-words'
  if (personSigns.movesOn(words)) return 'moves-on'
  if (text.length < 200 && /\?\s*$/.test(reply.slice(-300))) return 'answers'
  if (personSigns.denies(words)) return 'correction'
  return common >= FURTHER || (isShort && personSigns.pointsBack(words)) ? 'follow-up' : 'something-else'
}
