import type { ModelInfo, ModelPlace, RegistryEntry } from '../../shared/domain/model'
import type { ModelAdvice } from '../../shared/domain/model-advice'
import type { AddedModelsArea } from './added-models'
import type { DownloadQueue } from './download-queue'
import type { GpuLibraries } from './gpu-libraries'
import type { HubDownloads } from './hub-downloads'

/** Models on disk, models that are known, and bringing one from the other side. */
export interface ModelLibrary {
  /** What every provider has: GGUF files wherever they were found, and models of servers. */
  list(): Promise<ModelInfo[]>
  /** Where models on this machine were looked for, what was found there, and what was left out and why. */
  places(): Promise<ModelPlace[]>
  registry(): Promise<RegistryEntry[]>
  /** Which known models suit this machine. `isAnew`: how fast it reads memory is tried out again; else what was kept counts. */
  advice(isAnew?: boolean): Promise<ModelAdvice>
  readonly downloads: DownloadQueue
  readonly hub: HubDownloads
  readonly gpu: GpuLibraries
  readonly added: AddedModelsArea
  /** Questions to the hub and downloads that hold a connection right now. */
  openModelServers(): number
  close(): Promise<void>
}
