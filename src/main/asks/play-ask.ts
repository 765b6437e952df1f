import { runAttempt, type AttemptInput } from '../../core/agent/actor'
import { forAsks } from '../../core/agent/ask-recall'
import type { Earlier, EarlierTurn } from '../../core/agent/dialog'
import type { PlannedBegin } from '../../core/agent/planned-begin'
import type { QuestionEvents } from '../../core/agent/question-attempt'
import { UNJUDGED, type AgentResult, type StraightEvents } from '../../core/agent/straight'
import type { Sampling } from '../../core/ground/chat'
import { attemptId } from '../../core/ground/identity'
import { recallingOnly } from '../../core/lab/why'
import { scopedBank } from '../../core/memory/items/scoped-bank'
import { encoderFor } from '../../core/retrieval/calibration'
import type { Method, MethodContext, RecalledPart } from '../../core/ground/method'
import type { LanguageModel } from '../../core/ground/ports'
import { dialogText } from '../../core/ground/prompt'
import { isQuestions, type QuestionEnvironment } from '../../core/ground/question-environment'
import type { ToolBox } from '../../core/ground/tools'
import { findMethod } from '../../core/methods'
import { tellingBeforeCalls } from '../../core/recall/with-beliefs'
import { QUESTION_ENVIRONMENT } from '../../core/tasks'
import type { QuestionEntry } from '../../core/tasks/qa/entry'
import { askName, ASK_TOKENS, type AskInfo, type AskEnvironment } from '../../shared/domain/ask'
import type { ItemRef } from '../../shared/domain/item'
import { applyPlanEvent, plannedSteps, type PlanCycle } from '../../shared/domain/plan'
import type { FactForm } from '../../shared/domain/model-profile'
import type { Task } from '../../shared/domain/task'
import type { Round, Trajectory } from '../../shared/domain/trajectory'
import { LoamError } from '../../shared/errors'
import type { Host } from '../host/host'
import { requireTemplates } from '../ground/prompts'
import { allowedTools, rememberingAsker } from '../questions/question-world'
import type { Memories } from '../memories/memories'
import type { ModelProfiles } from '../models/model-profiles'
import { usesTools } from '../models/usual-model'
import type { StreamsArea } from '../streams/open-streams'
import { askerOf } from '../tools/open-tools'
import type { ToolServers } from '../tools/tool-servers'
import { FIXED_SEED, mayPlan, samplingOf, serversOf } from './ask-defaults'
import { askedAgain } from './asked-again'
import { withAttachmentNote } from './attachment-note'
import { cannotAnswer, withLanguageNote } from './language-note'
import { offersOf } from './fact-offers'
import { withOwnFiles } from './own-files'
import { unseenPictures } from './file-texts'
import { withMeter } from './metered-model'
import { NO_PLANNER, NO_TOOLS, orPlainly, withReason } from './plain-answer'
import { playPlanned } from './play-planned'
import { playStraight } from './play-straight'
import { remember, toRemember } from './remember'
import { inWorldForm } from './environment-form'

/** What asks need of other areas. */
export interface AskNeeds extends StreamsArea {
  readonly memories: Memories
  readonly tools: ToolServers
  readonly profiles: Pick<
    ModelProfiles,
    'get' | 'formFor' | 'callsTools' | 'cannotWrite' | 'goOn' | 'hasReader'
  >
}

export type AskEvents = StraightEvents & QuestionEvents

/** One try at an ask, in a folder of its own. */
export interface AskTry {
  /** With the spec of this try. */
  readonly ask: AskInfo
  readonly index: number
  /** The task that it belongs to: attempts at one goal have the same. */
  readonly goal: string
  readonly folder: string
  /** Names of the files it finds there. */
  readonly files: readonly string[]
  readonly earlier: Earlier
  /** Which recalled items are shown; null for all. */
  readonly shows: ((item: ItemRef) => boolean) | null
  /** Steps taken as they were, and what stands in for the next one; null: it begins at the message. */
  readonly begun: {
    readonly rounds: readonly Round[]
    /** In planned work, the steps and where it leaves them. */
    readonly planned: PlannedBegin | null
    readonly edit: string | null
    /** What the answer that was cut begins with. Default: nothing. */
    readonly beginning?: string
  } | null
  /** What the person said since it was last asked for; empty for nothing. */
  hear(): string
  /** Whether they said something. */
  peek(): boolean
  /** Keeps the folder as it is after some steps. */
  keepStep(steps: number): Promise<void>
  /** Whether a model that took the engine down last time is loaded all the same: a person has just asked for it. */
  readonly insists: boolean
  /** Whether its world's own solution says how it went, as in a replay, whose world is solved by what a person accepted. Default: nobody has judged it. */
  readonly graded?: boolean
  readonly signal: AbortSignal
}

