import { attemptHead } from './attempt-head'
import type { PlanEvent } from '../../shared/domain/plan'
import type { Trajectory } from '../../shared/domain/trajectory'
import type { Task } from '../../shared/domain/task'
import { roundSeed } from '../ground/identity'
import type { PromptParts, RecalledPart } from '../ground/method'
import { readSettings, type SettingsOf } from '../ground/settings'
import { AGENT } from './settings'
import type { LanguageModel } from '../ground/ports'
import type { QuestionEnvironment } from '../ground/question-environment'
import type { QuestionEntry } from '../tasks/qa/entry'
import { filesText, questionOf } from '../tasks/qa/environment'
import { gradeAnswer, isJudged } from '../tasks/qa/grade'
import { explain, type AttemptEvents, type AttemptInput } from './actor'
import type { AgentRole } from '../ground/ask'
import { runDirectAnswer } from './direct-answer'
import { foreignIn, recallFor, watchedTools } from './foreign-text'
import { runExecutorAlone } from './executor-alone'
import type { PlannedBegin } from './planned-begin'
import { runPlannerExecutor, type LoopResult } from './planner-executor'
import { feedbackStage, roundOf } from './question-feedback'
import { recalledText, systemText } from '../ground/prompt'
import type { ToolBox } from '../ground/tools'
import { canonicalJson } from '../ground/canonical-json'
import { watchCalls, withHeldCalls } from './held-calls'

/** The tools of one attempt, over a folder of its own. */
export interface AttemptTools {
  readonly box: ToolBox
  /** Names of the files in the folder: the task's attachments. */
  readonly files: readonly string[]
  /** Ends what was started for the attempt; the folder goes too. */
  close(): Promise<void>
}

/** What question tasks need besides an actor's input. */
export interface QuestionPorts {
  readonly planner: LanguageModel
  readonly executor: LanguageModel
  readonly judge: LanguageModel
  openTools(task: Task, attemptId: string): Promise<AttemptTools>
}

/** The question environment with everything a run needs to work in it. */
export interface QuestionWorld extends QuestionEnvironment {
  readonly ports: QuestionPorts
}

export type QuestionInput = Omit<AttemptInput, 'environment' | 'softPrompt'> & {
  readonly environment: QuestionWorld
  /** Where it leaves an earlier attempt. Default: it begins afresh. */
  readonly planned?: PlannedBegin
  /** Whether the attempt says what it read that nobody checked, so that what it teaches is shown as data. Default: no, as in a stream's own world. */
  readonly noteRead?: boolean
}

export interface QuestionEvents extends AttemptEvents {
  plan?(event: PlanEvent): void
}

const listed = (title: string, parts: readonly RecalledPart[]): string =>
  parts.length === 0 ? '' : `${title}\n\n${parts.map(({ text }) => text).join('\n\n')}\n\n`

/** What was recalled, as the planner reads it: plans that worked and plans that failed apart, as Memento's prompt shows its cases. */
function plannerRecall(parts: PromptParts): string {
  const cases = parts.retrieved.filter(({ item }) => item.kind === 'case' && item.reward !== null)
  const others = parts.retrieved.filter((part) => !cases.includes(part))
  return (
    recalledText({ ...parts, retrieved: others }) +
    listed(
      'Plans that worked on similar tasks:',
      cases.filter(({ item }) => item.reward === 1),
    ) +
    listed(
      'Plans that failed on similar tasks; avoid their mistakes:',
      cases.filter(({ item }) => item.reward === 0),
    )
  )
}

/** What an attempt without tools has: the names of its files. */
const noTools = ({ attachments }: QuestionEntry): AttemptTools => ({
  box: { list: () => [], call: (name) => Promise.reject(new Error(`There is no tool ${name}.`)) },
  files: attachments.map(({ name }) => name),
  close: () => Promise.resolve(),
})

/** Planner and executor share one count of model calls, so that every call of an attempt has a seed of its own. */
function rolesOf(
  { context, task, environment: { ports }, ...input }: QuestionInput,
  settings: SettingsOf<typeof AGENT>,
  events: QuestionEvents,
) {
  let calls = 0
  const common = {
    thinkTokens: settings.thinkTokens,
    maxTokens: input.maxTokens,
    temperature: input.temperature,
    ...(input.sampling && { sampling: input.sampling }),
    nextSeed: () => roundSeed(context.seed, task.index, calls++),
    about: () => ({ task: task.id, call: calls - 1 }),
    ...(events.token && { onToken: events.token }),
  }
  const planner: AgentRole = { ...common, model: ports.planner, thinking: settings.plannerThinking }
  const executor: AgentRole = { ...common, model: ports.executor, thinking: settings.executorThinking }
  return { planner, executor }
}

