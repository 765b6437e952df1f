import type { Subtask, ToolCall } from '../../shared/domain/plan'
import { addUsage } from '../../shared/domain/usage'
import { LoamError } from '../../shared/errors'
import type { ChatMessage } from '../ground/ports'
import { ask, say, type AgentRole } from '../ground/ask'
import { BudgetSpent, type Budget } from '../ground/budget'
import { canonicalJson } from '../ground/canonical-json'
import { wholePart } from '../ground/cut-json'
import { isUnfinished, type ChatTool, type GenerateResult } from '../ground/chat'
import { DATA_NOT_INSTRUCTIONS, fenced } from '../ground/quote'
import { isRecord } from '../ground/record'
import { isPlaceholder } from '../ground/text-gate'
import { repeatsNotes, repeatsSource } from '../ground/replies/echo'
import { executorConstraint, readExecutorReply, type ExecutorReply } from './executor-reply'
import { SAME_CALL_AGAIN } from '../recall/told-cause'
import type { ToolBox, ToolResult } from '../ground/tools'

/** Why a subtask failed, where more than its own words depend on it. */
export const TOO_LONG = 'What the executor had to read was longer than its model can read.'
export const noResult = (maxSteps: number): string => `No result within ${maxSteps} steps.`

/** How often the same call may be made in a row: a tool may be asked whether something is ready, a model that does not stop is not. */
export const MOST_ALIKE = 3
/** What a call comes to that has failed before with the same arguments. */
export const SAME_CALL: ToolResult = {
  ...{ text: SAME_CALL_AGAIN, failed: true },
  ...{ files: [], wallMs: 0 },
}

/** Of the calls of a subtask: whether one like it has failed before, and whether it is made once too often in a row. */
function repeats(
  calls: readonly ToolCall[],
  { tool, arguments: input }: Pick<ToolCall, 'tool' | 'arguments'>,
): { readonly failedBefore: boolean; readonly tooOften: boolean } {
  const key = canonicalJson([tool, input])
  const alike = calls.map((call) => canonicalJson([call.tool, call.arguments]) === key)
  return {
    failedBefore: calls.some(({ answer }, i) => alike[i] === true && answer?.failed === true),
    tooOften: calls.length >= MOST_ALIKE - 1 && alike.slice(1 - MOST_ALIKE).every(Boolean),
  }
}

/** Characters of a tool's answer that are kept in the trajectory. */
export const KEPT_TEXT = 16_000

export interface ExecutorInput {
  readonly role: AgentRole
  readonly systemPrompt: string
  readonly tools: ToolBox
  /** What the task is about and what earlier subtasks found: the subtask memory as the executor reads it. */
  readonly background: string
  /** Replies per subtask; the last one has to be the result. */
  readonly maxSteps: number
  /** Characters of a tool's answer that are shown. */
  readonly toolText: number
  readonly budget: Budget
  /** What the subtask is called in the dialog. Default `Your subtask`. */
  readonly called?: string
  /** Told after each change: a new call, its answer. */
  onCall(call: ToolCall): void
}

/** A subtask that has not begun. */
export const newSubtask = (id: number, description: string): Subtask => ({
  id,
  description,
  status: 'waiting',
  calls: [],
  result: '',
  problem: null,
  thoughts: [],
  usage: { promptTokens: 0, completionTokens: 0, reusedTokens: 0, ms: 0 },
  wallMs: 0,
})

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}\n[${text.length - most} more characters left out]`

/** The tools as a model is told of them. */
export const describeTools = (tools: readonly ChatTool[]): string =>
  tools.length === 0
    ? 'There are no tools.'
    : tools
        .map(({ name, description, inputSchema }) => {
          const { properties, required } = inputSchema
          return `- ${name}: ${description.trim()}\n  arguments: ${JSON.stringify({ properties, required })}`
        })
        .join('\n')

/** What stands before a tool's answer. */
const GAVE_BACK = `The call gave back (${DATA_NOT_INSTRUCTIONS})`
const FAILED = `The call failed. (${DATA_NOT_INSTRUCTIONS})`

/** A tool's answer in the dialog. It may come from anywhere, so it is marked as data. */
const answerText = ({ text, failed, files }: ToolResult, most: number): string => {
  const restText = files.length === 0 ? '' : `\nFiles it left in the task's folder: ${files.join(', ')}`
  return `${failed ? FAILED : GAVE_BACK}:\n${fenced(cut(text, most))}${restText}`
}

/** What is whole of an answer that was cut; null for every other reply. A call is never used in part. */
function readCut({ text, finish }: Pick<GenerateResult, 'text' | 'finish'>): ExecutorReply | null {
  if (!isUnfinished(finish)) return null
  const whole = wholePart(text.trim())
  const answer = isRecord(whole) && !('tool' in whole) ? whole['answer'] : undefined
  return typeof answer === 'string' && answer.trim() !== '' ? { kind: 'answer', text: answer.trim() } : null
}

