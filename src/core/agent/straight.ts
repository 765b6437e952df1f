import { addUsage, NO_USAGE } from '../../shared/domain/usage'
import type { ContextCut } from '../../shared/domain/ask'
import { USUAL_FACT_FORM, type FactForm } from '../../shared/domain/model-profile'
import type { ItemRef } from '../../shared/domain/item'
import type { Round, Trajectory } from '../../shared/domain/trajectory'
import { LoamError } from '../../shared/errors'
import { BudgetSpent, openBudget, type Budget } from '../ground/budget'
import type { ChatImage, ChatMessage, Sampling, ToolCall } from '../ground/chat'
import type { PromptParts } from '../ground/method'
import { roundSeed } from '../ground/identity'
import { quoted } from '../ground/quote'
import { withoutLoop } from '../ground/replies/loop'
import type { ToolBox, ToolResult } from '../ground/tools'
import { CALL_FAILED } from '../verdict/round-complaint'
import { explain, type AttemptEvents, type AttemptInput } from './actor'
import { foreignIn, recallFor, watchedTools } from './foreign-text'
import { knownText, knownTurns } from './known-facts'
import {
  dialogMessages,
  fittedOf,
  messagesOf,
  NOTHING_EARLIER,
  openDialog,
  saying,
  userMessage,
  shorter,
  type Dialog,
  type Earlier,
} from './dialog'
import { KEPT_TEXT, SAME_CALL } from './executor'
import { watchCalls, withHeldCalls } from './held-calls'
import {
  actionOfCall,
  GO_ON,
  isCall,
  isEcho,
  isRepeated,
  joinCut,
  LAST_STEP,
  refuseCall,
  replyOf,
  tooLong,
  toolText,
  watchFirst,
  type Begun,
  type Ended,
  type TimedResult,
  type Work,
} from './straight-replies'

export interface StraightLimits {
  /** Replies; the last one has to be the answer. */
  readonly maxSteps: number
  /** Characters of a tool's answer that are shown. */
  readonly toolText: number
  readonly tokenBudget: number
  /** Seconds. */
  readonly timeBudget: number
  /** Whether a model that can think does. */
  readonly thinking: boolean
}

export interface StraightInput extends Omit<AttemptInput, 'environment' | 'softPrompt' | 'begun'> {
  readonly systemPrompt: string
  /** What is shown with the task: the files in its folder. */
  readonly shown: string
  /** What those files say, for the model alone. Default: nothing. */
  readonly attached?: string
  /** What was worked out for the task beforehand. Default: nothing. */
  readonly sums?: string
  /** Pictures among those files, for a model that takes them. Default: none. */
  readonly images?: readonly ChatImage[]
  readonly tools: ToolBox
  /** How facts stand before the task. Default: `USUAL_FACT_FORM`. */
  readonly factForm?: FactForm
  /** How tokens are drawn where the temperature is above 0. Default: the program's own. */
  readonly sampling?: Sampling | undefined
  readonly limits: StraightLimits
  /** The conversation that the task goes on with. Default: none. */
  readonly earlier?: Earlier
  /** Steps that are taken as they are, and what stands in for the next one; null: the model is asked. Default: it begins afresh. */
  readonly begun?: Begun | undefined
  /** What stands in for the first reply, by what is recalled. Default: nothing. */
  readonly opening?: (parts: Pick<PromptParts, 'retrieved'>) => Promise<Begun | undefined>
  /** Words of a person that wait to be taken in before the next step; empty for none. Default: nobody says anything. */
  readonly hear?: () => string
  /** Whether there are such words. */
  readonly peek?: () => boolean
}

/** How it went, and what had to go so that the dialog fitted; null when nothing had to. */
export interface AgentResult {
  readonly trajectory: Trajectory
  readonly fitted: ContextCut | null
  /** Facts that the message itself asked to be remembered. Default: none. */
  readonly facts?: readonly ItemRef[]
  /** What it tells of its writer in passing, a sentence each. Default: nothing. */
  readonly offers?: readonly string[]
  /** Tokens that its model can read. Default: not known. */
  readonly contextSize?: number
  /** Tokens of its fullest request, of planned work. Default: its rounds tell. */
  readonly contextUsed?: number
  /** What of its files was not read, in words. Default: nothing. */
  readonly unread?: string
}

