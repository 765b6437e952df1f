import { asSentence, capital, isFact, oneLine, statementFrom, withoutLead } from './statement'

// "Who is my dentist?", answered wrongly, then "No, it is Dr. Weber.": what the person says is right makes a fact with what was asked. It is offered as what is told in passing is.

/** That the answer is not so, before what is so: "that is wrong". */
const NOT_SO =
  /^(?:that(?:['’]s| is| was) (?:not (?:right|true|correct|so)|wrong|incorrect)|das (?:ist|stimmt) (?:falsch|nicht)|c['’]est faux|no es (?:cierto|correcto))[,.;:!] ?/iu
/** How what is right stands in a message of its own. */
const IS_SO =
  /^(?:it(?:['’]s| is| was)|(?:he|she|that|this)(?:['’]s| is)|they are|the (?:right |correct )?answer is|(?:es|er|sie|das) (?:ist|heißt)|richtig ist|c['’]est|il s['’]appelle|elle s['’]appelle|es|se llama) (.+)/iu
/** What follows "it is" and is no answer. */
const NO_ANSWER =
  /^(?:not|wrong|incorrect|false|still|too|so|very|right|correct|because|nicht|falsch|immer|zu|richtig|pas|faux|trop|incorrecto|falso)(?![\p{L}\p{N}])/iu
const MOST_WORDS = 12
/** "No, Mr. Adeyemi.": a no, and a name or a number. */
const NO = /^(?:no|nope|nein|non)(?:,| -| –) ?(?=\S)/iu
const IS_NAME = /^(?:(?:the|der|die|das|le|la|el) )?[\p{Lu}\d][^,;:?]*$/u
/** "No, on Thursday." behind a question for a time or a place. */
const ASKS_TIME_OR_PLACE =
  /^¿?(?:when|where|on what|on which|at what|what (?:day|time)|wann|wo|um|an welche|quand|où|à quelle|cuándo|dónde|qué día)(?!\p{L})/iu
const IS_THERE =
  /^(?:on|at|in|under|behind|near|next|every|am|um|im|in|an|auf|unter|hinter|neben|bei|jeden|le|à|au|dans|sur|sous|chaque|el|a las|en|bajo|cada)(?!\p{L}) ?[^,;:?]+$/iu
const MOST_WORDS_ALONE = 6
/** A verb at the beginning of a request, with a capital or not, and thanks are no answer. */
const IS_REQUEST =
  /^(?:thanks?|thank you|danke|merci|gracias|try|again|please|bitte|make|write|give|tell|show|do|don['’]t|just|i|we|you|ich|du|je|tu|that|this|it|in (?:english|german|french|spanish|deutsch|englisch|français|anglais|español|inglés)|auf (?:deutsch|englisch)|en (?:français|anglais|español|inglés))(?![\p{L}\p{N}])/iu

/** What stands alone behind "no" and answers the question: a name or a number, or a time or a place where one was asked for. */
function answerAlone(line: string, question: string): string {
  const rest = NO.test(line) ? line.replace(NO, '').replace(/[.!]$/, '') : ''
  const isAnswer = ASKS_TIME_OR_PLACE.test(question.trim()) ? IS_THERE : IS_NAME
  const isShort = rest.split(' ').length <= MOST_WORDS_ALONE
  return isShort && isAnswer.test(rest) && !IS_REQUEST.test(rest) ? rest : ''
}

/** An answer without the word that the question ends with: "What is it called?", "It is called Mortimer." */
function withoutEcho(answer: string, question: string): string {
  const [first = '', ...rest] = answer.split(' ')
  const last = question.match(/\p{L}+/gu)?.at(-1) ?? ''
  return rest.length > 0 && first.toLowerCase() === last.toLowerCase() ? rest.join(' ') : answer
}

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(' '))
/** How a statement about a thing of one's own begins. */
const OWN = wordSet(
  'my our mein meine meiner unser unsere unserer mon ma mes notre nos mi mis nuestro nuestra nuestros nuestras',
)
/** Who asks, and what is theirs. */
const WHO_ASKS: ReadonlySet<string> = new Set([
  ...OWN,
  ...wordSet('i we ich wir meinen meinem meines unseren unserem unseres je j nous yo'),
])
/** What stands between it and what is so. */
const IS = wordSet(
  'is are was has lives works ist sind hat heißt heißen wohnt arbeitet kommt liegt steht est sont a habite travaille appelle es son tiene vive trabaja llama',
)
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** "No, my dentist is Dr. Weber now.": a no behind a question of one's own, and a whole statement; empty for any other. */
function statementAlone(line: string, question: string): string {
  const rest = NO.test(line) ? line.replace(NO, '') : ''
  const [first = '', ...others] = wordsOf(rest)
  const verb = others.findIndex((word) => IS.has(word))
  const answer = others.slice(verb + 1).join(' ')
  if (!OWN.has(first) || verb < 1 || answer === '' || NO_ANSWER.test(answer)) return ''
  const isShort = others.length < MOST_WORDS && !rest.includes('?')
  const isOfOwn = question.trim().endsWith('?') && wordsOf(question).some((word) => WHO_ASKS.has(word))
  return isShort && isOfOwn ? rest : ''
}

/** The fact in a message that says what the answer before it should have been; null for any other. `earlier`: the person's messages before it, oldest first. */
export function correctedIn(
  earlier: readonly string[],
  message: string,
  isComplaint: (message: string) => boolean,
): string | null {
  const line = oneLine(message)
  const plain = withoutLead(line).replace(NOT_SO, '')
  const at = earlier.findLastIndex((one) => !isComplaint(one))
  const question = earlier[at] ?? ''
  const whole = statementAlone(line, question)
  if (whole !== '') return asSentence(capital(whole))
  const saying = (IS_SO.exec(plain)?.[1] ?? '').replace(/[.!]$/, '')
  const answer = saying === '' ? answerAlone(line, question) : withoutEcho(saying, question)
  if (
    answer === '' ||
    NO_ANSWER.test(answer) ||
    answer.includes('?') ||
    answer.split(' ').length > MOST_WORDS
  )
    return null
  const isDenied = at < earlier.length - 1 || NO.test(line) || (plain !== line && isComplaint(line))
  return isDenied && isFact(question, answer) ? statementFrom(question, answer) : null
}