/** A reply, unless it answers with a placeholder, or with what its instructions say. */
const withoutEcho = (read: ExecutorReply, instructions: readonly string[]): ExecutorReply =>
  read.kind === 'answer' &&
  (isPlaceholder(read.text) ||
    repeatsSource(read.text, instructions) ||
    repeatsNotes(read.text, [GAVE_BACK, FAILED], [SAME_CALL.text]))
    ? { kind: 'neither', reason: 'The answer repeats the instruction.' }
    : read

/** Why a reply that could not be used broke off. */
const CUTS: Partial<Record<GenerateResult['finish'], string>> = {
  'max-tokens': 'The reply was cut at its length limit.',
  loop: 'The reply said the same again and again.',
}

async function callTool(
  tools: ToolBox,
  tool: string,
  args: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<ToolResult> {
  const names = tools.list().map(({ name }) => name)
  if (names.includes(tool)) return tools.call(tool, args, { signal })
  return {
    text: `There is no tool "${tool}". There are: ${names.join(', ') || 'none'}.`,
    failed: true,
    files: [],
    wallMs: 0,
  }
}

/**
 * Works on one subtask as an episode of its own (Memento section 4.1): call tools, read their answers, report a result. A tool
 * that fails is an answer like any other. A reply in no known form is repaired once. Comes back with the subtask done or failed; the
 * tool memory is its `calls`. A budget that is used up and a prompt that does not fit are reasons to fail, too.
 *
 * Rejects with whatever else the model failed with, or with an AbortError.
 */
export async function runSubtask(subtask: Subtask, input: ExecutorInput): Promise<Subtask> {
  const { role, tools, budget, maxSteps } = input
  const infos = tools.list()
  const startedAt = performance.now()
  let state: Subtask = { ...subtask, status: 'working' }
  let repaired = false
  let correction = ''
  /** The same call failed twice or was made too often in a row: the result is due. */
  let toolsEnded = false
  let messages: ChatMessage[] = [
    { role: 'system', content: `${input.systemPrompt}\n\n${describeTools(infos)}` },
    {
      role: 'user',
      content: `${input.background === '' ? '' : `${input.background}\n\n`}${input.called ?? 'Your subtask'}: ${subtask.description}`,
    },
  ]
  const end = (change: Pick<Subtask, 'status'> & Partial<Subtask>): Subtask => ({
    ...state,
    ...change,
    wallMs: Math.round(performance.now() - startedAt),
  })
  const getFailure = (problem: string): Subtask => end({ status: 'failed', problem })

  try {
    for (let step = 1; step <= maxSteps; step++) {
      const last = step === maxSteps || toolsEnded
      if (last && step > 1) messages = say(messages, 'This is your last step: report the result now.')
      const { reply, thought, usage } = await ask(
        role,
        messages,
        executorConstraint(last ? [] : infos),
        budget,
      )
      state = { ...state, usage: addUsage(state.usage, usage) }
      if (thought !== null) state = { ...state, thoughts: [...state.thoughts, thought] }
      messages = [...messages, { role: 'assistant', content: reply.text }]
      const read = withoutEcho(
        readCut(reply) ?? readExecutorReply({ ...reply, cut: isUnfinished(reply.finish) }, infos),
        [input.systemPrompt, correction],
      )
      if (read.kind === 'answer') return end({ status: 'done', result: read.text })
      if (read.kind === 'neither') {
        const reason = CUTS[reply.finish] ?? read.reason
        if (repaired) return getFailure(`The executor's reply could not be used, twice. ${reason}`)
        repaired = true
        correction = `${reason} Reply with one JSON object, {"tool": ..., "arguments": ...} or {"answer": ...}.`
        messages = say(messages, correction)
        continue
      }
      if (last) break
      const call: ToolCall = {
        index: state.calls.length,
        tool: read.tool,
        arguments: { ...read.arguments },
        answer: null,
      }
      input.onCall(call)
      const { failedBefore, tooOften } = repeats(state.calls, call)
      toolsEnded = failedBefore || tooOften
      const answer = failedBefore
        ? SAME_CALL
        : await callTool(tools, read.tool, read.arguments, budget.signal)
      const answered: ToolCall = {
        ...call,
        answer: {
          text: cut(answer.text, KEPT_TEXT),
          failed: answer.failed,
          ...(answer.isHeld && { isHeld: true as const }),
          ...(answer.heldBy && { heldBy: [...answer.heldBy] }),
          files: [...answer.files],
          wallMs: answer.wallMs,
        },
      }
      state = { ...state, calls: [...state.calls, answered] }
      input.onCall(answered)
      messages = say(messages, answerText(answer, input.toolText))
    }
    return getFailure(noResult(maxSteps))
  } catch (error) {
    const reason = budget.explain(error)
    if (reason instanceof BudgetSpent) return getFailure(reason.message)
    if (error instanceof LoamError && error.code === 'CONTEXT_OVERFLOW') return getFailure(TOO_LONG)
    throw error
  }
}
