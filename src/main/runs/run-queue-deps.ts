import type { runAttempt } from '../../core/agent/actor'
import type { MemoryStore, Clock } from '../../core/ground/ports'
import type { RunPart } from './run-entry'
import type { Logger } from '../ground/logger'
import type { PrepareRun } from './run-resources'
import type { RunStore } from './run-store'

export interface RunQueueDeps {
  readonly store: RunStore
  readonly clock: Clock
  readonly logger: Logger
  readonly prepare: PrepareRun
  /** The case bank of a memory, without loading anything else. */
  openStore(memoryId: string): Promise<MemoryStore>
  /** Plays one task. Default: the actor. */
  readonly attempt?: typeof runAttempt
  /** Called on every change. */
  publish(runId: string, part: RunPart): void
}
