import { languageOf } from '../../ground/language'
import { asSentence, capital, sentencesIn, withoutLead } from './statement'

// What a person tells of themselves in passing: "I am allergic to nuts. What can I bake?" It is offered, and kept only when the person says so.

/** Characters of a message that is looked through; a longer one is a text that was pasted. */
const LONGEST_MESSAGE = 1500
/** Characters of one statement. */
const LONGEST_STATEMENT = 160
/** Statements of one message that are offered. */
const MOST_STATEMENTS = 3

/** Whom and what people have that lasts; "my formula" and "my problem" do not. */
const LASTING = {
  en: 'name|nickname|password|wifi password|address|birthday|phone number|e-?mail|wife|husband|partner|girlfriend|boyfriend|sons?|daughters?|kids?|children|brothers?|sisters?|mother|father|mum|mom|dad|parents|nan|gran|grandma|grandpa|uncle|aunt|flatmate|roommate|boss|manager|dentist|doctor|landlord|neighbou?r|dog|cat|car|bike|company|employer|office|team|shoe size|blood type|time ?zone|mother tongue|native language|favou?rite \\p{L}+|hometown|job|diet|budget',
  de: 'Name|Spitzname|Passwort|WLAN-Passwort|Adresse|Geburtstag|Telefonnummer|Frau|Mann|Partner(?:in)?|Freund(?:in)?|Sohn|Tochter|Kind(?:er)?|Bruder|Schwester|Mutter|Vater|Eltern|Chef(?:in)?|Zahn(?:arzt|ärztin)|Arzt|Ärztin|Vermieter(?:in)?|Nachbar(?:in)?|Hund|Katze|Auto|Fahrrad|Firma|Büro|Team|Schuhgröße|Blutgruppe|Zeitzone|Muttersprache|Lieblings\\p{L}+|Heimatstadt|Beruf|Budget',
  fr: 'nom|prénom|surnom|mot de passe|adresse|anniversaire|numéro de téléphone|femme|mari|compagne|compagnon|copine|copain|fils|fille|enfants?|frère|sœur|soeur|mère|père|parents|chef|patronne?|dentiste|médecin|propriétaire|voisine?|chien|chat|voiture|vélo|entreprise|bureau|équipe|pointure|groupe sanguin|fuseau horaire|langue maternelle|\\p{L}+ préférée?|ville natale|métier|budget',
  es: 'nombre|apodo|contraseña|dirección|cumpleaños|número de teléfono|mujer|esposa|marido|esposo|pareja|novia|novio|hij[oa]s?|hermano|hermana|madre|padre|padres|jef[ea]|dentista|médic[oa]|caser[oa]|vecin[oa]|perro|perra|gato|gata|coche|carro|bici(?:cleta)?|empresa|oficina|equipo|talla(?: de zapato)?|grupo sanguíneo|zona horaria|lengua materna|\\p{L}+ favorit[oa]|ciudad natal|trabajo|presupuesto',
} as const

const form = (source: string): RegExp => new RegExp(`^(?:${source})`, 'iu')
/** A word's end that knows letters of all languages. */
const END = '(?![\\p{L}\\p{N}])'

/** What those are or do, where it lasts. */
const DOES = {
  en: "is|are|has|have|isn['’]?t|aren['’]?t|can['’]?t|cannot|doesn['’]?t|don['’]?t|won['’]?t|(?!needs|wants|keeps|says|makes|gets|asks|looks|feels|does)\\p{L}+s",
  de: 'ist|sind|hat|haben|heißt|heißen|lautet|mag|mögen|wohnt|lebt|arbeitet|spricht|isst|trinkt|spielt|hasst|liebt|nutzt|kann|darf',
  fr: "est|sont|a|ont|s['’]appelle|aime|déteste|préfère|habite|vit|travaille|parle|mange|boit|joue|utilise|ne",
  es: 'es|son|está|tiene|tienen|se llama|le gusta|odia|prefiere|vive|trabaja|habla|come|bebe|juega|usa|no',
} as const
/** A name behind the noun, as in "our cat Miso". */
const NAME = '(?: \\p{L}{2,15})?'

