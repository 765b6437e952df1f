import { asSentence, capital, sentencesIn, withoutLead } from './statement'
import type { Tells } from './telling'

// What a person tells in passing: "I am allergic to nuts. What can I bake?" It is offered, and kept only when the person says so.

/** Characters of a message that is looked through; a longer one is a text that was pasted. */
const LONGEST_MESSAGE = 1500
/** Characters of one statement. */
const LONGEST_STATEMENT = 160
/** Statements of one message that are offered. */
const MOST_STATEMENTS = 3

const form = (source: string): RegExp => new RegExp(`^(?:${source})`, 'iu')
/** A word's end that knows letters of all languages. */
const END = '(?![\\p{L}\\p{N}])'

/** How sentences begin that say something lasting of whoever writes them, or how to answer from now on: too few words for what was learned. */
const STATED: readonly RegExp[] = [
  form(
    `i(?:['’]?m| am) (?:(?:an? )?(?:vegetarian|vegan|pescatarian|coeliac|celiac|diabetic|dyslexic|left-handed|colou?r-?blind|(?:lactose|gluten) intolerant|pregnant|married|single|retired)${END}|allergic to |from (?!the${END})\\p{L}|based in |(?:the )?(?:CEO|CTO|CFO|COO|founder|co-founder|head|director|owner|president) (?:of|at)${END}|an? (?!bit|little|lot|few|bunch|big fan|novice|newbie|beginner|complete|total|new${END})\\p{L}+|\\d{1,3}(?:${END}| years old))`,
  ),
  form(
    `i(?: always| never| usually)? (?:live (?:in|with|near)|work (?:as|at|for|nights)|speak \\p{L}+|(?:strongly )?prefer |hate |love (?!it|this|that|you|how|to)|(?:don['’]?t|do not) (?:eat|drink|like|drive|speak)|(?:can['’]?t|cannot|can not) (?:eat|drink|stand|have (?:dairy|gluten|nuts)))`,
  ),
  form(`(?:you (?:can|may) |please )?call me (?!an?${END}|the${END}|when|if|back|later|at )\\p{L}`),
  form(
    `(?:please )?(?:from now on|in (?:the )?future|going forward)${END}(?!,? (?:\\p{L}+, )?(?:please )?(?:you (?:will|are|must|should|can) (?:now )?(?:be|act|an?|the|play|respond as)|act|assume|pretend|play)${END})`,
  ),
  form(`please (?:always|never) \\p{L}`),
  form(
    `ich bin (?:allergisch|Vegetarier(?:in)?|Veganer(?:in)?|Diabetiker(?:in)?|verheiratet|ledig|schwanger|Linkshänder(?:in)?|\\d{1,3}(?:${END}| Jahre)|aus \\p{L}|(?:von Beruf )?(?:Lehrer|Arzt|Ärztin|Pfleger|Ingenieur|Student)(?:in)?|eine?(?! (?:bisschen|wenig)${END}) \\p{L}+)`,
  ),
  form(
    `ich (?:wohne|lebe|heiße|hasse|bevorzuge|arbeite (?:als|bei|für|in)|spreche \\p{L}+|vertrage kein|esse (?:kein|nie)|trinke (?:kein|nie)|mag (?:kein|nicht|lieber)|habe (?:eine? )?(?:Hund|Katze|Sohn|Tochter|Diabetes|Asthma|\\p{L}*allergie))`,
  ),
  form(
    `(?:bitte )?nenn mich (?!eine)\\p{L}|(?:bitte )?(?:ab jetzt|ab sofort|von nun an|in Zukunft|künftig)${END}`,
  ),
  form(
    `je suis (?:allergique|végétarien(?:ne)?|végane?|diabétique|mariée?|gauch[eè]re?|originaire|né|née|enceinte|une? (?!peu)\\p{L}+)`,
  ),
  form(
    `(?:j['’](?:habite|ai \\d{1,3} ans)|je (?:vis|m['’]appelle|préfère|déteste|travaille (?:comme|chez|pour|à)|parle \\p{L}+|ne (?:mange|bois|supporte|parle) ))`,
  ),
  form(`appelle-moi \\p{L}|(?:désormais|dorénavant|à partir de maintenant)${END}`),
  form(
    `(?:yo )?soy (?:alérgic[oa]|vegetarian[oa]|vegan[oa]|diabétic[oa]|zurd[oa]|de \\p{L}|una? (?!poco)\\p{L}+)`,
  ),
  form(
    `(?:yo )?(?:vivo (?:en|con)|me llamo|prefiero|odio|trabajo (?:como|en|para)|hablo \\p{L}+|no (?:como|bebo|soporto|hablo) |tengo (?:\\d{1,3} años|una? (?:perr[oa]|gat[oa]|hij[oa]|herman[oa]|alergia)))`,
  ),
  form(`llámame \\p{L}|(?:de ahora en adelante|a partir de ahora)${END}`),
]

/** "I like the last one.": of an answer. */
const OF_ANSWER = form(
  `i(?: really| also)? (?:prefer|hate|love|like|(?:don['’]?t|do not) (?:like|want|need)) (?:it|this|that|these|those|your|how|the (?:\\p{L}+ )?(?:ones?|first|second|third|last|other|former|latter))${END}`,
)
/** "Share 96 euros between 5 friends.": a sum that is asked for. */
const SUM = form(
  `(?:please |bitte )?(?:share|split|divide|distribute|teile?|verteile?|dividiere?|partagez?|répartis(?:sez)?|divise[rz]?|reparte|divide)${END} (?:the |die |das |les |los |las )?\\p{Sc}?\\d`,
)
const REQUEST =
  /, (?:and |so )?(?:can|could|would|will) you(?!\p{L})|, (?:and |so )?(?:please|i (?:want|need|would like)|help me|give me|tell me|bitte|kannst du|ich (?:will|möchte|brauche)|peux-tu|je (?:veux|voudrais)|puedes|quiero)(?!\p{L})/iu
/** What stands before the first comma of a question or a request, or a whole sentence: "I am a nurse, when should I sleep?" tells first. */
const beforeQuestion = (sentence: string): string =>
  sentence.endsWith('?') || REQUEST.test(sentence)
    ? (/^([^,?]+), /.exec(sentence)?.[1] ?? sentence)
    : sentence

/** What a message tells that lasts, a sentence each, at most three; what is code, and a question are none. */
export function statedIn(text: string, tells: Tells): string[] {
  if (text.length > LONGEST_MESSAGE || text.includes('```')) return []
  const sentences = sentencesIn(text).map(withoutLead)
  const statements = sentences.map(beforeQuestion).filter((statement) => {
    const isNone = statement.endsWith('?') || statement.length > LONGEST_STATEMENT
    return (
      !isNone &&
      !OF_ANSWER.test(statement) &&
      !SUM.test(statement) &&
      (STATED.some((one) => one.test(statement)) || tells(statement, sentences.length))
    )
  })
  return [...new Set(statements.map((one) => asSentence(capital(one))))].slice(0, MOST_STATEMENTS)
}
