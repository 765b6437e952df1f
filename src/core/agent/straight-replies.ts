import type { Round } from '../../shared/domain/trajectory'
import { NO_USAGE } from '../../shared/domain/usage'
import { LoamError } from '../../shared/errors'
import type { GenerateResult } from '../ground/chat'
import { callsInText } from '../ground/replies/read-reply'
import type { ToolBox } from '../ground/tools'

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

/** How often the same call may be made in a row: a tool may be asked whether something is ready, a model that does not stop is not. */
const MOST_ALIKE = 3

/** Whether a call is made once too often in a row. */
export const isRepeated = (key: string, rounds: readonly Round[]): boolean =>
  rounds.length >= MOST_ALIKE - 1 &&
  rounds.slice(1 - MOST_ALIKE).every(({ action }) => action.kind === 'operation' && action.content === key)
