import type { runAttempt } from '../../core/agent/actor'
import type { MemoryStore, Clock } from '../../core/ground/ports'
import { type RunRecord } from '../../core/lab/run-record'
import type { RunLane, RunPart } from './run-entry'
import type { Logger } from '../ground/logger'
import { type RunResources } from './run-resources'
import type { RunStore } from './run-store'

export interface RunQueueDeps {
  readonly store: RunStore
  readonly clock: Clock
  readonly logger: Logger
  /**
   * Opens the memory, loads the stream and the model. May take long; `signal` ends the wait. With `insist` the
   * model is loaded although it took the engine down before; runs of `lane` will use it at a time.
   */
  prepare(
    record: RunRecord,
    signal: AbortSignal,
    insist: boolean,
    lane: RunLane | null,
  ): Promise<RunResources>
  /** The case bank of a memory, without loading anything else. */
  openStore(memoryId: string): Promise<MemoryStore>
  /** Plays one task. Default: the actor. */
  readonly attempt?: typeof runAttempt
  /** Called on every change. */
  publish(runId: string, part: RunPart): void
}