/** How sentences begin that say something lasting of whoever writes them, language by language. */
const STATED: readonly RegExp[] = [
  form(
    `i(?:['’]?m| am) (?:(?:an? )?(?:vegetarian|vegan|pescatarian|coeliac|celiac|diabetic|dyslexic|left-handed|colou?r-?blind|(?:lactose|gluten) intolerant|pregnant|married|single|retired)${END}|allergic to |from (?!the${END})\\p{L}|based in |an? (?!bit|little|lot|few|bunch|big fan|novice|newbie|beginner|complete|total|new${END})\\p{L}+|\\d{1,3}(?:${END}| years old))`,
  ),
  form(
    `i(?: always| never| usually)? (?:live (?:in|with|near)|work (?:as|at|for|nights)|speak \\p{L}+|(?:strongly )?prefer |hate |love (?!it|this|that|you|how|to)|(?:don['’]?t|do not) (?:eat|drink|like|drive|speak)|(?:can['’]?t|cannot|can not) (?:eat|drink|stand|have (?:dairy|gluten|nuts)))`,
  ),
  form(`(?:i|we) (?:always|never|usually|normally) \\p{L}+|we call (?:the|our|my|it) `),
  form(
    `(?:i|we)(?:['’]?ve got| have(?: got)?) (?:(?:an?|two|three|four|\\d) (?:dogs?|cats?|sons?|daughters?|kids?|children|brothers?|sisters?)|(?:a |an )?(?:\\p{L}+ )?(?:allergy|diabetes|asthma|dyslexia|co?eliac))${END}`,
  ),
  form(`(?:my|our) (?:${LASTING.en})${NAME}(?:['’]?s (?:name|birthday|address|age))? (?:${DOES.en})${END}`),
  form(`(?:you (?:can|may) |please )?call me (?!an?${END}|the${END}|when|if|back|later|at )\\p{L}`),
  form(`(?:please )?(?:from now on|in (?:the )?future|going forward)${END}`),
  form(`please (?:always|never) \\p{L}`),
  form(
    `ich bin (?:allergisch|Vegetarier(?:in)?|Veganer(?:in)?|Diabetiker(?:in)?|verheiratet|ledig|schwanger|Linkshänder(?:in)?|\\d{1,3}(?:${END}| Jahre)|aus \\p{L}|(?:von Beruf )?(?:Lehrer|Arzt|Ärztin|Pfleger|Ingenieur|Student)(?:in)?|eine?(?! (?:bisschen|wenig)${END}) \\p{L}+)`,
  ),
  form(
    `ich (?:wohne|lebe|heiße|hasse|bevorzuge|arbeite (?:als|bei|für|in)|spreche \\p{L}+|vertrage kein|esse (?:kein|nie)|trinke (?:kein|nie)|mag (?:kein|nicht|lieber)|habe (?:eine? )?(?:Hund|Katze|Sohn|Tochter|Diabetes|Asthma|\\p{L}*allergie))`,
  ),
  form(`(?:mein|meine|unser|unsere) (?:${LASTING.de})${NAME} (?:${DOES.de})${END}`),
  form(
    `(?:bitte )?nenn mich (?!eine)\\p{L}|(?:bitte )?(?:ab jetzt|ab sofort|von nun an|in Zukunft|künftig)${END}`,
  ),
  form(
    `je suis (?:allergique|végétarien(?:ne)?|végane?|diabétique|mariée?|gauch[eè]re?|originaire|né|née|enceinte|une? (?!peu)\\p{L}+)`,
  ),
  form(
    `(?:j['’](?:habite|ai \\d{1,3} ans)|je (?:vis|m['’]appelle|préfère|déteste|travaille (?:comme|chez|pour|à)|parle \\p{L}+|ne (?:mange|bois|supporte|parle) ))`,
  ),
  form(`(?:mon|ma|mes|notre|nos) (?:${LASTING.fr})${NAME} (?:${DOES.fr})${END}`),
  form(`appelle-moi \\p{L}|(?:désormais|dorénavant|à partir de maintenant)${END}`),
  form(
    `(?:yo )?soy (?:alérgic[oa]|vegetarian[oa]|vegan[oa]|diabétic[oa]|zurd[oa]|de \\p{L}|una? (?!poco)\\p{L}+)`,
  ),
  form(
    `(?:yo )?(?:vivo (?:en|con)|me llamo|prefiero|odio|trabajo (?:como|en|para)|hablo \\p{L}+|no (?:como|bebo|soporto|hablo) |tengo (?:\\d{1,3} años|una? (?:perr[oa]|gat[oa]|hij[oa]|herman[oa]|alergia)))`,
  ),
  form(`(?:mi|mis|nuestr[oa]s?) (?:${LASTING.es})${NAME} (?:${DOES.es})${END}`),
  form(`llámame \\p{L}|(?:de ahora en adelante|a partir de ahora)${END}`),
]