export interface StraightEvents extends AttemptEvents {
  /** A tool is about to be called. */
  calling?(call: { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> }): void
  /** The dialog was made shorter. */
  fitted?(fit: ContextCut): void
  /** What of its files is not read, in words; empty for nothing. */
  unread?(words: string): void
}

/** What the files of an ask are called where it is told what was read. */
const ITS_FILES = 'the files of the ask'
/** Fewest tokens that a reply is left, where its dialog takes all the others. */
const LEAST_REPLY = 128

/** What is said of an answer that was ended since it repeated itself. */
export const LOOPED = 'It began to repeat itself; the repetition was left out.'
/** Why nobody has judged an ask yet. */
export const UNJUDGED = 'Nobody has judged it yet.'

/**
 * Straight at a task: one model calls tools until it replies without a call, and that reply is the answer. Each call is a round with
 * the tool's answer as its observation. When the dialog grows longer than the model can read, it is made shorter (`shorter`), and
 * `fitted` says how. Nothing is stored, and nothing is graded.
 *
 * Rejects with an AbortError when `signal` fires and with the model's error when it fails.
 */
export async function runStraight(
  { tools: box, ...rest }: StraightInput,
  events: StraightEvents = {},
): Promise<AgentResult> {
  const input = { ...rest, tools: withHeldCalls(box, watchCalls(rest), actionOfCall) }
  const { task, method, context, shown, limits } = input
  const startedAt = input.clock.now()
  const budget = openBudget(limits.tokenBudget, limits.timeBudget, input.signal)
  try {
    const signal = input.signal ? { signal: input.signal } : {}
    const tools = input.tools.list().map(({ name }) => name)
    const parts = await recallFor(method, { task, context: shown, tools, ...signal }, context)
    const attached = input.attached ?? ''
    const watched = watchedTools(input.tools, [...foreignIn(parts), ...(attached === '' ? [] : [ITS_FILES])])
    const recalls = await explain(parts, input)
    events.started?.({ context: shown, recalled: recalls })
    const rounds: Round[] = []
    const form = input.factForm ?? USUAL_FACT_FORM
    const preface = [attached === '' ? '' : quoted(attached, ITS_FILES), input.sums ?? '']
      .filter((part) => part !== '')
      .join('\n\n')
    const text = [knownText(parts, form).trimEnd(), preface === '' ? shown : preface, task.instruction]
      .filter((part) => part !== '')
      .join('\n\n')
    const { dialog, ...ending } = await work(
      { ...input, tools: watched, begun: input.begun ?? (await input.opening?.(parts)) },
      [...knownTurns(parts, form), userMessage(text, input.images)],
      rounds,
      budget,
      events,
    )
    const answer = ending.finish === 'completed' ? (rounds.at(-1)?.completion ?? null) : null
    const { payload: _own, ...taskFields } = task
    const trajectory: Trajectory = {
      id: input.id,
      runId: input.runId,
      memoryId: input.memoryId,
      task: { ...taskFields, context: shown },
      method: method.info.id,
      model: context.model.name,
      seed: context.seed,
      recalled: recalls,
      rounds,
      ...ending,
      question: { level: null, dataset: null, answer, grades: null },
      reward: 0,
      ungraded: UNJUDGED,
      ...(watched.read().length > 0 && { read: watched.read() }),
      usage: rounds.reduce((sum, round) => addUsage(sum, round.usage), NO_USAGE),
      ...(parts.decisions && parts.decisions.length > 0 ? { decisions: [...parts.decisions] } : {}),
      ...(parts.usage ? { recallUsage: parts.usage } : {}),
      startedAt: startedAt.toISOString(),
      finishedAt: input.clock.now().toISOString(),
    }
    return { trajectory, fitted: fittedOf(dialog) }
  } finally {
    budget.close()
  }
}

