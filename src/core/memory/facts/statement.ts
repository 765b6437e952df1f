import { termsOf, wordsOf } from '../../retrieval/terms'

/** Characters of an answer that is still one fact, and of the question it answers. */
const LONGEST_ANSWER = 240
const LONGEST_QUESTION = 300
/** Characters and sentences of what is to be remembered. */
const LONGEST_REMEMBERED = 1000
const MOST_SENTENCES = 5

/** A text with a capital in front. */
export const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
/** A text with a full stop behind it, where it has no end of its own. */
export const asSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`)
/** A text without line breaks and runs of blanks. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** A blank behind the end of a sentence, and not behind a title, an initial, "e.g." or a German ordinal as in "2. Mai". */
const BETWEEN_SENTENCES =
  /(?<=[.!?])(?<!(?<![\p{L}\p{N}])(?:[Dd]r|[Mm]rs?|[Mm]s|[Pp]rof|[Ss]t|[Nn]o|[Nn]r|[Hh]r|[Ff]r|[Ss]ra?|[Mm]me|[Jj]r|vs|etc|approx|ca|bzw|usw|p\.ej|z\.\s?B|e\.g|i\.e|\p{L})\.)(?!(?<=\d\.) (?:\p{Ll}|Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember))\s+/u

/** The sentences of a text that a person wrote by hand: its lines, and their parts. */
export const sentencesIn = (text: string): string[] =>
  text
    .split(/\n+/)
    .flatMap((line) => line.split(BETWEEN_SENTENCES))
    .map(oneLine)
    .filter((sentence) => sentence !== '')

/** A verb as one of he, she and it takes it. */
const singular = (verb: string): string =>
  verb === 'have'
    ? 'has'
    : /(?:s|sh|ch|x|o)$/.test(verb)
      ? `${verb}es`
      : /[^aeiou]y$/.test(verb)
        ? `${verb.slice(0, -1)}ies`
        : `${verb}s`

const PREPOSITIONS: ReadonlySet<string> = new Set(['from', 'in', 'to', 'on', 'at', 'for', 'with', 'of'])

/** "Ana like" and "Ana live in" behind "does": "Ana likes", "Ana lives in"; as it is behind "do". */
function inflected(clause: string, auxiliary: string): string {
  if (auxiliary.toLowerCase() === 'do') return clause
  const words = clause.split(' ')
  const preposition = words.findIndex((word, i) => i > 0 && PREPOSITIONS.has(word))
  const at = (preposition < 0 ? words.length : preposition) - 1
  const verb = words[at] ?? ''
  return words.with(at, auxiliary.toLowerCase() === 'did' ? `did ${verb}` : singular(verb)).join(' ')
}

/** Questions whose words become a statement; all others stand beside their answer. */
const TURNS: readonly (readonly [RegExp, (parts: readonly string[], answer: string) => string])[] = [
  [
    /^(?:what|who|how) (is|are|was|were) (.+) (called|named)$/i,
    ([is, what, called], answer) => `${what} ${is} ${called} ${answer}`,
  ],
  [
    /^(?:when|where) (is|are|was|were) (.{1,120}) ([a-z]{2,30}ing)$/i,
    ([is, what, verb], answer) => `${what} ${is} ${verb} ${answer}`,
  ],
  [
    /^(?:what|who|where|when|which|how (?:much|old|tall|long|big|far)) (is|are|was|were) (.+)$/i,
    ([is, what], answer) => `${what} ${is} ${answer}`,
  ],
  [
    /^(?:what|which) (day|date|time|colou?r|size|floor|room|year|month|brand|model|type|number|code|address|port|version|price) (is|are|was|were) (.+)$/i,
    ([noun, is, what], answer) => `The ${noun} of ${what} ${is} ${answer}`,
  ],
  [
    /^how (?:long|much|often|far) (do|does|did) (.{1,120}) (take|cost|last|weigh|run|need)$/i,
    ([does = '', who, verb = ''], answer) => `${who} ${inflected(verb, does)} ${answer}`,
  ],
  [
    /^how many (.{1,80}?) (do|does) (.{1,80}) (have|own|need|want)$/i,
    ([what, does = '', who, verb = ''], answer) => `${who} ${inflected(verb, does)} ${answer} ${what}`,
  ],
  [
    /^(?:which|what) (\S.{0,80}?) (do|does|did) (.{1,200})$/i,
    ([what, does = '', clause = ''], answer) => `The ${what} ${inflected(clause, does)} is ${answer}`,
  ],
  [
    /^where (do|does) (.+ \S+)$/i,
    ([does = '', clause = ''], answer) => `${inflected(clause, does)} ${answer}`,
  ],
  [
    /^when (do|does) (.+) (start|begin|end|open|close|arrive|leave|meet)$/i,
    ([does = '', who, verb = ''], answer) => `${who} ${inflected(verb, does)} ${answer}`,
  ],
  [/^who (?!is\b|was\b|has\b|does\b)([a-z]+s) (.+)$/i, ([verb, what], answer) => `${answer} ${verb} ${what}`],
  [
    /^(?:wer|was|wo|wann|wie|welches|welche[rns]?) (ist|sind|war|waren|heißt|heissen|heißen|lautet|kostet|beginnt|endet|wohnt|liegt) (.+)$/i,
    ([is, what], answer) => `${what} ${is} ${answer}`,
  ],
  [
    /^(?:wann|wo) (kommt|kommen|öffnet|öffnen|schließt|schließen|fährt|fahren|startet|arbeitet|parkt|steht|stehen|hängt) (.+)$/i,
    ([verb, what], answer) => `${what} ${verb} ${answer}`,
  ],
  [
    /^(?:quand|où) (passe|vient|part|arrive|ouvre|ferme|commence|finit|habite|travaille) (.+)$/i,
    ([verb, what], answer) => `${what} ${verb} ${answer}`,
  ],
  [
    /^¿? ?(?:cuándo|dónde) (llega|viene|pasa|abre|cierra|empieza|termina|sale|vive|trabaja) (.+)$/i,
    ([verb, what], answer) => `${what} ${verb} ${answer}`,
  ],
  [
    /^(?:quel(?:le)?s?|qui|où|quand) (est|sont|était|étaient) (.+)$/i,
    ([is, what], answer) => `${what} ${is} ${answer}`,
  ],
  [/^comment s['’]appelle (.+)$/i, ([what], answer) => `${what} s'appelle ${answer}`],
  [
    /^¿? ?(?:cuál|quién|dónde|cuándo|cómo) (es|son|está|están|era|eran|se llama) (.+)$/i,
    ([is, what], answer) => `${what} ${is} ${answer}`,
  ],
]