/** Where a question begins within a sentence that tells something first. */
const QUESTION =
  /,\s+(?:(?:so|and|und|et|y|donc|also)\s+)?(?=(?:what|which|how|can|could|where|who|is|are|do|does|would|will|should|was|welche\w*|wie|kann|können|wo|gibt|que|quoi|quel\w*|comment|est-ce|peux|qué|cuál\w*|cómo|puedo|puedes)(?![\p{L}\p{N}]))/iu

/** Verbs by which something is said of a thing or of somebody else, and that last longer than a moment. */
const LASTS =
  "is|are|has|have|had|costs?|opens?|closes?|starts?|ends?|begins?|lives?|works?|likes?|hates?|prefers?|needs?|uses?|takes?|belongs?|speaks?|expires?|runs?|lasts?|goes|weighs?|contains?|stands?|sits?|lies|comes?|pays?|sells?|was (?:born|built|bought|serviced|founded)|can['’]?t|cannot|must|ist|sind|hat|haben|kostet|heißt|heißen|öffnet|schließt|beginnt|endet|wohnt|lebt|arbeitet|mag|gehört|läuft|liegt|steht|kommt|est|sont|ont|coûte|ouvre|ferme|habite|travaille|s['’]appelle|dure|finit|es|son|está|están|tiene|tienen|cumple|cuesta|abre|cierra|vive|trabaja|se llama|dura|termina"
/** A sentence about a thing of the writer's, or one that both know. */
const OF_A_THING = form(
  `(?:my|our|the|his|her|their|mein|meine|unser|unsere|der|die|das|mon|ma|mes|notre|nos|le|la|les|mi|mis|nuestr[oa]s?|el|los|las) (?:[^ .!?]+ ){1,6}(?:${LASTS})${END} `,
)
/** A sentence about somebody by name. */
const OF_SOMEBODY =
  /^(?!(?:What|Who|Which|How|Where|When|Why|Was|Wer|Wo|Wie|Wann|Qui|Qué|Quién)\b)\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)? (?:is|has|lives|works|likes|hates|prefers|speaks|can['’]?t|must|ist|hat|wohnt|arbeitet|mag|habite|travaille|tiene|vive|trabaja)(?![\p{L}\p{N}]) /u
/** Names and numbers behind the first word: a fact has one, and "My laptop fan is loud" asks for help. German nouns are no names. */
const SPECIFIC = { de: /\p{N}/u, others: /.(?:\p{N}|(?<![\p{L}\p{N}])\p{Lu})/u } as const
/** Sentences of a message that only tells, at most. */
const MOST_TOLD = 3

/** The sentences of a message that only tells something, of things and of others; none of one that asks for anything besides. */
function onlyTold(sentences: readonly string[]): string[] {
  const tells = (sentence: string): boolean =>
    !sentence.endsWith('?') &&
    sentence.length <= LONGEST_STATEMENT &&
    (OF_SOMEBODY.test(sentence) ||
      (OF_A_THING.test(sentence) && SPECIFIC[languageOf(sentence) === 'de' ? 'de' : 'others'].test(sentence)))
  return sentences.length <= MOST_TOLD && sentences.every(tells) ? [...sentences] : []
}

/**
 * What a message tells of its writer that lasts, or of things and others where it asks for nothing, a sentence each, at most three; what is quoted, code, and a question are none. English, German,
 * French and Spanish. It guesses by the form of sentences, so that nothing of it is kept before the person has said so.
 */
export function statedIn(text: string): string[] {
  if (text.length > LONGEST_MESSAGE || text.includes('```')) return []
  const sentences = sentencesIn(text).map(withoutLead)
  const stated = sentences.flatMap((sentence) => {
    const [start = ''] = sentence.endsWith('?') ? sentence.split(QUESTION) : [sentence]
    return start.endsWith('?') || start.length > LONGEST_STATEMENT || !STATED.some((one) => one.test(start))
      ? []
      : [asSentence(capital(start))]
  })
  const statements = stated.length > 0 ? [] : onlyTold(sentences).map((one) => asSentence(capital(one)))
  return [...new Set([...stated, ...statements])].slice(0, MOST_STATEMENTS)
}
