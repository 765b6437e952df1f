import type { runAttempt, ServedSoftPrompt } from '../../core/agent/actor'
import { runQuestion, type QuestionWorld } from '../../core/agent/question-attempt'
import { abortable, isAbortError } from '../../core/ground/abort'
import { attemptId } from '../../core/ground/identity'
import { isHeldOut, isSolvedBefore, ONCE, streamCount } from '../../core/lab/protocol'
import {
  applyRunEvent,
  carriedStep,
  stepOf,
  type RunEvent,
  type RunRecord,
  type StepEvent,
} from '../../core/lab/run-record'
import { runTasks } from '../../core/lab/runner'
import {
  NOTHING_LEARNED,
  type DistilOrder,
  type Method,
  type MethodContext,
  type PlayAttempt,
} from '../../core/ground/method'
import type { CaseBank, Clock, Embedder, LanguageModel, PromptTemplates } from '../../core/ground/ports'
import type { Environment } from '../../core/ground/environment'
import { isQuestions } from '../../core/ground/question-environment'
import type { Distilling, RunDelta } from '../../shared/domain/run'
import type { Task } from '../../shared/domain/task'
import type { Trajectory, Usage } from '../../shared/domain/trajectory'
import { LoamError, type LoamErrorShape } from '../../shared/errors'
import type { RunModels } from './run-models'
import { listen, runDelta, type RunEntry } from './run-entry'

/** What a run works with, made ready when its turn comes. */
export interface RunResources {
  readonly tasks: readonly Task[]
  readonly method: Method
  readonly environment: Environment | QuestionWorld
  readonly bank: CaseBank
  readonly embedder: Embedder
  /** The run's own. */
  readonly model: LanguageModel
  /** How actor and roles ask. Default: all ask the run's own. */
  readonly models?: Pick<RunModels, 'acting' | 'of'>
  readonly prompts: PromptTemplates
  /** What is worth knowing of the models. Default: nothing. */
  readonly notes?: readonly string[]
  /** What the model was loaded with, to be put first in every prompt. */
  readonly softPrompt?: ServedSoftPrompt
  /** Trains the soft prompt a method asks for, or finds it trained already, and loads the model with it. Default: there is none. */
  distil?(order: DistilOrder, done: number, watch: DistilWatch): Promise<Distilled>
}

export interface DistilWatch {
  readonly signal: AbortSignal
  readonly onProgress: (now: Distilling) => void
}

/** What a run goes on with after a soft prompt was trained, or could not be. */
export interface Distilled {
  readonly model: LanguageModel
  /** Undefined when none is served. */
  readonly softPrompt: ServedSoftPrompt | undefined
  /** What it took; null when it had fallen due, and was counted, before an earlier task. */
  readonly usage: Usage | null
  /** Why it was not trained, where the order says to go on without; the model is then served as it was before. */
  readonly problem?: LoamErrorShape
}

/** A training that failed, with its reason: the run rests, and trains on from its last checkpoint when it is resumed. */
export class TrainingStopped extends Error {
  constructor(readonly reason: unknown) {
    super('A training failed.', { cause: reason })
  }
}

/** What playing a run needs of the service that holds it. */
export interface PlayPorts {
  prepare(record: RunRecord, signal: AbortSignal, insist: boolean, sequences: number): Promise<RunResources>
  readonly clock: Clock
  readonly attempt: typeof runAttempt
  /** Tells watchers of a change. */
  tell(entry: RunEntry, delta: RunDelta): void
  /** Applies an event to the run and stores it. */
  record(entry: RunEntry, event: RunEvent): Promise<void>
}

/** Milliseconds between two reports of how a training stands. */
const TELL_EVERY_MS = 300

/**
 * Plays a run from its next task on, building memory and training soft prompts where its method asks for it.
 *
 * @returns `paused` when the run is to rest before its end.
 * @throws AbortError when `signal` fires; whatever preparing, an attempt, learning or storing failed with.
 */