async function work(
  input: StraightInput,
  task: readonly ChatMessage[],
  rounds: Round[],
  budget: Budget,
  events: StraightEvents,
): Promise<Ended & { readonly dialog: Dialog }> {
  const { limits, begun } = input
  const state: Work = {
    dialog: openDialog(input.systemPrompt, input.earlier ?? NOTHING_EARLIER, task),
    rounds,
    failedCalls: new Set(),
    toolsEnded: false,
    keep: (round) => {
      const selection = { index: rounds.length, ...round }
      rounds.push(selection)
      events.round?.(selection)
    },
  }
  const end = (ending: Ended) => ({ ...ending, dialog: state.dialog })
  try {
    for (const { index: _was, ...round } of begun?.rounds ?? []) state.keep({ ...round, usage: NO_USAGE })
    state.dialog = saying(state.dialog, ...messagesOf(rounds))
    if (begun && begun.edit !== null) {
      const edited = replyOf(begun.edit, rounds.length, input.tools)
      const ending = await take(state, edited, '', false, input, budget, events)
      if (ending) return end(ending)
    }
    const first = rounds.length + 1
    for (let step = first; step <= Math.max(limits.maxSteps, rounds.length + 1); step++) {
      const last = step >= limits.maxSteps || state.toolsEnded
      if (last && step > 1) state.dialog = saying(state.dialog, { role: 'user', content: LAST_STEP })
      const report = input.hear?.() ?? ''
      if (report !== '') state.dialog = saying(state.dialog, { role: 'user', content: report })
      const beginning = step === first ? (begun?.beginning ?? '') : ''
      const result =
        beginning === ''
          ? await reply(input, state, step, last, budget, events)
          : await goOn(beginning, input, state, step, budget, events)
      const ending = await take(state, result, report, last || beginning !== '', input, budget, events)
      if (ending) return end(ending)
    }
    return end({ finish: 'round-limit', reason: `No answer within ${limits.maxSteps} steps.` })
  } catch (error) {
    const why = budget.explain(error)
    if (why instanceof BudgetSpent) return end({ finish: 'budget', reason: why.message })
    if (error instanceof LoamError && error.code === 'CONTEXT_OVERFLOW')
      return end({ finish: 'context-overflow', reason: tooLong(error, input) })
    throw error
  }
}

/** What a reply comes to: calls are made and their answers kept; text is the answer, unless the person has said more meanwhile. */
async function take(
  state: Work,
  result: TimedResult,
  report: string,
  last: boolean,
  input: StraightInput,
  budget: Budget,
  events: StraightEvents,
): Promise<Ended | null> {
  const { tools, limits, hear, peek } = input
  const thought = result.thought ? { thought: result.thought } : {}
  const calls = last ? [] : (result.toolCalls ?? [])
  // A server may not end a reply that repeats itself, and one cut at its limit shows it only as a whole.
  const { text: reply, looped } =
    result.finish === 'loop' ? { text: result.text, looped: true } : withoutLoop(result.text)
  const message = {
    completion: reply,
    usage: result.usage,
    ...thought,
    ...(report !== '' && { heard: report }),
    ...(result.firstMs !== undefined && { firstMs: result.firstMs }),
  }
  if (calls.length === 0) {
    const text = reply.trim()
    if (isCall(text, tools)) return refuseCall(state, message, last)
    const reason =
      text === ''
        ? 'The model replied with nothing.'
        : isEcho(text, input)
          ? 'It only said again what it was told.'
          : null
    if (reason !== null) {
      state.keep({ ...message, action: { kind: 'invalid', reason }, observation: null })
      return { finish: 'invalid-action', reason }
    }
    const more = !last && hear !== undefined && peek?.() === true
    state.keep({
      ...message,
      action: { kind: more ? 'message' : 'answer', content: text },
      observation: null,
    })
    if (more) {
      state.dialog = saying(state.dialog, { role: 'assistant', content: result.text })
      return null
    }
    if (looped) return { finish: 'completed', reason: LOOPED }
    return result.finish === 'max-tokens'
      ? { finish: 'output-limit', reason: 'The answer was cut at its length limit.' }
      : { finish: 'completed' }
  }
  state.dialog = saying(state.dialog, { role: 'assistant', content: result.text, toolCalls: calls })
  for (const [i, call] of calls.entries()) {
    const key = `${call.name} ${JSON.stringify(call.arguments)}`
    if (state.failedCalls.has(key) || isRepeated(key, state.rounds)) state.toolsEnded = true
    const answer = state.failedCalls.has(key) ? SAME_CALL : await callTool(tools, call, budget.signal, events)
    if (answer.failed) state.failedCalls.add(key)
    const content = toolText(answer, limits.toolText)
    state.dialog = saying(state.dialog, { role: 'tool', callId: call.id, name: call.name, content })
    const { id, name, arguments: args } = call
    state.keep({
      ...(i === 0 ? message : { completion: '', usage: NO_USAGE }),
      call: { id, name, arguments: { ...args }, said: i === 0 ? result.text : '' },
      action: { kind: 'operation', content: actionOfCall(name, args) },
      observation: `${answer.failed ? CALL_FAILED : ''}${answer.text.slice(0, KEPT_TEXT)}`,
      ...(answer.failed && { failed: true as const }),
      ...(answer.isHeld && { isHeld: true as const }),
      ...(answer.heldBy && { heldBy: [...answer.heldBy] }),
      from: 'tool',
    })
  }
  return null
}

