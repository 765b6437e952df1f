import { SHELL_TOOLS } from '../ground/shell-tools'
import { causeWords, holdsCause } from './cause'

/** What is known to make a call fail, with what is told of it: for who holds no beliefs. */
export interface ToldCause {
  readonly id: string
  readonly tool: string
  /** A call that holds all of these meets it. */
  readonly words: readonly string[]
  readonly text: string
}

/** Complaints that are told at once. */
export const MOST_TOLD = 4

/** What stands before all that is told of a call which was not made. */
const HEAD = 'Not done yet. From earlier tasks:'

/** What a model is told in the place of an answer, so that it can change the call or send it again. */
export const heldText = (lines: readonly string[]): string =>
  [HEAD, ...lines.map((line) => `- ${line}`), 'Change it, or send the same again to have it done.'].join('\n')

/** What a model is told in the place of an answer where it does again what has just failed: an action, and a call. */
export const SAME_AGAIN = 'This failed before and was not done again. Do something else.'
export const SAME_CALL_AGAIN = 'This call failed before and was not made again. Answer with what you know.'

/** Whether what stands for a tool's answer is one of these, however a program frames it: then nothing was done. */
export const isUndone = (observation: string | null): boolean =>
  observation !== null && [HEAD, SAME_AGAIN, SAME_CALL_AGAIN].some((text) => observation.includes(text))

const isSameTool = (one: string, other: string): boolean =>
  one === other || [one, other].every((name) => SHELL_TOOLS.has(name.toLowerCase()))

/** Of what is known, the causes that a call of another program holds. */
export function causesOf(
  causes: readonly ToldCause[],
  { tool, action }: { readonly tool: string; readonly action: string },
): ToldCause[] {
  const words = causeWords(action)
  return causes.filter((one) => isSameTool(one.tool, tool) && holdsCause(one, words)).slice(0, MOST_TOLD)
}
