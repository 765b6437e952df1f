import { z } from 'zod'
import { buildOutcomeSchema, type BuildOutcome } from '../../shared/domain/guide-build'
import {
  runConfigSchema,
  runStatusSchema,
  type RunHead,
  type RunInfo,
  type RunReport,
} from '../../shared/domain/run'
import {
  addUsage,
  finishSchema,
  NO_USAGE,
  usageSchema,
  type Trajectory,
  type Usage,
} from '../../shared/domain/trajectory'
import { trialResultSchema } from '../../shared/domain/soft-prompt'
import type { Task } from '../../shared/domain/task'
import { addWritings, writingCountSchema, type WritingCount } from '../../shared/domain/writing'
import { loamErrorShape } from '../../shared/domain/error-shape'
import { questionStepSchema } from '../../shared/domain/question-figures'
import { attemptId } from '../ground/identity'
import { ATTEMPT_KINDS } from '../ground/presentation'
import { costsByOutcome } from '../../shared/figures/costs'
import { timeLeftMs } from '../../shared/figures/pace'
import { questionFigures } from '../../shared/figures/question-figures'
import { scalingFigures } from '../../shared/figures/scaling'
import { firstThirdRate, lastThirdRate, solvedIn, successRate } from '../../shared/figures/rates'
import { questionStepOf } from './question-step'
import { measuredReward } from './feedback'
import { splitOfRun } from './split'
import { verdictSchema } from '../../shared/domain/verdict'

/** What is fixed about a run from its first moment: run.json, written once. */
export const runRecordSchema = z.object({
  format: z.literal(1),
  id: z.string(),
  config: runConfigSchema,
  /** Tasks the run takes from its stream. */
  total: z.number().int().nonnegative(),
  createdAt: z.string(),
  /** Of runs that were begun as one, to go one after the other: the same for all of them. They are held and resumed together. */
  series: z.string().optional(),
  appVersion: z.string(),
  /** Name of the model, for reports. */
  modelName: z.string(),
  /** Folder of the memory the run learns in. */
  memoryPath: z.string(),
  /** What the results depend on, so that two runs can be compared honestly. */
  hashes: z.object({
    model: z.object({ sizeBytes: z.number(), sha256: z.string() }),
    /** Of the tasks the run takes, as loaded. */
    stream: z.string(),
    /** Of the environment's system prompt. */
    prompt: z.string(),
    /** Of the method's prompt templates. Absent in runs of older versions. */
    templates: z.string().optional(),
    /** Of the soft prompt's adapter. Absent when none is served. */
    softPrompt: z.string().optional(),
    /** Of the models that planner, executor or judge have to themselves, by path. Absent when there are none. */
    otherModels: z.record(z.string(), z.object({ sizeBytes: z.number(), sha256: z.string() })).optional(),
  }),
})
export type RunRecord = z.infer<typeof runRecordSchema>

/** One line of events.jsonl. */
export const runEventSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('status'),
    status: runStatusSchema,
    problem: loamErrorShape.nullable(),
    at: z.string(),
  }),
  z.object({
    kind: z.literal('step'),
    index: z.number().int().nonnegative(),
    taskId: z.string(),
    trajectoryId: z.string(),
    reward: verdictSchema,
    finish: finishSchema,
    usage: usageSchema,
    /** Wall time in milliseconds: the attempt with environment and recall, what learning from it took the model, and `distilled`. */
    ms: z.number().nonnegative(),
    /** The part of usage and time that went into training a soft prompt before the attempt; absent when none was. */
    distilled: usageSchema.optional(),
    at: z.string(),
    /** Rounds the attempt took. Absent in runs of older versions. */
    rounds: z.number().int().nonnegative().optional(),
    /** Statements, tool calls and pieces of code among them. Absent in runs of older versions. */
    toolCalls: z.number().int().nonnegative().optional(),
    /** Of attempts at questions. */
    question: questionStepSchema.optional(),
    /** Rewards of all attempts that were made at the task, in order, where there were several. */
    attempts: z.array(verdictSchema).optional(),
    /** How texts came out that were asked for; absent when none was. */
    writings: z.array(writingCountSchema).optional(),
    /** No attempt was made, because an earlier pass had solved the task; there is no trajectory. */
    carried: z.literal(true).optional(),
    /** The attempt was made without memory, to see whether memory does harm. */
    unaided: z.literal(true).optional(),
    /** Past attempts in its prompt; absent for none. */
    examples: z.number().int().positive().optional(),
  }),
  /** What a method built from the first tasks, before the rest, or built on later. */
  z.object({ kind: z.literal('built'), outcome: buildOutcomeSchema, at: z.string() }),
  /** A soft prompt that fell due after `due` tasks, whose training failed and which the run went on without. */
  z.object({
    kind: z.literal('untrained'),
    due: z.number().int().nonnegative(),
    problem: loamErrorShape,
    at: z.string(),
  }),
  /** How a soft prompt that the run trained did on held-out tasks. */
  z.object({ kind: z.literal('tried'), trial: trialResultSchema, at: z.string() }),
  /** Something worth knowing of a model the run works with. */
  z.object({ kind: z.literal('noted'), text: z.string(), at: z.string() }),
  /** How texts came out that were asked for while a memory was built, up to now. */
  z.object({ kind: z.literal('wrote'), writings: z.array(writingCountSchema), at: z.string() }),
  /** A person gave the run a name; null takes it off. */
  z.object({ kind: z.literal('named'), name: z.string().min(1).max(120).nullable(), at: z.string() }),
])
export type RunEvent = z.infer<typeof runEventSchema>
export type StepEvent = Extract<RunEvent, { kind: 'step' }>