/** The rest of an answer that was cut, with what stands of it already. A model that cannot go on with a reply is asked to in words. */
async function goOn(
  beginning: string,
  input: StraightInput,
  state: Work,
  step: number,
  budget: Budget,
  events: StraightEvents,
): Promise<TimedResult> {
  events.token?.(beginning)
  const goesOn = input.context.model.can?.goesOn === true
  const before = state.dialog
  if (!goesOn)
    state.dialog = saying(before, { role: 'assistant', content: beginning }, { role: 'user', content: GO_ON })
  const rest = await reply(input, state, step, true, budget, events, goesOn ? beginning : undefined)
  return { ...rest, text: goesOn ? beginning + rest.text : joinCut(beginning, rest.text) }
}

/** Asks the model; while the dialog does not fit, once more with a shorter one, until it does or nothing is left to go. */
async function reply(
  input: StraightInput,
  state: Work,
  step: number,
  last: boolean,
  budget: Budget,
  events: StraightEvents,
  beginning?: string,
): Promise<TimedResult> {
  const { context, limits } = input
  const offered = last ? [] : input.tools.list()
  let most = input.maxTokens
  for (;;) {
    budget.check()
    const watch = watchFirst(input.clock, budget, events)
    try {
      const result = await context.model.generate(
        {
          messages: dialogMessages(state.dialog),
          ...(offered.length > 0 && { tools: offered }),
          temperature: input.temperature,
          ...(input.sampling && { sampling: input.sampling }),
          stopLoops: true,
          seed: roundSeed(context.seed, input.task.index, step),
          maxTokens: most,
          ...(beginning !== undefined && { beginning }),
          thinking: limits.thinking ? 'on' : 'off',
        },
        { signal: budget.signal, onHeld: watch.onHeld, onToken: watch.onToken },
      )
      budget.spend(result.usage)
      return { ...result, ...watch.first() }
    } catch (error) {
      if (!(error instanceof LoamError) || error.code !== 'CONTEXT_OVERFLOW') throw error
      const less = await shorter(state.dialog, context.model, {
        signal: budget.signal,
        onHeld: budget.onHeld,
      })
      if (!less) {
        // Where nothing else can go, a shorter reply is better than none.
        if (most / 2 < LEAST_REPLY) throw error
        most = Math.floor(most / 2)
        continue
      }
      state.dialog = less
      const fit = fittedOf(less)
      if (fit) events.fitted?.(fit)
    }
  }
}

async function callTool(
  tools: ToolBox,
  call: ToolCall,
  signal: AbortSignal,
  events: StraightEvents,
): Promise<ToolResult> {
  if (call.problem !== undefined) return { text: call.problem, failed: true, files: [], wallMs: 0 }
  events.calling?.({ tool: call.name, arguments: call.arguments })
  return tools.call(call.name, call.arguments, { signal })
}
