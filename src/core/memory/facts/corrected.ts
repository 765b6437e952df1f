import { isFact, oneLine, statementFrom, withoutLead } from './statement'

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

/** The fact in a message that says what the answer before it should have been; null for any other. `earlier`: the person's messages before it, oldest first. */
export function correctedIn(
  earlier: readonly string[],
  message: string,
  isComplaint: (message: string) => boolean,
): string | null {
  const line = oneLine(message)
  const plain = withoutLead(line).replace(NOT_SO, '')
  const answer = (IS_SO.exec(plain)?.[1] ?? '').replace(/[.!]$/, '')
  if (
    answer === '' ||
    NO_ANSWER.test(answer) ||
    answer.includes('?') ||
    answer.split(' ').length > MOST_WORDS
  )
    return null
  const at = earlier.findLastIndex((one) => !isComplaint(one))
  const question = earlier[at] ?? ''
  const isDenied = at < earlier.length - 1 || (plain !== line && isComplaint(line))
  return isDenied && isFact(question, answer) ? statementFrom(question, answer) : null
}
