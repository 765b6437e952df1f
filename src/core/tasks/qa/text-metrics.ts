import { addUsage, NO_USAGE, type Usage } from '../../../shared/domain/usage'
import { declareConstraint } from '../../ground/constraint'
import { firstObject } from '../../ground/planner-reply'
import type { LanguageModel } from '../../ground/ports'
import { exactObject } from '../../ground/exact-object'

/**
 * Text as the answer metrics compare it (SQuAD's rules): lower case, without punctuation and the English articles, with single
 * memories. Letters and digits of every script are kept.
 */
export const normalizeAnswer = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[^\p{L}\p{M}\p{N}\s]/gu, '')
    .replace(/\b(a|an|the)\b/g, ' ')
    .split(/\s+/u)
    .filter((word) => word !== '')
    .join(' ')

/** 1 when the answer equals one of the references after normalizing, else 0. */
export const exactMatch = (answer: string, references: readonly string[]): 0 | 1 =>
  references.some((reference) => normalizeAnswer(reference) === normalizeAnswer(answer)) ? 1 : 0

const wordsOf = (text: string): string[] => normalizeAnswer(text).split(' ').filter(Boolean)

const SMALL_NUMBERS = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
]
const DENIALS: ReadonlySet<string> = new Set(['not', 'no', 'never', 'isnt', 'wasnt', 'arent', 'cannot'])
/** Words before a known answer among which a denial makes it none. */
const DENIAL_REACH = 2
/** Most words of a known answer that a sentence may be expected to hold as they are. */
const STATED_WORDS = 6

const plainWords = (text: string): string[] =>
  wordsOf(text).map((word) => {
    const number = SMALL_NUMBERS.indexOf(word)
    return number < 0 ? word : String(number)
  })

/**
 * Whether an answer holds one of the references as whole words, small numbers also in words, without a denial just before; null
 * where every reference is longer than six words, which a sentence of one's own seldom repeats.
 */
export function statesReference(answer: string, references: readonly string[]): 0 | 1 | null {
  const words = plainWords(answer)
  const short = references.map(plainWords).filter(({ length }) => length > 0 && length <= STATED_WORDS)
  const isAt = (reference: readonly string[], at: number): boolean =>
    reference.every((word, i) => words[at + i] === word) &&
    !words.slice(Math.max(0, at - DENIAL_REACH), at).some((word) => DENIALS.has(word))
  if (short.length === 0) return null
  return short.some((reference) => words.some((_, at) => isAt(reference, at))) ? 1 : 0
}

function f1(answer: readonly string[], reference: readonly string[]): number {
  if (answer.length === 0 || reference.length === 0) return answer.length === reference.length ? 1 : 0
  const remainingMap = new Map<string, number>()
  for (const word of reference) remainingMap.set(word, (remainingMap.get(word) ?? 0) + 1)
  let shared = 0
  for (const word of answer) {
    const count = remainingMap.get(word) ?? 0
    if (count === 0) continue
    remainingMap.set(word, count - 1)
    shared++
  }
  return (2 * shared) / (answer.length + reference.length)
}

/**
 * Token F1 in [0, 1]: the harmonic mean of precision and recall over the words of the normalized texts, with repetition; the best
 * over the references. 0 when there are none.
 */
export const tokenF1 = (answer: string, references: readonly string[]): number =>
  Math.max(0, ...references.map((reference) => f1(wordsOf(answer), wordsOf(reference))))

/** What is put before the judge. */
export interface JudgeInput {
  readonly question: string
  /** Each counts as right. */
  readonly references: readonly string[]
  readonly answer: string
  /** What else makes an answer right, in words. Default: nothing. */
  readonly rubric?: string
}

/** What the judge said. `score` is 1 or 0; null when no reply could be read, and then the answer counts nowhere. */
export interface Judgement {
  readonly score: 1 | 0 | null
  /** Why, in the judge's words; empty when it gave none. */
  readonly rationale: string
  /** The last reply as it came. */
  readonly reply: string
  readonly usage: Usage
}

const SCORES = { correct: 1, incorrect: 0 } as const
type Verdict = keyof typeof SCORES

// The reasons come first, so that the verdict follows from them.
const VERDICT_SCHEMA = exactObject({
  rationale: { type: 'string', maxLength: 600 },
  judgement: { enum: Object.keys(SCORES) },
})
const verdictConstraint = declareConstraint(
  'judge',
  () => ({ kind: 'json-schema', schema: VERDICT_SCHEMA }),
  () => [[]],
)

/** Replies asked for before the judge counts as unreadable. */
const ATTEMPTS = 2
/** Most tokens of one reply. */
const REPLY_TOKENS = 384
/** References put before the judge at most. */
const MOST_REFERENCES = 12

function readVerdict(reply: string): { readonly verdict: Verdict; readonly rationale: string } | null {
  // Models that are not held to a schema write around their JSON, or put it into a fenced block, as the published judge's do.
  const { judgement, rationale } = firstObject(reply) ?? {}
  if (typeof judgement !== 'string' || !Object.hasOwn(SCORES, judgement.toLowerCase())) return null
  return {
    verdict: judgement.toLowerCase() as Verdict,
    rationale: typeof rationale === 'string' ? rationale : '',
  }
}

/** Fills `{{name}}` places in one go, so that nothing inside a value is taken for a place. */
const fill = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(/\{\{(\w+)\}\}/g, (place, name: string) => values[name] ?? place)

/**
 * Partial match (PM) by a judge model, binary as Memento's code has it: a model is shown question, references and answer
 * (`template` is resources/prompts/judge.md), gives its reasons and one of two verdicts, held to that form by a schema. Greedy. A
 * reply that cannot be read, such as one cut short, is asked for once more.
 *
 * Rejects with what the model rejects with.
 */
export async function judgeAnswer(
  model: LanguageModel,
  template: string,
  { question, references, answer, rubric = '' }: JudgeInput,
  options: { readonly signal?: AbortSignal } = {},
): Promise<Judgement> {
  const reference = JSON.stringify(references.slice(0, MOST_REFERENCES))
  const askedQuestion =
    rubric.trim() === '' ? '' : `Rubric, which decides where the answers above do not: ${rubric.trim()}\n`
  const content = fill(template, { question, reference, answer, rubric: askedQuestion })
  let reply = ''
  let usage = NO_USAGE
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { text, usage: cost } = await model.generate(
      {
        messages: [{ role: 'user', content }],
        temperature: 0,
        seed: attempt,
        maxTokens: REPLY_TOKENS,
        constraint: verdictConstraint(),
      },
      options,
    )
    reply = text
    usage = addUsage(usage, cost)
    const read = readVerdict(text)
    if (read) return { score: SCORES[read.verdict], rationale: read.rationale, reply, usage }
  }
  return { score: null, rationale: '', reply, usage }
}
