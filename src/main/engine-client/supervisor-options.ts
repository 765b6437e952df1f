import type { Embedder } from '../../core/ground/ports'
import type { LogFields } from '../ground/logger'
import type { RestartPolicy } from '../ground/restart-policy'
import type { SpawnEngine } from './engine-port'

/** What the engine is started with. */
export interface EngineSupervisorOptions {
  /** How an engine process is started. Default: a Node child process. */
  readonly spawn?: SpawnEngine
  /** The load marker, e.g. `<data>/model-loading.json`. Default: none is kept. */
  readonly markerFile?: string | null
  /** Folders in which embedding models are looked for. Default: none. */
  readonly modelFolders?: () => readonly string[]
  /** Embedders that are models of servers. Default: there are none. */
  readonly servedEmbedder?: (id: string) => Promise<Embedder>
  /** File of the built-in encoder. Default: the one that comes with Loam. */
  readonly encoderFile?: string
  /** Name of the embedder shown in the state. Default: the built-in encoder. */
  readonly embedderName?: string
  /** Told when a person begins to wait for a reply, and when nobody does any more. */
  readonly waitedFor?: (isWaited: boolean) => void
  readonly restarts?: RestartPolicy
  /** `fields`: what the line says besides, over what the log says of itself. */
  readonly log?: (level: 'info' | 'warn' | 'error', message: string, fields?: LogFields) => void
}