/** Whether an answer is a sentence about what was asked and needs no question beside it. */
function isSentence(answer: string, question: string): boolean {
  const questionTerms = new Set(contentOf(question))
  return (
    wordsOf(answer).length >= 5 && contentOf(answer).filter((term) => questionTerms.has(term)).length >= 2
  )
}

const contentOf = (text: string): string[] =>
  termsOf(text).flatMap(({ term, kind }) => (kind === 'word' ? [term] : []))

/** A question and its answer as one sentence: "The name of my dentist is Dr. Okonjo."; question and answer side by side where no rule turns them. */
export function statementFrom(question: string, answer: string): string {
  const query = oneLine(question)
  const reply = oneLine(answer)
  if (isSentence(reply, query)) return asSentence(capital(reply))
  const plain = query.replace(/[?.!\s]{1,10}$/, '')
  for (const [form, turned] of TURNS) {
    const match = form.exec(plain)
    if (match) return asSentence(capital(turned(match.slice(1), reply)))
  }
  return `${query} ${asSentence(reply)}`
}

const IS_QUESTION =
  /\?\s*$|^\s*(?:what|which|who|whom|whose|where|when|why|how|is|are|was|were|do|does|did|can|has|have|wer|was|wo|wann|wie|welche\w*|wem|wen|wessen)\b/i