/** The environment that an ask is filed under. */
export const environmentOfAsk = async ({ world }: AskInfo['spec'], needs: StreamsArea): Promise<string> =>
  world === null ? QUESTION_ENVIRONMENT : (await taskOfWorld(world, needs)).environment

/** The task in whose world an ask acts. @throws LoamError `NOT_FOUND`, `BAD_INPUT` where nothing can be acted in */
export async function taskOfWorld(
  { stream, index }: AskEnvironment,
  { streams, environments }: StreamsArea,
): Promise<Task> {
  const { tasks, info } = await streams.load(stream)
  const task = tasks[index]
  if (!task)
    throw new LoamError(
      'BAD_INPUT',
      `${info.title} has ${tasks.length} tasks; there is no task ${index + 1}.`,
      {
        suggestion: 'Choose one of its tasks.',
      },
    )
  await environments.acting(task.environment)
  return task
}

/** What a method is given for an ask, with a model that may be loaded or not: of the memory, what the ask's project sees. */
export async function contextOf(
  { spec, folder }: AskInfo,
  model: LanguageModel,
  host: Host,
  { memories }: Pick<AskNeeds, 'memories'>,
): Promise<MethodContext & { readonly bank: Awaited<ReturnType<Memories['open']>> }> {
  const memory = await memories.open(spec.memoryId)
  return {
    bank: scopedBank(memory, folder),
    embedder: await encoderFor(findMethod(spec.method).info, await host.embedder(), memory),
    prompts: await host.prompts(),
    model,
    settings: {},
    k: spec.k,
    seed: spec.seed ?? FIXED_SEED,
  }
}

/** What a plain ask is as a task: a question without files whose answer nobody knows beforehand. */
export const PLAIN_QUESTION: QuestionEntry = {
  references: [],
  scorer: 'open',
  level: null,
  dataset: null,
  attachments: [],
}

/**
 * Works on an ask once: in its world, or with tools, straight or with a plan. What comes back is ungraded: only a person judges asks.
 * Rejects with an AbortError when the signal fires, and with what loading or the model failed with.
 */
export async function playAsk(
  message: AskTry,
  host: Host,
  needs: AskNeeds,
  events: AskEvents,
): Promise<AgentResult> {
  const statements = toRemember(message.ask)
  if (statements !== null && message.begun === null)
    return remember(message, statements, host, needs.memories, events)
  const one = await withRequest(message, host, needs)
  const { ask, index, signal } = one
  const { spec } = ask
  const ownMethod = tellingBeforeCalls(withOwnFiles(findMethod(spec.method), spec.ownFiles))
  const factForm = await needs.profiles.formFor(spec.model)
  const foundMethod = spec.world === null ? forAsks(ownMethod, factForm) : ownMethod
  const method = one.shows ? recallingOnly(foundMethod, one.shows) : foundMethod
  const environment = await environmentOfAsk(spec, needs)
  requireTemplates(method, environment, await host.prompts())
  const model = await host.loadModel(spec.model, { signal, retryAfterCrash: one.insists, first: true })
  const { sampling, temperature, seed } = samplingOf(spec, model)
  const context = { ...(await contextOf(ask, model, host, needs)), seed }
  const world = spec.world === null ? null : await taskOfWorld(spec.world, needs)
  const task: Task = {
    id: one.goal,
    index,
    environment,
    instruction: spec.text,
    skills: world?.skills ?? [],
    payload: world?.payload ?? PLAIN_QUESTION,
  }
  const input = {
    id: attemptId(ask.id, index),
    runId: ask.id,
    memoryId: context.bank.id,
    task,
    method,
    context,
    clock: host.clock,
    temperature,
    ...(sampling && { sampling }),
    factForm,
    maxTokens: spec.maxTokens ?? ASK_TOKENS,
    hear: () => one.hear(),
    signal,
  }
  const played = world
    ? await playInWorld(one, world, input, needs, events)
    : await playWithTools(one, input, model, host, needs, events)
  if (world === null) void needs.profiles.goOn(spec.model)
  const noted = world === null ? withAttachmentNote(played.trajectory, one.files) : played.trajectory
  const trajectory = await withLanguageNote(noted, spec.model, needs.profiles)
  return {
    ...played,
    trajectory: withEarlier(trajectory, one.earlier),
    contextSize: model.contextSize,
    offers: one.begun === null ? await offersOf(ask, one.earlier, context.bank, host.tells) : [],
  }
}