/** A database's statement counts as one, and so does every call of a planned attempt. */
const toolCallsOf = (trajectory: Trajectory): number =>
  trajectory.question
    ? (questionStepOf(trajectory)?.tools ?? []).reduce((sum, { calls }) => sum + calls, 0)
    : trajectory.rounds.filter(({ action }) => action.kind === 'operation').length

/** The step an attempt in the journal stands for. */
export const stepOf = (trajectory: Trajectory): StepEvent => ({
  kind: 'step',
  index: trajectory.task.index,
  taskId: trajectory.task.id,
  trajectoryId: trajectory.id,
  reward: measuredReward(trajectory),
  finish: trajectory.finish,
  usage: [
    trajectory.recallUsage,
    trajectory.learnUsage,
    trajectory.distilUsage,
    trajectory.scaling?.usage,
  ].reduce<Usage>((sum, usage) => (usage ? addUsage(sum, usage) : sum), trajectory.usage),
  ms:
    Math.max(0, Date.parse(trajectory.finishedAt) - Date.parse(trajectory.startedAt)) +
    (trajectory.learnUsage?.ms ?? 0) +
    (trajectory.distilUsage?.ms ?? 0),
  ...(trajectory.distilUsage && { distilled: trajectory.distilUsage }),
  at: trajectory.finishedAt,
  rounds: trajectory.rounds.length,
  toolCalls: toolCallsOf(trajectory),
  ...(trajectory.question && { question: questionStepOf(trajectory) }),
  ...(trajectory.scaling && { attempts: trajectory.scaling.attempts.map(measuredReward) }),
  ...(trajectory.writings && { writings: trajectory.writings }),
  ...(trajectory.unaided && { unaided: true as const }),
  ...examplesOf(trajectory),
})

/** How many past attempts stood in the prompt. */
function examplesOf({ recalled }: Trajectory): Pick<StepEvent, 'examples'> {
  const examples = recalled.filter(({ kind }) => ATTEMPT_KINDS.has(kind)).length
  return examples === 0 ? {} : { examples }
}

/** The step of a task that an earlier pass had solved already. */
export const carriedStep = (
  runId: string,
  { index, id }: Pick<Task, 'index' | 'id'>,
  at: string,
): StepEvent => ({
  kind: 'step',
  index,
  taskId: id,
  trajectoryId: attemptId(runId, index),
  reward: 1,
  finish: 'completed',
  usage: NO_USAGE,
  ms: 0,
  at,
  carried: true,
})

/** A run as far as its events tell. Steps are kept once per index, in order, and only without gaps. */
export interface RunState {
  readonly record: RunRecord
  readonly steps: readonly StepEvent[]
  /** Of the steps. */
  readonly rewards: readonly (0 | 1)[]
  readonly solved: number
  readonly usage: Usage
  readonly status: RunInfo['status']
  readonly problem: RunInfo['problem']
  /** What the last build came to, and how many there were. */
  readonly built: BuildOutcome | null
  readonly builds: number
  /** Prompt and completion tokens of all of them, the run's own attempts left out. */
  readonly builtTokens: number
  /** How texts came out while the memory was built. */
  readonly wrote: readonly WritingCount[]
  /** Trainings that failed and that the run went on without. */
  readonly untrained: NonNullable<RunInfo['untrained']>
  /** Trials of the soft prompts it trained. */
  readonly tried: NonNullable<RunInfo['tried']>
  /** What is worth knowing of its models. */
  readonly notes: readonly string[]
  readonly finishedAt: string | null
  /** A name a person gave it; null without one. */
  readonly name: string | null
}

export const newRunState = (record: RunRecord): RunState => ({
  record,
  steps: [],
  rewards: [],
  solved: 0,
  usage: NO_USAGE,
  status: 'queued',
  problem: null,
  built: null,
  builds: 0,
  builtTokens: 0,
  wrote: [],
  untrained: [],
  tried: [],
  notes: [],
  finishedAt: null,
  name: null,
})

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/**
 * Applies one event to a run in place and answers it: a run of n steps costs n, not n squared. A step that is already known changes
 * nothing, so replaying twice is harmless.
 */
