import type { Trajectory } from '../../shared/domain/trajectory'
import { CHARACTERS_PER_TOKEN } from '../ground/fit-form'
import { retellTrajectory } from '../ground/prompt'
import { servedLessons } from '../memory/lessons/served'
import type { TrainingSettings } from '../../shared/domain/soft-prompt'
import { type ModelSizes, sequenceOperations } from './estimate'
import { type PackingLimits, packSamples } from './packing'
import { GROUP, type DistilledAttempt } from './plan'
import type { TrainingSample } from './samples'
import { batchesOf, MOST_LOOKED_AT } from './train'

/** Tokens between two attempts in a prompt. */
const BETWEEN = 3

/** How long prompts come to, from what attempts were measured to take. */
export type MeasuredLengths = ReturnType<typeof measureLengths>

/**
 * Lengths measured in `attempts`: an attempt that another one was shown has the length it had then; any other one has that of its text at
 * the rate of characters per token of those.
 */
export function measureLengths(attempts: readonly Trajectory[]) {
  const knownMap = new Map<string, number>()
  for (const { recalled } of attempts)
    for (const { kind, id, tokens } of recalled) if (kind === 'trajectory') knownMap.set(id, tokens)
  const textLength = (attempt: Trajectory): number =>
    retellTrajectory(attempt, { context: attempt.task.context, world: attempt.task.world }).length
  const measurements = attempts.filter(({ id }) => knownMap.has(id))
  const tokens = measurements.reduce((sum, { id }) => sum + (knownMap.get(id) ?? 0), 0)
  const characters = measurements.reduce((sum, attempt) => sum + textLength(attempt), 0)
  const rate = tokens > 0 && characters > 0 ? tokens / characters : 1 / CHARACTERS_PER_TOKEN
  /** Tokens of an attempt as it is shown to others. */
  const getShownCount = (attempt: Trajectory): number =>
    knownMap.get(attempt.id) ?? Math.ceil(textLength(attempt) * rate)
  return {
    shown: getShownCount,
    /** Tokens of one of its replies, in the mean. */
    reply: ({ rounds }: Trajectory): number =>
      rounds.reduce((sum, { usage }) => sum + usage.completionTokens, 0) / Math.max(1, rounds.length),
    /** Tokens of its last prompt and reply, without what it was shown of others. */
    own(attempt: Trajectory): number {
      const longest = Math.max(
        0,
        ...attempt.rounds.map(({ usage }) => usage.promptTokens + usage.completionTokens),
      )
      const recalledCount = attempt.recalled.reduce((sum, { tokens: one }) => sum + one + BETWEEN, 0)
      return Math.max(longest - recalledCount, getShownCount(attempt))
    },
  }
}

/** Tokens of the lessons and attempts a view shows. */
const viewTokens = (
  { few, lessons }: DistilledAttempt['views'][number],
  lengths: MeasuredLengths,
  lessonTokens: number,
): number =>
  few.reduce((sum, other) => sum + lengths.shown(other), 0) +
  (lessons.errorLessons.length + lessons.successLessons.length) * lessonTokens

/** What a training's sequences are expected to come to, in tokens. */
export interface ForecastLengths {
  /** The longest sample of each attempt. */
  readonly samples: readonly number[]
  /** Groups that begin alike: rows of all their samples together, what they begin with counted once, and how many samples that is. */
  readonly groups: readonly { readonly heldOut: boolean; readonly rows: number; readonly samples: number }[]
}

/** Samples of an attempt: its own last reply, and replies in which the teacher does other than the attempt did. They begin alike. */
const BRANCHES = 1.7

/** Forecast for a planned distillation; `systemTokens`: of the environment's system prompt, `soft`: of the soft prompt. */
export function forecastLengths(
  planned: readonly DistilledAttempt[],
  lengths: MeasuredLengths,
  systemTokens: number,
  soft: number,
): ForecastLengths {
  const lessons = planned.flatMap(({ attempt }) => servedLessons(attempt))
  const lessonTokens = lessons.reduce((sum, { tokens }) => sum + tokens, 0) / Math.max(1, lessons.length)
  const groups = new Map<string, { heldOut: boolean; rows: number; samples: number }>()
  const samples = planned.map(({ attempt, views, heldOut }) => {
    const own = lengths.own(attempt)
    let longest = 0
    for (const view of views) {
      const shownCount = viewTokens(view, lengths, lessonTokens) + soft
      longest = Math.max(longest, own + shownCount)
      const branch = Math.max(0, own - systemTokens) + (BRANCHES - 1) * lengths.reply(attempt)
      const key = `${heldOut ? 'held-out' : 'learned'} ${view.group}`
      const group = groups.get(key) ?? { heldOut, rows: Math.ceil(shownCount + systemTokens), samples: 0 }
      groups.set(key, { heldOut, rows: group.rows + Math.ceil(branch), samples: group.samples + BRANCHES })
    }
    return longest
  })
  return { samples, groups: [...groups.values()] }
}

