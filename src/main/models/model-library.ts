import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { JobInfo } from '../../shared/domain/job'
import type { ModelInfo, ModelPlace, RegistryEntry } from '../../shared/domain/model'
import { LoamError } from '../../shared/errors'
import { discardPart, Download, type DownloadProgress } from '../adapters/models/download'
import { loadRegistry } from '../adapters/models/registry'
import type { JobRegistry } from '../ground/jobs'

/** Models on disk, models that are known, and bringing one from the other side. */
export interface ModelLibrary {
  /** What every provider has: GGUF files in the bundled folder, the data folder and the person's own, and models of servers. */
  list(): Promise<ModelInfo[]>
  /** Where models on this machine were looked for, what was found there, and what was left out and why. */
  places(): Promise<ModelPlace[]>
  registry(): Promise<RegistryEntry[]>
  /**
   * Starts a download as a job. Needs the network turned on.
   * @throws LoamError `NOT_FOUND`, `NETWORK_OFF`, `CONFLICT` when there is nothing to download
   */
  download(id: string): Promise<{ jobId: string }>
  /** Pauses a download, or lets a paused one go on. @throws LoamError `NOT_FOUND` */
  pauseDownload(jobId: string): JobInfo
  /** Downloads that may hold a connection right now. */
  openConnections(): number
}

export interface ModelLibraryDeps {
  /** models/ as bundled: registry.json and the demo model. */
  readonly bundledFolder: string
  /** Where downloads go. */
  readonly ownFolder: string
  readonly list: () => Promise<ModelInfo[]>
  readonly places: () => Promise<readonly ModelPlace[]>
  readonly networkAllowed: () => boolean
  readonly jobs: JobRegistry
}

const ACTIVITY: Readonly<Record<DownloadProgress['phase'], string>> = {
  connecting: 'Connecting',
  downloading: 'Downloading',
  checking: 'Checking that the file is right',
  paused: 'Paused',
}

export function createModelLibrary(deps: ModelLibraryDeps): ModelLibrary {
  const { bundledFolder, ownFolder, jobs } = deps
  const downloads = new Map<string, Download>()
  const registry = (): Promise<RegistryEntry[]> => loadRegistry(join(bundledFolder, 'registry.json'))

  return {
    registry,
    list: deps.list,
    places: async () => [...(await deps.places())],
    async download(id) {
      const entry = (await registry()).find((known) => known.id === id)
      if (!entry) {
        throw new LoamError('NOT_FOUND', `There is no known model "${id}".`, {
          suggestion: 'Pick one from the list.',
        })
      }
      const { source: url, sizeBytes, sha256 } = entry
      if (url === null) {
        throw new LoamError('CONFLICT', `${entry.name} comes with Loam.`, {
          suggestion: 'It is already in the list of models.',
        })
      }
      if (!deps.networkAllowed()) {
        throw new LoamError('NETWORK_OFF', 'Loam may not connect to anything.', {
          suggestion: 'Turn the network on in Settings if you want to download models.',
        })
      }
      await mkdir(ownFolder, { recursive: true })
      const target = join(ownFolder, entry.file)
      const job = jobs.start(
        'download',
        `Downloading ${entry.name}`,
        async ({ jobId, signal, progress }) => {
          const download = new Download(
            { url, target, sizeBytes, sha256 },
            {
              networkAllowed: deps.networkAllowed,
              onProgress: ({ phase, doneBytes, totalBytes }) => {
                progress({ done: doneBytes, total: totalBytes, activity: ACTIVITY[phase] })
              },
            },
          )
          downloads.set(jobId, download)
          try {
            await download.run(signal)
          } catch (error) {
            // A person who cancels does not want the rest; a failed download keeps it and goes on from there.
            if (signal.aborted) await discardPart(target)
            throw error
          } finally {
            downloads.delete(jobId)
          }
        },
        { unit: 'bytes', total: sizeBytes, subject: target },
      )
      return { jobId: job.id }
    },
    pauseDownload(jobId) {
      const job = jobs.get(jobId)
      const download = downloads.get(jobId)
      if (download?.paused) download.resume()
      else download?.pause()
      return job.kind === 'download' ? jobs.get(jobId) : job
    },
    openConnections: () => [...downloads.values()].filter((download) => !download.paused).length,
  }
}