/**
 * One attempt at a question: in one reply where that is set, else recall, then planner and executor in turn until there is an answer or a limit is reached, then the
 * grade. Nothing is stored here; the runner commits what comes back.
 *
 * Rejects with an AbortError when `signal` fires, and with the engine's error when planner or executor lose it; a judge that is lost
 * leaves the attempt ungraded.
 */
export async function runQuestion(input: QuestionInput, events: QuestionEvents = {}): Promise<Trajectory> {
  const { task, environment, method, context } = input
  const { ports } = environment
  const signal = input.signal ? { signal: input.signal } : {}
  const startedAt = input.clock.now()
  const entry = questionOf(task)
  const settings = readSettings(AGENT, context.settings)
  const judge = isJudged(entry, settings.grade)
    ? { model: ports.judge, template: environment.judgePrompt }
    : null
  if (settings.direct === 'on' && entry.attachments.length === 0)
    return runDirectAnswer(input, entry, judge, events)
  const tools = settings.tools ? await ports.openTools(task, input.id) : noTools(entry)
  try {
    const label = filesText(tools.files)
    const toolNames = tools.box.list().map(({ name }) => name)
    const all = await recallFor(method, { task, context: label, tools: toolNames, ...signal }, context)
    // Cases are for planning.
    const parts = settings.planner
      ? all
      : { ...all, retrieved: all.retrieved.filter(({ item }) => item.kind !== 'case') }
    const heldBox = withHeldCalls(tools.box, watchCalls(input), (_, args) => canonicalJson(args))
    const watched = watchedTools(heldBox, [
      ...foreignIn(parts),
      ...(tools.files.length === 0 ? [] : ['the files of the task']),
    ])
    const recalls = await explain(parts, input)
    events.started?.({ context: label, recalled: recalls, isPlanned: true })
    const { planner, executor } = rolesOf(input, settings, events)
    const prompt = settings.planner ? environment.plannerPrompt : environment.alonePrompt
    const feedback = feedbackStage(input, { context: label, tools: toolNames }, parts)
    const loop: LoopResult = await (settings.planner ? runPlannerExecutor : runExecutorAlone)({
      planner,
      executor,
      plannerPrompt: systemText(prompt, parts),
      executorPrompt: environment.executorPrompt,
      recalled: plannerRecall(parts),
      question: task.instruction,
      context: label,
      tools: watched,
      limits: settings,
      ...(input.planned && { begun: input.planned }),
      ...(method.revise && { advise: feedback.advise }),
      ...(input.hear && { hear: input.hear }),
      ...signal,
      ...(events.plan && { onEvent: events.plan }),
    })
    const finishedAt = input.clock.now()
    const recallUsage = feedback.usage()
    // What was cut is no answer, whatever it begins with: nothing is to be learned from it as from a success.
    const whole = loop.finish === 'completed' ? loop.answer : null
    const { grades, reward, ungraded } = await gradeAnswer(task.instruction, entry, whole, judge, {
      tests: environment.tests ?? null,
      by: settings.grade,
      signal: input.signal,
    })
    return {
      ...attemptHead(input, { context: label }, ports.planner.name),
      recalled: recalls,
      rounds: loop.cycles.map(roundOf),
      finish: loop.finish,
      ...(loop.reason === null ? {} : { reason: loop.reason }),
      cycles: [...loop.cycles],
      question: { level: entry.level, dataset: entry.dataset, answer: loop.answer, grades },
      reward,
      ...(ungraded === undefined ? {} : { ungraded }),
      ...(input.noteRead === true && watched.read().length > 0 && { read: watched.read() }),
      usage: loop.usage,
      ...(feedback.decisions.length > 0 ? { decisions: [...feedback.decisions] } : {}),
      ...(recallUsage ? { recallUsage } : {}),
      startedAt: startedAt.toISOString(),
      finishedAt: finishedAt.toISOString(),
    }
  } finally {
    await tools.close()
  }
}
