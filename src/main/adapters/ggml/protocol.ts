import type { TransposeMode } from '../../../core/soft-prompts/estimate'
import type { TrainingProgress } from '../../../core/soft-prompts/train'
import type { TrainingSample } from '../../../core/soft-prompts/samples'
import type { TrainerBackend } from '../../../shared/domain/soft-prompt-training'
import type { TrainingOutcome, TrainingSettings } from '../../../shared/domain/soft-prompt'
import type { LoamErrorShape } from '../../../shared/errors'

/** One training, complete: the trainer process knows nothing else. */
export interface TrainingJob {
  /** Absolute path of the base model's GGUF. */
  readonly model: string
  readonly reservedIds: readonly number[]
  readonly train: readonly TrainingSample[]
  readonly heldOut: readonly TrainingSample[]
  readonly settings: TrainingSettings
  /** What is added to each reserved token's embedding at the start, row by row; null starts from tokens of the samples. */
  readonly begin: Float32Array | null
  readonly backend: TrainerBackend
  /** CPU threads; more than there are free cores makes it many times slower. */
  readonly threads: number
  readonly transposes: TransposeMode | 'auto'
  /** Kept after the first step and then every few seconds, and found again when the same job is started again; null keeps nothing. */
  readonly checkpoint: string | null
  /** Where the self-test's result is kept; null tests every time. */
  readonly selfTest: string | null
  /** Bytes that may be used; null asks the system. */
  readonly memoryLimit: number | null
}

export interface TrainingResult {
  /** What is added to each reserved token's embedding, row by row. */
  readonly deltas: Float32Array
  readonly outcome: TrainingOutcome
  /** Bytes of native memory that were used, the mapped weights left out. */
  readonly workBytes: number
}

export type TrainerRequest =
  | { readonly kind: 'train'; readonly job: TrainingJob }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'shutdown' }

export type TrainerEvent =
  | { readonly kind: 'ready' }
  | { readonly kind: 'started'; readonly resumedAt: number; readonly workBytes: number }
  | { readonly kind: 'progress'; readonly progress: TrainingProgress }
  | { readonly kind: 'done'; readonly result: TrainingResult }
  | { readonly kind: 'error'; readonly error: LoamErrorShape }
