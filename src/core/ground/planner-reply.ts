import { isRecord, tidyText } from './writing'
import { declareConstraint } from './constraint'
import { CHARACTERS_PER_TOKEN } from './fit-form'
import { LooseJson } from './replies/loose-json'
import { isPlaceholder } from './text-gate'
import { takeThoughts } from './replies/thoughts'

/** What a planner's reply comes to. `neither` says why it is no plan and no answer. */
export type PlannerReply =
  | {
      readonly kind: 'plan'
      readonly steps: readonly { readonly id: number; readonly description: string }[]
    }
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'neither'; readonly reason: string }

const ANSWER = /FINAL ANSWER:\s*/i

/** Whether an answer is what an instruction said behind its own mark: the form, and no answer. */
function isInstruction(answer: string, instructions: readonly string[]): boolean {
  const own = tidyText(answer).toLowerCase()
  return (
    own.includes(' ') &&
    instructions.some((text) =>
      text
        .split(ANSWER)
        .slice(1)
        .some((rest) => tidyText(rest).toLowerCase().startsWith(own)),
    )
  )
}

/** The first JSON object in a text, whatever stands around it (prose, a code fence); undefined when there is none. */
export function firstObject(text: string): Record<string, unknown> | undefined {
  const clean = takeThoughts(text).text
  const reader = new LooseJson(clean)
  for (let start = clean.indexOf('{'); start >= 0; start = clean.indexOf('{', start + 1)) {
    const value = reader.at(start)?.value
    // Others are braces of something that is not JSON; there may be more behind them.
    if (isRecord(value)) return value
  }
  return undefined
}

/**
 * Reads a planner's reply: `{"plan": [{"id", "description"}]}` or `FINAL ANSWER: text`, as Memento's planner writes them. Ids that are
 * missing or repeated are numbered anew; steps that say the same again, and those beyond `most`, are left out. What only fills a placeholder in is left out, and an answer that is what
 * one of the `instructions` says of it is none.
 */
export function readPlannerReply(
  reply: string,
  most: number,
  instructions: readonly string[] = [],
): PlannerReply {
  const { text } = takeThoughts(reply)
  const match = planIn(firstObject(text))
  if (match && Array.isArray(match['plan'])) {
    const descriptions = match['plan'].flatMap((step: unknown) => {
      const description = isRecord(step) && typeof step['description'] === 'string' ? step['description'] : ''
      const id = isRecord(step) ? Number(step['id']) : NaN
      return isPlaceholder(description) ? [] : [{ id, description: tidyText(description) }]
    })
    if (descriptions.length === 0) return { kind: 'neither', reason: 'The plan has no steps.' }
    const ids = descriptions.map(({ id }) => id)
    const usable = ids.every(Number.isSafeInteger) && new Set(ids).size === ids.length
    const steps = descriptions
      .filter(({ description }, i) => descriptions.findIndex((one) => one.description === description) === i)
      .slice(0, most)
    return { kind: 'plan', steps: usable ? steps : steps.map((step, i) => ({ ...step, id: i + 1 })) }
  }
  const mark = ANSWER.exec(text)
  if (mark) {
    const answer = text
      .slice(mark.index + mark[0].length)
      .trim()
      .replace(/^\*\*\s?|\*\*$/g, '')
      .trim()
    if (isPlaceholder(answer)) return { kind: 'neither', reason: 'The final answer is empty.' }
    return isInstruction(answer, instructions)
      ? { kind: 'neither', reason: 'The final answer repeats the instruction.' }
      : { kind: 'answer', text: answer }
  }
  return { kind: 'neither', reason: 'The reply holds neither a plan nor a final answer.' }
}

/** The object with the plan: itself, or the arguments of a call that holds it. */
const planIn = (match: Record<string, unknown> | undefined): Record<string, unknown> | undefined =>
  match && !('plan' in match)
    ? [match['arguments'], match['parameters']].filter(isRecord).find((inner) => 'plan' in inner)
    : match

/** Most characters of a step's description and of a final answer, and of what stands around a step. */
const STEP_TEXT = 240
const ANSWER_TEXT = 400
const STEP_AROUND = 28

/** Characters that let a plan of `most` steps be written with `tokens` tokens. */
const stepText = (most: number, tokens: number): number =>
  Math.max(24, Math.min(STEP_TEXT, Math.floor((tokens * CHARACTERS_PER_TOKEN) / most) - STEP_AROUND))
const answerText = (tokens: number): number =>
  Math.max(24, Math.min(ANSWER_TEXT, tokens * CHARACTERS_PER_TOKEN - 14))

/** Which of its forms a planner may reply in. */
export type PlannerForms = 'plan' | 'answer' | 'either'

/** Holds the planner to its forms. A step begins with a letter or a digit, so that it is no placeholder. */
export const plannerConstraint = declareConstraint(
  'planner',
  (most: number, forms: PlannerForms, tokens: number) => ({
    kind: 'gbnf',
    grammar: [
      `root ::= ${forms === 'either' ? 'plan | answer' : forms}`,
      String.raw`plan ::= "{\"plan\": [" step (", " step){0,${most - 1}} "]}"`,
      String.raw`step ::= "{\"id\": " [1-9] [0-9]? ", \"description\": \"" begin char{3,${stepText(most, tokens) - 1}} "\"}"`,
      String.raw`begin ::= [^\x00-\x2F\x3A-\x40\x5B-\x60\x7B-\xBF]`,
      String.raw`char ::= [^"\\\x00-\x1F] | "\\" ["\\/]`,
      String.raw`answer ::= "FINAL ANSWER: " [^ \n\r] [^\n\r]{0,${answerText(tokens)}}`,
    ].join('\n'),
  }),
  (): [number, PlannerForms, number][] => [
    [1, 'either', 512],
    [6, 'plan', 4096],
    [20, 'either', 16],
    [6, 'answer', 512],
    [6, 'answer', 16],
  ],
)

/** Whether a final answer ended because it had no more room: at its token limit, or at the last character that the planner's form has. */
export const isCutAnswer = (
  { text, finish }: { readonly text: string; readonly finish: string },
  tokens: number,
): boolean => finish === 'max-tokens' || text.length === 'FINAL ANSWER: '.length + 1 + answerText(tokens)

/** A plan as Memento writes it. */
export const planText = (steps: readonly { readonly id: number; readonly description: string }[]): string =>
  JSON.stringify({ plan: steps.map(({ id, description }) => ({ id, description })) })
