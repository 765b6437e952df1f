/**
 * Every code an error may carry, with the title a person reads first.
 * The table is closed: a new failure gets a row here before it can be thrown.
 */
export const ERROR_TITLES = {
  BAD_INPUT: 'That input cannot be used',
  NOT_FOUND: 'Not found',
  CONFLICT: 'That cannot be done right now',
  CANCELLED: 'Cancelled',
  DATA_DIR_LOCKED: 'Another Loam is using this data folder',
  DATA_FORMAT_NEWER: 'This data was written by a newer Loam',
  DATA_CORRUPT: 'Stored data is damaged',
  DISK_FULL: 'Not enough disk space',
  DISK_WRITE: 'Loam could not write to disk',
  VECTOR_DIMENSION: 'The embedding has the wrong size',
  EMBEDDER_MISSING: 'The embedding model is not available',
  MODEL_NOT_FOUND: 'The model file was not found',
  MODEL_NOT_GGUF: 'This file is not a GGUF model',
  MODEL_TRUNCATED: 'The model file is incomplete',
  MODEL_LOAD: 'The model could not be loaded',
  MODEL_CRASHED_LAST_TIME: 'This model crashed the engine last time',
  CONTEXT_OVERFLOW: 'The prompt is longer than the model can read',
  ENGINE_DIED: 'The model engine stopped',
  MODEL_SERVER: 'The model server did not answer as it should',
  TASK_SERVER: 'The server that tasks act on did not answer as it should',
  ENGINE_BUSY: 'The model engine is busy',
  TRAINER_UNAVAILABLE: 'Training does not work on this machine',
  TRAINER_MODEL: 'No soft prompt can be trained for this model',
  TRAINER_MEMORY: 'There is not enough memory to train',
  TRAINER_CHECK: 'The trainer failed its self-test',
  TRAINER_DIED: 'The training process stopped',
  SOFT_PROMPT: 'The soft prompt cannot be used',
  GRAMMAR: 'The output format could not be used',
  NETWORK_OFF: 'The network is turned off',
  DOWNLOAD: 'The download failed',
  CHECKSUM: 'The file does not match its checksum',
  INTERRUPTED: 'It was interrupted',
  TASK_STREAM: 'The task stream cannot be read',
  CONNECTION_LOST: 'The connection to Loam was lost',
  UNAUTHORIZED: 'Not allowed',
  FORBIDDEN: 'This key does not open that',
  MODULE: 'A module does not work',
  NOT_FOR_THIS_MACHINE: 'A part of Loam is not made for this machine',
  INTERNAL: 'Something went wrong inside Loam',
} as const

export type ErrorCode = keyof typeof ERROR_TITLES

/** The one error shape that crosses every boundary: RPC, REST, CLI, logs and the screen. */
export interface LoamErrorShape {
  readonly code: ErrorCode
  /** What happened, in a few plain words. */
  readonly title: string
  /** Why it happened, with the particulars (path, line, size). */
  readonly cause: string
  /** What the person can do next. */
  readonly suggestion: string
  /** Whether the same call may succeed if it is simply made again. */
  readonly retryable: boolean
}

/** The error in what came over a border, as `loamErrorShape` reads it, but without zod: a page needs it before anything else. Null where it is none. */
export function readErrorShape(value: unknown): LoamErrorShape | null {
  if (typeof value !== 'object' || value === null) return null
  const { code, title, cause, suggestion, retryable } = value as Record<string, unknown>
  const isShape =
    typeof code === 'string' &&
    Object.hasOwn(ERROR_TITLES, code) &&
    [title, cause, suggestion].every((text) => typeof text === 'string') &&
    typeof retryable === 'boolean'
  return isShape ? ({ code, title, cause, suggestion, retryable } as LoamErrorShape) : null
}

/** An expected failure. Bugs stay ordinary `Error`s and end as `INTERNAL` at the boundary. */
export class LoamError extends Error {
  readonly code: ErrorCode
  readonly title: string
  readonly suggestion: string
  readonly retryable: boolean
  readonly why: string

  constructor(
    code: ErrorCode,
    cause: string,
    options: { suggestion: string; retryable?: boolean; title?: string; underlying?: unknown },
  ) {
    const title = options.title ?? ERROR_TITLES[code]
    super(`${title}: ${cause}`, { cause: options.underlying })
    this.name = 'LoamError'
    this.code = code
    this.title = title
    this.why = cause
    this.suggestion = options.suggestion
    this.retryable = options.retryable ?? false
  }

  toShape(): LoamErrorShape {
    return {
      code: this.code,
      title: this.title,
      cause: this.why,
      suggestion: this.suggestion,
      retryable: this.retryable,
    }
  }

  static fromShape(shape: LoamErrorShape): LoamError {
    return new LoamError(shape.code, shape.cause, {
      suggestion: shape.suggestion,
      retryable: shape.retryable,
      title: shape.title,
    })
  }
}

/** Turns anything thrown into the one shape; unknown errors become `INTERNAL` and keep their message as the cause. */
export function toErrorShape(error: unknown): LoamErrorShape {
  if (error instanceof LoamError) return error.toShape()
  if (error instanceof Error && error.name === 'AbortError') {
    return new LoamError('CANCELLED', 'The work was cancelled.', {
      suggestion: 'Start it again when you are ready.',
    }).toShape()
  }
  return new LoamError('INTERNAL', error instanceof Error ? error.message : String(error), {
    suggestion: 'Try again. If it keeps happening, the log in the data folder says more.',
  }).toShape()
}