/**
 * Operations a training will take: `steps` steps over the learned groups, one after the other, and the looks, which go forward only.
 */
export function forecastOperations(
  { groups }: ForecastLengths,
  sizes: ModelSizes,
  { batch, lookEvery, steps }: Pick<TrainingSettings, 'batch' | 'lookEvery' | 'steps'>,
): number {
  const work = (of: ForecastLengths['groups']) =>
    of.reduce((sum, { rows }) => sum + sequenceOperations(sizes, rows), 0)
  const lessons = groups.filter(({ heldOut }) => !heldOut)
  const holdings = groups.filter(({ heldOut }) => heldOut)
  const stepsPerEpoch = lessons.reduce(
    (sum, { samples }) => sum + Math.max(1, Math.round(samples / batch)),
    0,
  )
  const all = lessons.reduce((sum, { samples }) => sum + samples, 0)
  const lookedAt = work(lessons) * Math.min(1, MOST_LOOKED_AT / Math.max(1, all))
  const looks = 2 * lookedAt + (1 + Math.ceil(steps / lookEvery)) * work(holdings)
  return (steps * work(lessons)) / Math.max(1, stepsPerEpoch) + looks / 3
}

/** Tokens one replayed attempt is guessed to take in a prompt, where none was measured. */
export const DIALOG_TOKENS = 120

/** What is known of the tasks that a training will learn from before any was attempted, in tokens. */
export interface TaskLengths {
  /** The environment's system prompt. */
  readonly system: number
  /** The longest first prompt, without anything recalled. */
  readonly prompt: number
}

/** Where nothing is known: as of the demo's tasks. */
const USUAL_TASK: TaskLengths = { system: 144, prompt: 184 }
/** Tokens that replies and answers of an attempt add to its first prompt, and of one reply, where none was measured. */
const OWN_DIALOG = 75
const OWN_REPLY = 40

/** The lengths of a training whose attempts are not there yet: what their tasks are like is known at most, the rest a guess. */
export function guessLengths(
  student: number,
  soft: number,
  { system, prompt }: TaskLengths = USUAL_TASK,
): ForecastLengths {
  const shownCount = student * DIALOG_TOKENS + soft
  const own = Math.max(0, prompt - system) + OWN_DIALOG
  const rows = Math.ceil(shownCount + system + GROUP * (own + (BRANCHES - 1) * OWN_REPLY))
  return {
    samples: [shownCount + system + own],
    // As many as are looked at to say how high the loss is; a smaller one is held out.
    groups: [
      ...Array.from({ length: Math.round(MOST_LOOKED_AT / (GROUP * BRANCHES)) }, () => ({
        ...{ heldOut: false, rows, samples: GROUP * BRANCHES },
      })),
      { heldOut: true, rows: Math.ceil(rows / 2), samples: (GROUP * BRANCHES) / 2 },
    ],
  }
}

/** Steps whose packs are computed to know what all take. */
const STEPS_COUNTED = 64

/** Operations that `steps` steps over these samples and the looks took. */
export function operationsTaken(
  train: readonly TrainingSample[],
  heldOut: readonly TrainingSample[],
  settings: TrainingSettings,
  steps: number,
  sizes: ModelSizes,
  limits: PackingLimits,
): number {
  const work = (samples: readonly TrainingSample[]) =>
    packSamples(samples, limits).reduce(
      (sum, { tokens }) => sum + sequenceOperations(sizes, tokens.length),
      0,
    )
  const countedCount = Math.min(STEPS_COUNTED, steps)
  const batches = batchesOf(train, settings)
  let takenCount = 0
  for (let step = 0; step < countedCount; step++) takenCount += work(batches.next().value)
  const looks =
    2 * work(train.slice(0, MOST_LOOKED_AT)) + (1 + Math.ceil(steps / settings.lookEvery)) * work(heldOut)
  return (takenCount * steps) / Math.max(1, countedCount) + looks / 3
}
