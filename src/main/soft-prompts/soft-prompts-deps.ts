import type { Clock } from '../../core/ground/ports'
import type { Task } from '../../shared/domain/task'
import type { Trajectory } from '../../shared/domain/trajectory'
import type { JobRegistry } from '../ground/jobs'
import type { Logger } from '../ground/logger'
import type { FileHasher } from '../ground/file-hash'
import type { Memories } from '../memories/memories'
import type { StreamLibrary } from '../streams/stream-library'
import type { SoftPromptTraining } from './soft-prompt-training'
import type { SoftPromptFile } from './soft-prompt-file'

/** Plays one task with no cases in the prompt. */
export type PlayTask = (task: Task, withSoftPrompt: boolean, signal: AbortSignal) => Promise<Trajectory>

export interface SoftPromptsDeps {
  readonly clock: Clock
  readonly logger: Logger
  readonly jobs: JobRegistry
  readonly training: SoftPromptTraining
  readonly memories: Memories
  readonly streams: StreamLibrary
  /** Where exports go when no folder is named. */
  readonly exportFolder: string
  /** Waits until nothing else has the model; resolves to what gives it back. */
  readonly waitForModel: (title: string, signal: AbortSignal) => Promise<() => void>
  /** What has the model now, in words; null: nothing. */
  readonly atWork: () => string | null
  readonly hasher: FileHasher
  readonly demoModel: string
  /** Whether a run works or waits. */
  readonly runsPending: () => boolean
  /** Loads the base model with the soft prompt. Throws `SOFT_PROMPT` or `MODEL_*`. */
  readonly openPlayer: (
    file: SoftPromptFile,
    memory: string,
    stream: string,
    signal: AbortSignal,
  ) => Promise<PlayTask>
}