// eslint-disable-next-line max-lines-per-function -- one factory: its closures share what it opened
export async function playRun(
  entry: RunEntry,
  signal: AbortSignal,
  { prepare, clock, attempt, tell, record }: PlayPorts,
): Promise<'done' | 'paused'> {
  const { record: run, steps } = entry.state
  const {
    tasks,
    method,
    environment,
    softPrompt,
    distil,
    model,
    models,
    notes = [],
    ...parts
  } = await abortable(prepare(run, signal, entry.insist, entry.lane?.width ?? 1), signal)
  for (const text of notes)
    if (!entry.state.notes.includes(text))
      await record(entry, { kind: 'noted', text, at: clock.now().toISOString() })
  const { protocol } = run.config
  const contextOn = (own: LanguageModel): MethodContext => ({
    ...parts,
    model: models?.acting(own) ?? own,
    ...(models && { writer: models.of('writer', own) }),
    k: run.config.k,
    seed: run.config.seed,
    settings: run.config.settings,
  })
  let context = contextOn(model)
  let user = models?.of('user', model) ?? model
  let judge = models?.of('judge', model) ?? model
  let served = softPrompt
  let servedSince: number | null = null

  /** The newest soft prompt that is due by now, but for those whose training failed. */
  const dueOrder = (): DistilOrder | null => {
    const { untrained } = entry.state
    let { rewards } = entry.state
    for (;;) {
      const order = method.distil?.({ rewards, total: run.total }, run.config.settings) ?? null
      if (!order || !untrained.some(({ due }) => due === order.at)) return order
      rewards = rewards.slice(0, Math.max(0, order.at - 1))
    }
  }

  /** Serves the soft prompt that is due by now, trained first where it is not there yet. */
  const bringUpToDate = async (signal: AbortSignal): Promise<Usage | null> => {
    const order = dueOrder()
    if (!order || order.at === servedSince) return null
    if (!distil) throw new Error(`Nothing here can train what ${method.info.id} asks for.`)
    const controller = new AbortController()
    const training: NonNullable<RunEntry['training']> = { controller, now: null }
    let told = 0
    entry.training = training
    try {
      const {
        model: trainedOn,
        softPrompt: trained,
        usage,
        problem,
      } = await distil(order, entry.state.steps.length, {
        signal: AbortSignal.any([signal, controller.signal]),
        onProgress(now) {
          if (entry.training !== training || signal.aborted) return
          training.now = now
          if (Date.now() - told < TELL_EVERY_MS) return
          told = Date.now()
          tell(entry, runDelta(entry))
        },
      })
      context = contextOn(trainedOn)
      user = models?.of('user', trainedOn) ?? trainedOn
      judge = models?.of('judge', trainedOn) ?? trainedOn
      served = trained
      if (problem) {
        await record(entry, { kind: 'untrained', due: order.at, problem, at: clock.now().toISOString() })
        return null
      }
      servedSince = order.at
      return usage
    } catch (error) {
      if (signal.aborted) throw error
      if (!isAbortError(error)) throw new TrainingStopped(error)
      if (!controller.signal.aborted) throw error
      // It rests here and goes on from its checkpoint, at once when the person thought better of it.
      return entry.pauseRequested ? null : await bringUpToDate(signal)
    } finally {
      entry.training = null
      tell(entry, runDelta(entry))
    }
  }
  const split = method.prepare?.split(run.config.settings, streamCount(run.total, protocol ?? ONCE)) ?? 0
  let prepared = method.prepare === undefined

  /** Builds the method's memory once the first tasks are done; again from its checkpoint after an interruption. */
  const build = async (task: Task, signal: AbortSignal): Promise<void> => {
    if (prepared || task.index < split) return
    try {
      do {
        const outcome = await method.prepare?.run(
          {
            runId: run.id,
            environment: environment.id,
            tasks: tasks.slice(0, split).filter(({ skills }) => !isHeldOut(skills, protocol ?? ONCE)),
            attempted: (one) => parts.bank.trajectory(attemptId(run.id, one.index)),
            play: (one, own) => play(one, own, {}),
            now: () => clock.now(),
            signal,
            pauseRequested: () => entry.pauseRequested,
            activity(text) {
              entry.building = text
              if (!signal.aborted) tell(entry, runDelta(entry))
            },
          },
          context,
        )
        if (outcome === undefined || outcome === 'paused') continue
        prepared = true
        if (!entry.state.built) await record(entry, { kind: 'built', outcome, at: outcome.at })
      } while (!prepared && !entry.pauseRequested)
    } finally {
      entry.building = null
      tell(entry, runDelta(entry))
    }
  }

  const play = (
    one: Parameters<PlayAttempt>[0],
    own: AbortSignal,
    events: Parameters<typeof attempt>[1],
  ): Promise<Trajectory> => {
    const input = {
      ...one,
      runId: run.id,
      spaceId: run.config.spaceId,
      context,
      clock,
      maxTokens: run.config.maxTokens,
      signal: own,
    }
    if (isQuestions(environment)) return runQuestion({ ...input, environment }, events)
    return attempt({ ...input, environment, user, judge, ...(served && { softPrompt: served }) }, events)
  }

  return runTasks(
    run.id,
    tasks,
    steps.length,
    {
      bank: parts.bank,
      async attempt(task, taskSignal) {
        const events = listen(entry, task, taskSignal, (delta) => {
          tell(entry, delta)
        })
        const { temperature } = run.config
        const id = attemptId(run.id, task.index)
        const played = await play({ id, task, method, temperature }, taskSignal, events)
        return isHeldOut(task.skills, protocol ?? ONCE) ? { ...played, heldOut: true } : played
      },
      prepare: build,
      distil: bringUpToDate,
      learn: (trajectory, taskSignal) =>
        trajectory.heldOut ? Promise.resolve(NOTHING_LEARNED) : method.learn(trajectory, context, taskSignal),
      async finished(trajectory) {
        entry.live = null
        entry.state = applyRunEvent(entry.state, stepOf(trajectory))
        tell(entry, { kind: 'task-finished', trajectory })
        await record(entry, stepOf(trajectory))
        refuseOverflowing(entry.state.steps, context.model)
      },
      async carry(task) {
        if (!protocol || protocol.passes === 1) return false
        const { rewards } = entry.state
        if (!isSolvedBefore(task.index, streamCount(run.total, protocol), protocol, rewards)) return false
        await record(entry, carriedStep(run.id, task, clock.now().toISOString()))
        return true
      },
    },
    { signal, pauseRequested: () => entry.pauseRequested },
  )
}

/** Attempts without room for their prompts, from a run's first on, that end it. */
const MOST_OVERFLOWS = 3

/** Ends a run whose every attempt so far outgrew the context: the rest would do no better. @throws LoamError `CONTEXT_OVERFLOW` */
function refuseOverflowing(steps: readonly StepEvent[], { contextSize, name }: LanguageModel): void {
  if (steps.length !== MOST_OVERFLOWS || !steps.every(({ finish }) => finish === 'context-overflow')) return
  throw new LoamError(
    'CONTEXT_OVERFLOW',
    `The prompts of the first ${MOST_OVERFLOWS} tasks are all longer than the ${contextSize} tokens that ${name} reads here, so the run was ended.`,
    { suggestion: 'Give the model a larger context, recall less, or choose a model that reads more.' },
  )
}