/** A message that only calls an answer wrong, or asks for another, as its request once more: a small model that reads an answer repeats it. */
async function withRequest(message: AskTry, host: Host, { profiles }: AskNeeds): Promise<AskTry> {
  const { ask, begun, earlier } = message
  const again = begun === null && ask.spec.world === null ? askedAgain(ask.spec.text, earlier) : null
  if (again === null || (await usesTools(ask.spec.model, host, profiles))) return message
  return { ...message, ask: { ...ask, spec: { ...ask.spec, text: again.text } }, earlier: again.earlier }
}

type Played = Omit<AttemptInput, 'environment' | 'softPrompt' | 'begun'> & {
  readonly sampling?: Sampling
  readonly factForm: FactForm
}

const SHOWN_CHARACTERS = 300

/** What was said before stands with the task where it is kept: "and the second one?" says little by itself. */
function withEarlier(trajectory: Trajectory, { turns }: Earlier): Trajectory {
  if (turns.length === 0) return trajectory
  const messages = turns.slice(-3).map(({ text }) => `- ${text.slice(0, SHOWN_CHARACTERS)}`)
  const { task } = trajectory
  const context = [task.context, `Said before: \n${messages.join('\n')}`].filter(Boolean).join('\n')
  return { ...trajectory, task: { ...task, context } }
}

/** In a world what was said and done before stands among the past attempts, the newest nearest to the task. */
async function playInWorld(
  one: AskTry,
  world: Task,
  input: Played,
  needs: AskNeeds,
  events: AskEvents,
): Promise<AgentResult> {
  const environment = await needs.environments.acting(world.environment)
  const { begun, earlier } = one
  const replies = begun?.rounds.map(({ completion }) => completion) ?? []
  const edit = begun?.edit ?? null
  if (edit !== null) replies.push(inWorldForm(world, edit))
  for (let removalCount = 0; ; removalCount++) {
    const method = rememberingTurns(input.method, earlier.turns.slice(removalCount))
    // The words of the ask are the person's own, so the task's solution says nothing about them.
    const { scores: _grades, ...played } = await runAttempt(
      { ...input, method, environment, begun: replies },
      events,
    )
    const fit = removalCount === 0 ? null : { answers: 0, turns: removalCount, summary: '' }
    const trajectory: Trajectory = one.graded ? played : { ...played, reward: 0, ungraded: UNJUDGED }
    if (played.finish !== 'context-overflow' || removalCount >= earlier.turns.length)
      return { trajectory, fitted: fit }
    events.fitted?.({ answers: 0, turns: removalCount + 1, summary: '' })
  }
}

const rememberingTurns = (method: Method, turns: readonly EarlierTurn[]): Method => ({
  ...method,
  async recall(input, context) {
    const parts = await method.recall(input, context)
    const recalledParts = turns.map(({ text, rounds }, i): RecalledPart => ({
      text: `Earlier: ${text}\n${dialogText(rounds)}`,
      item: {
        kind: 'trajectory',
        id: `earlier-${i}`,
        trajectoryId: null,
        title: text.slice(0, SHOWN_CHARACTERS),
        score: null,
        scoreKind: 'conversation',
        reward: null,
      },
    }))
    return { ...parts, retrieved: [...parts.retrieved, ...recalledParts] }
  },
})

