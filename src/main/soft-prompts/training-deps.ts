import type { Instead } from '../../shared/domain/soft-prompt'
import type { TrainingProgress } from '../../core/soft-prompts/train'
import type { Clock, Embedder } from '../../core/ground/ports'
import type { Environment } from '../../core/ground/environment'
import type { EngineLanguageModel } from '../engine-client/supervisor'
import type { FileHasher } from '../ground/file-hash'
import type { LoadedPrompts } from '../ground/prompts'
import type { Memories } from '../memories/memories'
import type { StreamLibrary } from '../streams/stream-library'
import type { TrainingJob, TrainingResult } from '../adapters/ggml/protocol'
import type { SoftPromptFile } from './soft-prompt-file'
import type { TrainingWatch } from './trainer'

/**
 * Where a consolidation is. `retrying`: failed tasks are tried again. `starting`: the trainer looks at where it begins; `done` steps
 * are kept from before.
 */
export type TrainingStage =
  | {
      readonly kind: 'copying' | 'retrying' | 'distilling' | 'starting'
      readonly done: number
      readonly total: number
      /** The device that was chosen cannot train, so the processor begins. */
      readonly instead?: Instead
    }
  | { readonly kind: 'training'; readonly progress: TrainingProgress }

export interface SoftPromptResult {
  readonly file: SoftPromptFile
  /** The model it fits: the one asked for, or its untied copy. */
  readonly model: string
}

/** What tasks of a stream are played with. */
export interface PlayingDeps {
  readonly clock: Clock
  readonly memories: Memories
  readonly streams: StreamLibrary
  readonly hasher: FileHasher
  readonly environment: (id: string) => Promise<Environment>
  readonly prompts: () => Promise<LoadedPrompts>
  readonly embedder: () => Promise<Embedder>
}

export interface TrainingDeps extends PlayingDeps {
  /** `contextSize`: tokens the model may read at once; null: what it was trained for, as far as memory allows. */
  readonly loadModel: (
    path: string,
    signal: AbortSignal | undefined,
    contextSize: number | null,
  ) => Promise<EngineLanguageModel>
  /** Frees the engine's memory before training. */
  readonly unloadModel: () => Promise<void>
  /** True while a run uses the engine. */
  readonly engineTaken: () => boolean
  readonly demoModel: string
  /** Where untied copies are kept. */
  readonly modelFolder: string
  /** For the self-test's result and checkpoints. */
  readonly dataPath: string
  readonly threads: () => number
  /** Default: a process of its own. */
  readonly train?: (job: TrainingJob, watch: TrainingWatch) => Promise<TrainingResult>
}

export interface TrainingOptions {
  readonly signal?: AbortSignal
  readonly onStage?: (stage: TrainingStage) => void
  /** Set by a run that distils its own memory between two tasks: the engine is its already, and it names the artifact. */
  readonly ofRun?: { readonly name: string; readonly contextSize: number | null }
}