/** Whether a message with the answer a person gave is one fact: a question with a short answer, and not a task, a letter, a program or an essay. */
export const isFact = (question: string, answer: string): boolean =>
  IS_QUESTION.test(question) &&
  answer.trim().length <= LONGEST_ANSWER &&
  question.trim().length <= LONGEST_QUESTION &&
  !/\n\s*\n|```/.test(`${question.trim()}\n${answer.trim()}`)

/** What asks for something to be remembered; without "that", a sentence is told from a thing ("remember the milk") by its verb. */
const ASKS_TO_REMEMBER: readonly {
  readonly form: RegExp
  readonly needsVerb?: true
}[] = [
  {
    form: /^(?:please,? |can you |could you )*(?:remember|keep in mind|note|don['’]t forget|do not forget|make a note|take a note)(?: (?:this|the following|for me|for later))?(?:\s*:\s*|,? that |\s*,\s*)(.+)$/is,
  },
  {
    form: /^(?:please,? |can you |could you )*remember ((?:i|we|my|our|the|his|her|their|\p{Lu}\p{L}+)\b.+)$/isu,
    needsVerb: true,
  },
  {
    form: /^(?:bitte,? )?(?:merken|merke? dir|notiere?|vergiss|denk)(?: bitte| mal)?(?: nicht| daran)?(?:\s*:\s*|,? (?=dass )|,\s*)(.+)$/is,
  },
  { form: /^(?:know|be aware|never forget|always remember|store|save|memori[sz]e) that (.+)$/is },
  {
    form: /^(?:save|store|keep(?: track of)?|log|record|memori[sz]e|speichere?(?: dir)?|enregistre|guarda) (?:this|that|it|the following|das|ça|esto)(?: (?:for|in) (?:me|us|later|memory|future reference))?\s*:\s*(.+)$/isu,
    needsVerb: true,
  },
  {
    form: /^(?:(?:write|jot) (?:this|that|it) down|add(?: this)? to (?:my |your )?memory)(?: for (?:me|us|later))?\s*:\s*(.+)$/isu,
    needsVerb: true,
  },
  { form: /^(?:memo|notiz|nota|mémo)\s*:\s*(.+)$/isu, needsVerb: true },
  {
    form: /^(?:for (?:future reference|the record|your information|later)|zur info|für später|pour info|pour mémoire|para que lo sepas)\s*[,:]\s*(.+)$/isu,
    needsVerb: true,
  },
  {
    form: /^(?:s['’]il (?:te|vous) plaît,? )?(?:souviens-toi|souvenez-vous|rappelle-toi|retiens|retenez|note|notez|n['’]oublie pas|n['’]oubliez pas)(?:\s*:\s*| (?:que |qu['’]))(.+)$/isu,
  },
  { form: /^(?:souvenir|rappeler|retenir|noter) (?:que |qu['’])(.+)$/iu },
  {
    form: /^(?:por favor,? )?(?:recuerda|recordar|acuérdate|no olvides|ten en cuenta|apuntar?|anotar?)(?:\s*:\s*| (?:de )?que )(.+)$/isu,
  },
  // The request behind what it is about.
  {
    form: /^(.+[.!,;–-])\s*(?:(?:and|so|und|et|y) )?(?:please,? |bitte |por favor,? )?(?:(?:remember|note) (?:that|this|it)|keep (?:that|this|it) in mind|merke? dir (?:das|es)|retiens(?:-le| ça| cela| bien)|souviens-t['’]en|note-le|recuérdal[oa]|apúntal[oa]|recuerda (?:esto|eso))(?: (?:down|for me|for later|please|bitte|por favor))?\s*[.!]?$/isu,
    needsVerb: true,
  },
]
const VERB =
  /(?<![\p{L}\p{N}])(?:am|is|are|was|were|has|have|had|likes?|loves?|hates?|prefers?|needs?|wants?|lives?|works?|uses?|costs?|starts?|ends?|moved|changed|became|must|will|can|cannot|ist|sind|bin|hat|habe|haben|heißt|heiße|wohne|wohnt|mag|kostet|beginnt|est|sont|suis|ai|habite|préfère|coûte|commence|es|son|soy|está|tiene|tengo|vivo|prefiero|cuesta|empieza)(?![\p{L}\p{N}])|['’](?:m|s)(?![\p{L}\p{N}])/iu

/** How a sentence about its writer begins, whatever its verb. */
const OF_WRITER = /^(?:i|we|my|our|ich|wir|mein\w*|unser\w*|je|nous|yo|nosotros)\b/i

/** What leads into a sentence and says nothing of its own. */
const LEAD =
  /^(?:by the way|btw|fyi|hi|hello|hey|just so you know|(?:just|quick)(?= (?:note|remember|keep|save|store))|listen|okay|heads up|for context|oh|also|and|so|well|because|actually|übrigens|hallo|eigentlich|au fait|bonjour|en fait|por cierto|hola|en realidad)[,:!]?\s+/iu
/** How somebody announces what comes. */
const ANNOUNCEMENT =
  /^(?:correction|update|(?:no|sorry|non)(?=,)|nope|nein|wrong|falsch|(?:let me tell you|here is|here['’]s|one more|one) (?:some)?thing|korrektur|nachtrag|correctif|corrección)\s*[:,.]\s*/iu
/** How a request begins that is put as a question: what is asked is whether it will be done. */
const ASKED_FOR =
  /^(?:please,? )?(?:can you|could you|will you|would you|kannst du|könntest du|würdest du|peux-tu|pourrais-tu|pouvez-vous|pourriez-vous|¿?puedes|¿?podrías) (?:please |bitte |te |dir )?/iu
/** How somebody leads into a request. */
const REQUEST =
  /^(?:i (?:want|need|would like) you to|let['’]s|let us|i['’]d like you to|you (?:should|must|have to|need to)|can you|could you|please|do(?= remember| note)|du solltest dir|kannst du dir|ich möchte, dass du dir)\s+/iu

const MOST_LEADS = 4

function without(leads: readonly RegExp[], sentence: string): string {
  let rest = sentence
  for (let i = 0; i < MOST_LEADS; i++) {
    const shorter = leads.reduce((text, lead) => text.replace(lead, ''), rest)
    if (shorter === rest) break
    rest = shorter
  }
  return rest
}

/** A sentence without what leads into it. */
export const withoutLead = (sentence: string): string => without([LEAD, ANNOUNCEMENT], sentence)

/** What a message asks to be remembered, a sentence each; null for a message that asks for anything else, or for more than that. */
export function rememberedIn(text: string): string[] | null {
  const line = without([LEAD], oneLine(text))
  const isAsked = line.endsWith('?') && ASKED_FOR.test(line)
  const message = without(
    [LEAD, ANNOUNCEMENT, REQUEST],
    isAsked ? line.replace(ASKED_FOR, '').slice(0, -1).trimEnd() : line,
  )
  if (message.length > LONGEST_REMEMBERED || message.includes('?')) return null
  const [content] = ASKS_TO_REMEMBER.flatMap(({ form, needsVerb }) => {
    const match = form.exec(message)?.[1]
    const tells = (sentence: string): boolean => VERB.test(sentence) || OF_WRITER.test(sentence)
    // "Can you remember that song?" asks.
    const isTold = (needsVerb !== true && !isAsked) || (match && sentencesIn(match).every(tells))
    return match === undefined || !isTold ? [] : [match]
  })
  if (content === undefined || /^(?:when|how|what|why|who|where)\b/i.test(content)) return null
  const [first = '', ...others] = sentencesIn(without([ANNOUNCEMENT], content.replace(/[,;–-]$/, '')))
  const plain = /^dass /i.test(first) ? mainClause(first.slice('dass '.length)) : first
  const sentences = [plain, ...others].map((one) => asSentence(capital(one)))
  return sentences.length > MOST_SENTENCES ? null : sentences
}

/** What a statement is about: `me`, or the first name or noun phrase in it. */
export function subjectOf(statement: string): string {
  if (/^(?:i|my|mine|me|ich|mein\w*)\b/i.test(statement)) return 'me'
  if (/^(?:we|our|us|wir|unser\w*)\b/i.test(statement)) return 'us'
  const [, subject = ''] =
    /^(.{2,60}?) (?:is|are|was|were|has|have|likes?|needs?|lies|stands|lives|works|ist|sind|hat|haben|liegt|steht|wohnt|arbeitet)\b/i.exec(
      statement,
    ) ?? []
  return subject
}

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
function mainClause(clause: string): string {
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
