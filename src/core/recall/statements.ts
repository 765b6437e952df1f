import { isStopWord } from '../retrieval/terms'

/** What a text says of one thing: `price cents` in `Harbor rules: price cents, guest lower.` */
export interface Statement {
  /** The thing, in lower case. */
  readonly subject: string
  /** What is said of it, as written. */
  readonly value: string
  /** What stands before it in its sentence, with the colon: `Harbor rules:`. Empty where nothing does. */
  readonly lead: string
}

const IDENTIFIERS = /[\p{L}\p{N}_]+/gu
const FENCED = /```[^`]*```/g
/** A sentence ends with its line, with a semicolon, or with a full stop before a blank. */
const SENTENCES = /\n|;|\.(?=\s|$)/
const QUESTION = /^([\p{L}\p{N}_][\p{L}\p{N}_-]*)\s*\?$/u
/** Words of an answer that is about one thing. */
const LONGEST_ANSWER = 3
const SUBJECT = /^[\p{L}\p{N}_][\p{L}\p{N}_-]*/u
/** Characters of a value, and of a lead; longer ones are prose, not a statement. */
const LONGEST_VALUE = 40
const LONGEST_LEAD = 60
/** Words of a value. */
const MOST_WORDS = 4
/** Between a thing and its value. */
const IS = /^\s*(?:=|is\b|are\b)/

/**
 * The statements of a text: parts between commas, each a thing and what is said of it. Code between fences says nothing. Of several
 * statements about a thing all are given, in order. A part whose value is missing or is `?` says nothing.
 */
export const statementsOf = (text: string): Statement[] =>
  partsOf(text).flatMap(({ part, lead }) => statementOf(part, lead))

/** The things a text asks for, as `price ?` does. */
export const questionsOf = (text: string): Pick<Statement, 'subject' | 'lead'>[] =>
  partsOf(text).flatMap(({ part, lead }) => {
    const [, subject] = QUESTION.exec(part) ?? []
    return subject === undefined ? [] : [{ subject: subject.toLowerCase(), lead }]
  })

/** What an answer says of a thing by name: `('paid', 'K')` says `paid K`. Null where it does not name it, or says more. */
export function answerOn(subject: string, answer: string): string | null {
  const words = answer.match(IDENTIFIERS) ?? []
  const at = words.findIndex((word) => word.toLowerCase() === subject)
  return at >= 0 && words.length <= LONGEST_ANSWER ? (words[at + 1] ?? null) : null
}

function partsOf(text: string): { part: string; lead: string }[] {
  return text
    .replace(FENCED, '\n')
    .split(SENTENCES)
    .flatMap((sentence) => {
      const colon = sentence.lastIndexOf(': ')
      const lead = colon < 0 ? '' : sentence.slice(0, colon + 1).trim()
      if (lead.length > LONGEST_LEAD) return []
      return sentence
        .slice(colon < 0 ? 0 : colon + 2)
        .split(',')
        .map((part) => ({ part: part.trim(), lead }))
    })
}

function statementOf(part: string, lead: string): Statement[] {
  const subject = SUBJECT.exec(part)?.[0]
  if (subject === undefined) return []
  const value = part.slice(subject.length).replace(IS, '').trim()
  if (value.length > LONGEST_VALUE || !/^[\p{L}\p{N}'"]/u.test(value)) return []
  const words = value.split(' ')
  if (words.length > MOST_WORDS || isStopWord(subject.toLowerCase())) return []
  if (words.length > 1 && isStopWord(words[0]?.toLowerCase() ?? '')) return []
  return [{ subject: subject.toLowerCase(), value, lead }]
}

/** The last statement about each of the things in `about`. */
export function lastStatements(
  statements: readonly Statement[],
  about: ReadonlySet<string>,
): ReadonlyMap<string, Statement> {
  const last = new Map<string, Statement>()
  for (const statement of statements) if (about.has(statement.subject)) last.set(statement.subject, statement)
  return last
}

/** The things a task is about: the words it says itself (worth 1) and those that its surroundings name. */
export interface TaskThings {
  readonly said: ReadonlySet<string>
  readonly all: ReadonlySet<string>
}

/** The words of a text and the names in it, in lower case. */
const thingsIn = (text: string): string[] => (text.match(IDENTIFIERS) ?? []).map((word) => word.toLowerCase())

export function taskThings(instruction: string, context: string): TaskThings {
  const messageSet = new Set(thingsIn(instruction))
  return { said: messageSet, all: new Set([...messageSet, ...thingsIn(context)]) }
}
