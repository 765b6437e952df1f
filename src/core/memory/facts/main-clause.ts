/** First parts of German verbs that stay behind when the verb goes to the second place, as in "ich fange am Montag an". */
const SEPARABLE =
  /^(?:ab|an|auf|aus|bei|durch|ein|fest|fern|her|hin|los|mit|nach|teil|über|um|unter|vor|weg|weiter|wieder|zu|zusammen)/i
const FINITE = /^(?:bin|ist|sind|war|waren|hat|mag|kann|muss|soll|darf|will|\p{Ll}{2,}(?:t|e|en))$/u
const isFinite = (verb: string): boolean => FINITE.test(verb) && !SEPARABLE.test(verb)
const PRONOUN = /^(?:ich|du|er|sie|es|wir|ihr|man)$/i
const DETERMINER =
  /^(?:d(?:er|ie|as)|dies\p{L}{1,2}|jed\p{L}{1,2}|k?ein\p{L}{0,2}|[mds]ein\p{L}{0,2}|uns(?:e?re?\p{L}?|er)|ihre?\p{L}?|eure?\p{L}?)$/iu
const GENITIVE = /^(?:des|der|von|vom|[mds]einer|[mds]eines|unserer|unseres|ihrer|ihres|eines|einer)$/i
const isCapital = (word: string | undefined): boolean => word !== undefined && /^\p{Lu}/u.test(word)

/** The words of a noun phrase from `start` on: a determiner with all up to its noun, else one word. */
function nounEnd(words: readonly string[], start: number): number {
  if (!DETERMINER.test(words[start] ?? '') && !GENITIVE.test(words[start] ?? '')) return start + 1
  const noun = words.findIndex((word, i) => i > start && isCapital(word))
  return noun < 0 ? start + 1 : noun + 1
}

/**
 * A German clause as it stands behind "dass" as a sentence: "mein Hausarzt Dr. Wendt heißt" is "mein Hausarzt heißt Dr. Wendt".
 * As it is where a part of the verb may have to stay behind, where it has clauses of its own, and where nothing stands between.
 */
export function mainClause(clause: string): string {
  const words = clause.replace(/[.!]$/, '').split(' ')
  const verb = words.at(-1) ?? ''
  const first = words[0] ?? ''
  if (!isFinite(verb) || /[,;:–]/.test(clause)) return clause
  let end = PRONOUN.test(first) && !isCapital(words[1]) ? 1 : nounEnd(words, 0)
  while (GENITIVE.test(words[end] ?? '')) end = nounEnd(words, end)
  // A name behind "mein Bruder" is of the subject, unless it is what the clause says.
  const isNamed = DETERMINER.test(first) && !/^heiß/i.test(verb)
  while (isNamed && isCapital(words[end]) && end + 1 < words.length - 1) end++
  if (end >= words.length - 1) return clause
  return [...words.slice(0, end), verb, ...words.slice(end, -1)].join(' ')
}
