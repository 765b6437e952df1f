import { followLive } from '../../core/agent/live-task'
import type { QuestionEvents } from '../../core/agent/question-attempt'
import { runHead, type RunState } from '../../core/lab/run-record'
import type { Distilling, LiveTask, RunHead, RunInfo, RunSnapshot } from '../../shared/domain/run'
import type { Task } from '../../shared/domain/task'
import type { Trajectory } from '../../shared/domain/trajectory'
import { LoamError, type ErrorCode } from '../../shared/errors'
import type { RunDamage } from './read-run'

/** Failures after which a run waits for a person instead of ending: nothing about the run itself is wrong. */
export const PAUSING: ReadonlySet<ErrorCode> = new Set([
  'ENGINE_DIED',
  'MODEL_SERVER',
  'TASK_SERVER',
  'ENGINE_BUSY',
  'DISK_FULL',
  'DISK_WRITE',
  'MODEL_CRASHED_LAST_TIME',
  // A training goes on from its last checkpoint.
  'TRAINER_DIED',
  'TRAINER_MEMORY',
])

/** What of a run has changed: the run itself, or only the task it is at. */
export type RunPart = 'run' | 'live'

/** Runs of one lane may work at the same time, at most `width` of them; they share one loaded model. */
export interface RunLane {
  readonly id: string
  readonly width: number
  /** Their requests never share a batch: a reply is as if its run was alone. Default false. */
  readonly apart?: boolean
}

/** A run as the service holds it. */
export interface RunEntry {
  readonly id: string
  /** While it rests, read from its folder with the first look. */
  state: RunState
  /** What is told of it while it rests; null while its events are held. */
  readonly summary: RunInfo | null
  /** Lets go of its events. What lists show of it stays. */
  rest(summary: RunInfo): void
  /** Events under way to its folder. */
  unwritten: number
  live: LiveTask | null
  /** The attempt finished last; not of runs beside others, of which there may be many. */
  last: Trajectory | null
  pauseRequested: boolean
  /** Present while a soft prompt is trained; aborting it lets the run rest without waiting for the end. */
  training: { readonly controller: AbortController; now: Distilling | null } | null
  /** What it rests for, in words; null while it does not. */
  resting: string | null
  /** What is being built between the first tasks and the rest, in words; null when nothing is. */
  building: string | null
  controller: AbortController | null
  /** Whom it may work beside; null: nobody. */
  lane: RunLane | null
  /** The person was told that the model crashed last time and resumed all the same. */
  insist: boolean
  /** How an abort is meant. */
  stop: 'cancel' | 'interrupt' | null
  /** Resolves when the run no longer works. */
  work: Promise<void>
  /** What is wrong with its folder and could not be put right yet; null when nothing is. */
  damage: RunDamage | null
  /** What was put right, in words; null when nothing was. */
  repaired: string | null
  /** Called once each, at the next change of status. */
  waiting: (() => void)[]
}

/** A run that is not working: as its events tell, or resting, as its summary does. `read` is asked for the events of one that rests. */
export function newEntry(from: RunState | RunInfo, read: (entry: RunEntry) => RunState): RunEntry {
  let [state, summary] = 'record' in from ? [from, null] : [null, from]
  return {
    id: 'record' in from ? from.record.id : from.id,
    get state(): RunState {
      if (state === null) {
        state = read(this)
        summary = null
      }
      return state
    },
    set state(next: RunState) {
      state = next
      summary = null
    },
    get summary(): RunInfo | null {
      return summary
    },
    rest(info) {
      state = null
      summary = info
    },
    unwritten: 0,
    live: null,
    last: null,
    pauseRequested: false,
    training: null,
    building: null,
    resting: null,
    insist: false,
    controller: null,
    lane: null,
    stop: null,
    work: Promise.resolve(),
    damage: null,
    repaired: null,
    waiting: [],
  }
}

/** A run as people see it, with what it does between two tasks. */
export const entryInfo = (entry: RunEntry): RunInfo => ({
  ...entryHead(entry),
  rewards: entry.summary?.rewards ?? entry.state.rewards.slice(),
})

/** The same without its curve. */
export function entryHead(entry: RunEntry): RunHead {
  const { summary, training, building, resting, repaired, pauseRequested } = entry
  const repairWords = repaired !== null && { repaired }
  if (summary) {
    const { rewards: _curve, ...head } = summary
    return { ...head, ...repairWords }
  }
  const { state } = entry
  return {
    ...runHead(state),
    ...(pauseRequested && state.status === 'running' && { pausing: true as const }),
    ...(training?.now && { distilling: training.now }),
    ...(building !== null && { building }),
    ...(resting !== null && { resting }),
    ...repairWords,
  }
}

/** Whether a run is over, so that nothing of it changes any more but its name. */
export const isOver = ({ status }: Pick<RunHead, 'status'>): boolean =>
  status === 'done' || status === 'failed' || status === 'cancelled'

/** What a run's feed follows. A run that does not go has no task under way. */
export const entrySnapshot = (entry: RunEntry): RunSnapshot => ({
  run: entryInfo(entry),
  live: entryHead(entry).status === 'running' ? entry.live : null,
  last: entry.last,
})

/** Why a run that was going when the host stopped is paused. */
export const interruptedError = (): LoamError =>
  new LoamError('INTERRUPTED', 'Loam stopped while this run was going. Every finished task is kept.', {
    suggestion: 'Resume the run to go on with the next task.',
    retryable: true,
  })

/** Keeps what watchers see up to date with an attempt. */
export const listen = (
  entry: RunEntry,
  task: Task,
  signal: AbortSignal,
  tell: (entry: RunEntry, part: RunPart) => void,
): QuestionEvents =>
  followLive<LiveTask>(
    {
      live: () => entry.live,
      put(live) {
        entry.live = live
        tell(entry, 'live')
      },
    },
    ({ context, recalled, isPlanned }) => ({
      taskId: task.id,
      index: task.index,
      instruction: task.instruction,
      context,
      recalled: [...recalled],
      rounds: [],
      streaming: '',
      ...(isPlanned && { cycles: [] }),
    }),
    signal,
  ).events

/** Why a run whose folder is damaged cannot go on yet. */
export const damagedError = (damage: string, cause: string): LoamError =>
  new LoamError('DATA_CORRUPT', `${damage}, and it could not be put right: ${cause}`, {
    suggestion: 'See to the memory of this run, then resume it. Nothing was changed.',
    retryable: true,
  })

/** Why a run cannot be what it is asked to be, as it stands. */
export const wrongState = (entry: RunEntry, target: string): LoamError =>
  new LoamError('CONFLICT', `The run is ${entryHead(entry).status}, so it cannot be ${target}.`, {
    suggestion: 'Start a new run instead.',
  })
