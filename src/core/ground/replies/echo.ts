import type { ReplyRules } from './read-reply'
import { callsInText } from './read-reply'
import { actionLines } from './action-lines'
import { LONGEST } from './places'

/** Words in a row that two texts have to share, for one to repeat the other there. */
const RUN = 5
/** Share of a text's runs that stand in what it was told already, from which on it is an echo. */
const MOST_REPEATED = 0.6
/** Words that a text has at least to be an echo by its runs; shorter ones are echoes only as whole examples. */
const LEAST_WORDS = 8
/** Characters of an example that is told from a word everybody may use; of code, from what is worth running. */
const LEAST_EXAMPLE = 6
const LEAST_CODE = 24
/** What stands in an example for what is to be filled in. */
const PLACEHOLDER = /\.{3}|…/

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase()
const wordsIn = (text: string): string[] => plain(text).match(/[\p{L}\p{N}]+/gu) ?? []
const runsOf = (words: readonly string[]): string[] =>
  words.slice(RUN - 1).map((_, i) => words.slice(i, i + RUN).join(' '))

/** The texts of the example actions that a prompt shows: what its own reader finds in it. */
function examplesIn(prompt: string, rules: ReplyRules): ReadonlySet<string> {
  const lines = actionLines(prompt, rules).flatMap((line) => ('problem' in line ? [] : [line]))
  const texts = [...lines, ...callsInText(prompt, rules.tools)].flatMap(({ name, args }) =>
    Object.values(args).flatMap((value) => {
      if (typeof value !== 'string') return []
      const least = name === rules.code && !PLACEHOLDER.test(value) ? LEAST_CODE : LEAST_EXAMPLE
      // A single word, such as a path, may well be meant.
      return value.length >= least && /\s/.test(value) ? [plain(value)] : []
    }),
  )
  return new Set(texts)
}

/** Whether a text of some length mostly says again, word for word, what stands in `sources`. */
export function repeatsSource(text: string, sources: readonly string[]): boolean {
  const words = wordsIn(text)
  if (words.length < LEAST_WORDS) return false
  const source = new Set(sources.flatMap((one) => runsOf(wordsIn(one))))
  const runs = runsOf(words)
  return runs.filter((run) => source.has(run)).length >= runs.length * MOST_REPEATED
}

/** Words that an answer has at least to be the program's own notes and nothing else. */
const LEAST_NOTE = 4

/** Whether a text is put together of `notes` alone: each of its clauses stands in one of them. */
function isOfNotes(text: string, notes: readonly string[]): boolean {
  const sources = notes.map((note) => ` ${wordsIn(note).join(' ')} `)
  return text
    .split(/[.:;,()\n]/)
    .map((clause) => wordsIn(clause))
    .every((words) => words.length === 0 || sources.some((source) => source.includes(` ${words.join(' ')} `)))
}

/**
 * Whether a text says nothing but what the program told its model between its steps (`notes`). `heads` stand before data: behind the last of them there has
 * to be some.
 */
export function repeatsNotes(text: string, heads: readonly string[], notes: readonly string[]): boolean {
  const head = heads.find((one) => text.includes(one))
  if (head !== undefined) return isOfNotes(text.slice(text.lastIndexOf(head) + head.length), notes)
  return wordsIn(text).length >= LEAST_NOTE && isOfNotes(text, notes)
}

/**
 * Tells replies that only say again what the prompt said: an example or a placeholder of the system prompt taken for an action, or its sentences,
 * or those of a correction, for an answer. `reminder` is what was told since. Code repeats only whole examples: like what it is shown it has to be.
 */
export function echoGate(systemPrompt: string, rules: ReplyRules) {
  const examples = examplesIn(systemPrompt, rules)
  return (text: string, { reminder = '', code = false } = {}): boolean => {
    if (text.length > LONGEST) return false
    if (examples.has(plain(text))) return true
    return !code && repeatsSource(text, [systemPrompt, reminder])
  }
}
