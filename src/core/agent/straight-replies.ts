import { DATA_NOT_INSTRUCTIONS, fenced } from '../ground/quote'
import type { Finish, Round } from '../../shared/domain/trajectory'
import { NO_USAGE } from '../../shared/domain/usage'
import { LoamError } from '../../shared/errors'
import type { GenerateResult } from '../ground/chat'
import type { Dialog } from './dialog'
import { MOST_ALIKE, SAME_CALL } from './executor'
import type { Budget } from '../ground/budget'
import { repeatsNotes, repeatsSource } from '../ground/replies/echo'
import { callsInText } from '../ground/replies/read-reply'
import type { Clock } from '../ground/ports'
import type { ToolBox, ToolResult } from '../ground/tools'
import { CALL_FAILED } from '../verdict/round-complaint'

/** Steps that are taken as they are, and what stands in for the next one; null: the model is asked. */
export interface Begun {
  readonly rounds: readonly Round[]
  readonly edit: string | null
  /** What the next reply, an answer that was cut, begins with. Default: nothing. */
  readonly beginning?: string
}
/** A first answer that is there already, so that no model is asked. */
export const answeredWith = (text: string): Begun => ({ rounds: [], edit: text })

/** A step as a person rewrote it: a call of a tool where it names one, else the answer. */
export function replyOf(edit: string, step: number, tools: ToolBox): GenerateResult {
  const [, name = '', json = ''] = /^(\S+)\s+(\{[^]*\})\s*$/.exec(edit) ?? []
  const outcome = { usage: NO_USAGE, finish: 'end' } as const
  if (!tools.list().some((tool) => tool.name === name)) return { text: edit, ...outcome }
  const id = `edited-${step}`
  try {
    const input = JSON.parse(json) as Record<string, unknown>
    return { text: '', toolCalls: [{ id, name, arguments: input }], ...outcome }
  } catch (error) {
    throw new LoamError('BAD_INPUT', `What ${name} is given is no JSON: ${(error as Error).message}`, {
      suggestion: 'Correct the arguments of the call.',
    })
  }
}

/** Whether a reply is a call that nobody read as one, and so no answer. */
export function isCall(text: string, tools: ToolBox): boolean {
  const names = tools.list()
  if (names.length === 0 || !/^(?:```\w*\s*)?[{[<]/.test(text)) return false
  return /^(?:```\w*\s*)?\{\s*"tool"\s*:/.test(text) || callsInText(text, names).length > 0
}

/** What a model is told that cannot go on with a reply of its own. */
export const GO_ON = 'Your answer was cut. Go on exactly where it ends. Repeat nothing of it.'
/** Characters that a reply repeats of the end of what it goes on with at least, so that it is no chance. */
const LEAST_REPEATED = 12
const MOST_REPEATED = 400

/** A text and what goes on with it, less what that repeats of its end. */
export function joinCut(before: string, after: string): string {
  for (let length = Math.min(MOST_REPEATED, before.length, after.length); length >= LEAST_REPEATED; length--)
    if (before.endsWith(after.slice(0, length))) return before + after.slice(length)
  return before + after
}

/** Whether a call is made once too often in a row. */
export const isRepeated = (key: string, rounds: readonly Round[]): boolean =>
  rounds.length >= MOST_ALIKE - 1 &&
  rounds.slice(1 - MOST_ALIKE).every(({ action }) => action.kind === 'operation' && action.content === key)

/** A call as an action of its round. */
export const actionOfCall = (name: string, args: Readonly<Record<string, unknown>>): string =>
  `${name} ${JSON.stringify(args)}`

/** What stands before every answer of a tool. */
const DATA_NOTE = `The call gave back (${DATA_NOT_INSTRUCTIONS})`

/** What a model with tools is told before the reply that has to be its answer. */
export const LAST_STEP = 'This is your last step: answer now, in plain words and without a call.'

/** Whether a reply of a model with tools is no answer: it says again what the program told it, in its notes or in the system prompt. */
export const isEcho = (
  text: string,
  { tools, systemPrompt }: { readonly tools: ToolBox; readonly systemPrompt: string },
): boolean =>
  tools.list().length > 0 &&
  (repeatsNotes(text, [DATA_NOTE], [LAST_STEP, SAME_CALL.text, CALL_FAILED]) ||
    repeatsSource(text, [systemPrompt]))

/** A tool's answer as the model reads it: data, at most so many characters of it. */
export const toolText = ({ text, failed, files }: ToolResult, most: number): string => {
  const restText = files.length === 0 ? '' : `\nFiles it left in the folder: ${files.join(', ')}`
  const more = text.length > most ? `\n[${text.length - most} more characters left out]` : ''
  return `${failed ? CALL_FAILED : ''}${DATA_NOTE}:\n${fenced(text.slice(0, most))}${more}${restText}`
}

/** Why nothing fits any more: what could go has gone. */
export const tooLong = ({ why }: LoamError, { tools }: { readonly tools: ToolBox }): string => {
  const many = tools.list().length
  return many === 0 ? why : `${why} What its ${many} tools can do is part of it; fewer tools leave more room.`
}

/** A reply, and after how many milliseconds its first word came; absent where that is not known. */
export type TimedResult = GenerateResult & { readonly firstMs?: number }

/** Notes when the first word of a reply came. A reply that was held for another one tells nothing of that. */
export function watchFirst(
  clock: Clock,
  budget: Pick<Budget, 'onHeld'>,
  events: { token?(text: string): void },
) {
  const began = clock.now().getTime()
  let firstMs: number | null = null
  let wasHeld = false
  return {
    onHeld(isHeld: boolean) {
      wasHeld = true
      budget.onHeld(isHeld)
    },
    onToken(text: string) {
      firstMs ??= clock.now().getTime() - began
      events.token?.(text)
    },
    first: (): { readonly firstMs?: number } => (firstMs === null || wasHeld ? {} : { firstMs }),
  }
}

/** How an attempt ended, and why. */
export interface Ended {
  readonly finish: Finish
  readonly reason?: string
}

/** What is under way: the dialog, and the steps so far. */
export interface Work {
  dialog: Dialog
  readonly rounds: Round[]
  /** Calls that failed, with their arguments. */
  readonly failedCalls: Set<string>
  /** Tools are no longer offered: the same call failed twice or was made too often in a row, or calls were written where an answer was due. */
  toolsEnded: boolean
  keep(round: Omit<Round, 'index'>): void
}

/** Characters of a tool's answer that are told where the model gave none. */
const TOLD_TEXT = 200

/** A call in the place of an answer: the model is told so once, without tools; then there is no answer, but what the last tool said. */
export function refuseCall(
  state: Work,
  message: Omit<Round, 'index' | 'action' | 'observation'>,
  last: boolean,
): Ended | null {
  const result = state.rounds.findLast(({ from }) => from === 'tool')?.observation ?? ''
  const reason = `A call of a tool where an answer was due.${result === '' ? '' : ` The last tool said: ${result.slice(0, TOLD_TEXT)}`}`
  state.keep({ ...message, action: { kind: 'invalid', reason }, observation: null })
  if (last && state.toolsEnded) return { finish: 'invalid-action', reason }
  state.toolsEnded = true
  return null
}