export function applyRunEvent(state: RunState, event: RunEvent): RunState {
  const own = state as Mutable<RunState>
  switch (event.kind) {
    case 'step':
      if (event.index !== own.steps.length) return state
      ;(own.steps as StepEvent[]).push(event)
      ;(own.rewards as (0 | 1)[]).push(event.reward)
      own.solved += event.reward
      own.usage = addUsage(own.usage, event.usage)
      return state
    case 'built':
      if (own.built?.at === event.outcome.at) return state
      own.built = event.outcome
      own.builds++
      own.builtTokens += event.outcome.tokens
      return state
    case 'untrained': {
      const { due, problem } = event
      if (!own.untrained.some((record) => record.due === due))
        own.untrained = [...own.untrained, { due, problem }]
      return state
    }
    case 'tried': {
      const { trial } = event
      if (!own.tried.some(({ due }) => due === trial.due)) own.tried = [...own.tried, trial]
      return state
    }
    case 'wrote':
      own.wrote = addWritings([...own.wrote, ...event.writings])
      return state
    case 'noted':
      if (!own.notes.includes(event.text)) own.notes = [...own.notes, event.text]
      return state
    case 'named':
      own.name = event.name
      return state
    case 'status':
      own.status = event.status
      own.problem = event.problem
      own.finishedAt = isEnded(event.status) ? event.at : null
      return state
  }
}

const isEnded = (status: RunInfo['status']): boolean =>
  status === 'done' || status === 'failed' || status === 'cancelled'

/** What people see of a run. */
export function runHead(state: RunState): RunHead {
  const { record, steps } = state
  const active = state.status === 'running' || state.status === 'queued' || state.status === 'paused'
  return {
    id: record.id,
    config: record.config,
    status: state.status,
    problem: state.problem,
    createdAt: record.createdAt,
    ...(record.series !== undefined && { series: record.series }),
    finishedAt: state.finishedAt,
    total: record.total,
    done: steps.length,
    solved: state.solved,
    usage: state.usage,
    etaMs: active ? timeLeftMs(steps, record.total - steps.length) : null,
    ...(state.untrained.length > 0 && { untrained: state.untrained }),
    ...(state.tried.length > 0 && { tried: [...state.tried] }),
    ...(state.notes.length > 0 && { notes: [...state.notes] }),
    ...(state.name !== null && { name: state.name }),
  }
}

/** How all texts came out that the run asked for; nothing where it asked for none. */
function writingsOf({ wrote, steps }: Pick<RunState, 'wrote' | 'steps'>): Pick<RunReport, 'writings'> {
  const writings = addWritings([...wrote, ...steps.flatMap((step) => step.writings ?? [])])
  return writings.length > 0 ? { writings } : {}
}

/** What came of the tasks that were attempted without memory; nothing where none was. */
function unaidedFigures(steps: readonly StepEvent[]): Pick<RunReport, 'unaided'> {
  const rewards = steps.filter(({ unaided }) => unaided === true).map(({ reward }) => reward)
  return rewards.length === 0 ? {} : { unaided: { tasks: rewards.length, solved: solvedIn(rewards) } }
}

/** The figures `loam run` ends with; `tasks` counts the finished ones. */
export function runReport(state: RunState): RunReport {
  const { config, usage } = runHead(state)
  const split = splitOfRun(config, state.record.total)
  const builds = state.steps.slice(0, split)
  const measurements = state.steps.slice(split)
  const rewards = measurements.map((step) => step.reward)
  const questions = questionFigures(measurements)
  return {
    stream: config.stream,
    method: config.method,
    model: state.record.modelName,
    seed: config.seed,
    tasks: measurements.length,
    solved: solvedIn(rewards),
    successRate: successRate(rewards),
    firstRate: firstThirdRate(rewards),
    lastRate: lastThirdRate(rewards),
    rewards,
    promptTokens: usage.promptTokens,
    completionTokens: usage.completionTokens,
    reusedTokens: usage.reusedTokens,
    wallMs: state.steps.reduce((sum, step) => sum + step.ms, 0),
    memory: state.record.memoryPath,
    ...costsByOutcome(measurements),
    ...(questions && { questions }),
    ...scalingFigures(measurements),
    ...writingsOf(state),
    ...unaidedFigures(measurements),
    ...(split > 0 && {
      built: {
        tasks: builds.length,
        solved: solvedIn(builds.map(({ reward }) => reward)),
        outcome: state.built,
        tokens: state.builtTokens,
      },
    }),
  }
}
