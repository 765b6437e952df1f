import type { runAttempt, ServedSoftPrompt } from '../../core/agent/actor'
import { type QuestionWorld } from '../../core/agent/question-attempt'
import { type RunEvent, type RunRecord } from '../../core/lab/run-record'
import { type DistilOrder, type Method } from '../../core/ground/method'
import type { MemoryStore, Clock, Embedder, LanguageModel, PromptTemplates } from '../../core/ground/ports'
import type { Environment } from '../../core/ground/environment'
import type { Distilling } from '../../shared/domain/run'
import type { Trial } from '../../shared/domain/soft-prompt'
import type { Task } from '../../shared/domain/task'
import type { Usage } from '../../shared/domain/trajectory'
import { type LoamErrorShape } from '../../shared/errors'
import type { LoadedStream } from '../streams/stream-library'
import type { RunModels } from './run-models'
import type { RunLane, RunEntry, RunPart } from './run-entry'

/** What a run works with, made ready when its turn comes. */
export interface RunResources {
  readonly tasks: readonly Task[]
  /** What the memory starts with. Default: nothing. */
  readonly given?: LoadedStream['given']
  readonly method: Method
  readonly environment: Environment | QuestionWorld
  readonly bank: MemoryStore
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
  distil?(order: DistilOrder, doneCount: number, watch: DistilWatch): Promise<Distilled>
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
  /** How it did on held-out tasks; one that is not served leaves what was served before. Default: it was not tried. */
  readonly trial?: Trial
  /** Why it was not trained, where the order says to go on without; the model is then served as it was before. */
  readonly problem?: LoamErrorShape
}

/** A training that failed, with its reason: the run rests, and trains on from its last checkpoint when it is resumed. */
export class TrainingStopped extends Error {
  constructor(readonly reason: unknown) {
    super('A training failed.', { cause: reason })
  }
}

/**
 * Opens the memory, loads the stream and the model. May take long; `signal` ends the wait. With `insist` the model is loaded although it took the engine
 * down before; runs of `lane` will use it at a time.
 */
export type PrepareRun = (
  record: RunRecord,
  signal: AbortSignal,
  insist: boolean,
  lane: RunLane | null,
) => Promise<RunResources>

/** What playing a run needs of the service that holds it. */
export interface PlayPorts {
  readonly prepare: PrepareRun
  readonly clock: Clock
  readonly attempt: typeof runAttempt
  /** Tells watchers of a change. Default: of the run itself. */
  tell(entry: RunEntry, part?: RunPart): void
  /** Applies an event to the run and stores it. */
  record(entry: RunEntry, event: RunEvent): Promise<void>
}