async function playWithTools(
  one: AskTry,
  input: Played,
  model: LanguageModel,
  host: Host,
  needs: AskNeeds,
  events: AskEvents,
): Promise<AgentResult> {
  const { spec } = one.ask
  const isPlanned = spec.way === 'plan' && (one.begun?.planned || (await mayPlan(spec, host, needs.profiles)))
  if (spec.way === 'plan' && !isPlanned) {
    const ask: AskInfo = { ...one.ask, spec: { ...spec, way: 'straight' } }
    return withReason(await playWithTools({ ...one, ask }, input, model, host, needs, events), NO_PLANNER)
  }
  const { files, earlier, begun } = one
  const box = await openTools(one, host, needs, events)
  try {
    const { world } = needs.environments
    const straight = {
      ...{ ...one, usesTools: await usesTools(spec.model, host, needs.profiles) },
      cannotAnswer: (text: string) => cannotAnswer(text, spec.model, needs.profiles),
    }
    const plainly = (findings: string): Promise<AgentResult> =>
      playStraight({ ...straight, begun: null }, input, NO_TOOLS, findings, world, {
        ...(events.token && { token: events.token }),
        ...(events.fitted && { fitted: events.fitted }),
      })
    if (!isPlanned) {
      const played = await playStraight(straight, input, box.tools, null, world, box.events)
      return box.tools.list().length === 0 ? played : await orPlainly(played, plainly, box.events)
    }
    const questions = await questionsOf(needs)
    const tools = { box: box.tools, files, close: () => Promise.resolve() }
    const metered = withMeter(model)
    const ports = {
      planner: metered.model,
      executor: metered.model,
      judge: model,
      openTools: () => Promise.resolve(tools),
    }
    const planned = begun?.planned ?? undefined
    const environment = { ...questions, ports }
    const played = await playPlanned(
      { ...input, environment, ...(planned && { planned }) },
      earlier,
      spec.instructions,
      box.events,
    )
    const result = { ...played, contextUsed: metered.fullest(), unread: unseenPictures(files) }
    return await orPlainly(result, plainly, box.events)
  } finally {
    await box.close()
  }
}

async function questionsOf({ environments }: StreamsArea): Promise<QuestionEnvironment> {
  const questions = await environments.get(QUESTION_ENVIRONMENT)
  if (!isQuestions(questions)) throw new Error('The environment of questions is one that is acted in.')
  return questions
}

/** The tools of a try; after each step the folder is kept as it then is. */
async function openTools(one: AskTry, host: Host, { tools, profiles }: AskNeeds, events: AskEvents) {
  const { ask, folder } = one
  const from = askName(ask)
  const box = await tools.openBox({
    from,
    folder,
    servers: await serversOf(one, host, tools, profiles),
    allowed: allowedTools({}),
    ask: rememberingAsker(askerOf(host, tools)(from)),
  })
  const [problem] = box.problems
  if (problem) {
    await box.close()
    throw new LoamError(
      'CONFLICT',
      `The tools of ${problem.server} could not be started: ${problem.reason}`,
      {
        suggestion: 'Take them off the ask, or see to them in the settings.',
        retryable: true,
      },
    )
  }
  let steps = 0
  let cycles: PlanCycle[] = []
  const watched: AskEvents = {
    ...events,
    plan(event) {
      cycles = applyPlanEvent(cycles, event)
      if (event.kind === 'subtask' && event.subtask.status === 'working')
        steps = plannedSteps(cycles).findIndex(
          ({ cycle, subtask }) =>
            cycle === event.cycle &&
            subtask !== null &&
            cycles[cycle]?.subtasks[subtask]?.id === event.subtask.id,
        )
      events.plan?.(event)
    },
    round(round) {
      steps = round.index + 1
      events.round?.(round)
    },
  }
  const keeping: ToolBox = {
    list: () => box.list(),
    async call(name, args, options) {
      const answer = await box.call(name, args, options)
      await one.keepStep(steps + 1)
      return answer
    },
  }
  return { tools: keeping, events: watched, close: () => box.close() }
}
