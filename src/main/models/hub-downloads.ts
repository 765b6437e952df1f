import { join } from 'node:path'
import type {
  DownloadInfo,
  HubChoice,
  HubModel,
  HubRepo,
  OfferedEmbedder,
} from '../../shared/domain/download'
import type { EmbedderInfo, RegistryEntry } from '../../shared/domain/model'
import { LoamError } from '../../shared/errors'
import { embedderFilesOf, modelChoices } from '../model-files/hub/choices'
import type { Hub } from '../model-files/hub/hub'
import { OFFERED_EMBEDDERS } from '../model-files/hub/offered-embedders'
import type { DownloadQueue, QueuedFile } from './download-queue'

/** Finding and fetching models and encoders of the hub. */
export interface HubDownloads {
  search(text: string, signal?: AbortSignal): Promise<HubModel[]>
  /** What of a repository can be had, with how it would fit. */
  choices(repo: string, signal?: AbortSignal): Promise<HubRepo>
  readonly offers: readonly OfferedEmbedder[]
  /** @throws LoamError `NOT_FOUND` for a choice that the repository does not have */
  add(repo: string, choice: string): Promise<DownloadInfo>
  addKnown(id: string): Promise<DownloadInfo>
  addEmbedder(id: string): Promise<DownloadInfo>
}

export interface HubDownloadsDeps {
  readonly hub: Hub
  readonly queue: DownloadQueue
  readonly registry: () => Promise<RegistryEntry[]>
  /** Where downloads go. */
  readonly folder: string
  /** Memory that a model may be loaded into: RAM and VRAM that are free, in bytes. */
  readonly freeBytes: () => Promise<number>
}

/** Opens them. */
export function openHubDownloads({
  hub,
  queue,
  registry,
  folder,
  freeBytes,
}: HubDownloadsDeps): HubDownloads {
  const ownFolder = (repo: string): string => join(folder, 'hub', ...repo.split('/'))
  const filesOf = (repo: string, revision: string, { files }: HubChoice): QueuedFile[] =>
    files.map((file) => ({
      ...file,
      url: hub.fileUrl(repo, revision, file.path),
      target: join(ownFolder(repo), ...file.path.split('/')),
    }))

  const choices = async (repo: string, signal?: AbortSignal): Promise<HubRepo> => {
    const [{ files, ...about }, free] = await Promise.all([hub.content(repo, signal), freeBytes()])
    return { ...about, choices: modelChoices(files, free) }
  }

  return {
    search: (text, signal) => hub.search(text, signal),
    choices,
    offers: OFFERED_EMBEDDERS,
    async add(repo, name) {
      const { revision, license, choices: all } = await choices(repo)
      const choice = all.find((one) => one.name.toLowerCase() === name.toLowerCase())
      if (!choice)
        throw new LoamError('NOT_FOUND', `${repo} has no ${name}.`, {
          suggestion:
            all.length === 0 ? 'It holds no GGUF files.' : `It has ${all.map((one) => one.name).join(', ')}.`,
        })
      const files = filesOf(repo, revision, choice)
      return queue.add({
        ...{ title: `${repo} ${choice.name}`, source: `${hub.host}/${repo}`, license, files },
        ...{ target: files[0]?.target ?? ownFolder(repo), asEmbedder: false },
      })
    },
    async addKnown(id) {
      const entry = (await registry()).find((record) => record.id === id)
      if (!entry)
        throw new LoamError('NOT_FOUND', `There is no known model "${id}".`, {
          suggestion: 'Pick one from the list.',
        })
      const { source, file, sizeBytes, sha256, name, license } = entry
      if (source === null)
        throw new LoamError('CONFLICT', `${name} comes with Loam.`, {
          suggestion: 'It is already in the list of models.',
        })
      const target = join(folder, file)
      return queue.add({
        ...{ title: name, source: new URL(source).host, license, target, asEmbedder: false },
        files: [{ path: file, sizeBytes, sha256, gitSha1: null, url: source, target }],
      })
    },
    async addEmbedder(id) {
      const offer = OFFERED_EMBEDDERS.find((one) => one.id === id)
      if (!offer)
        throw new LoamError('NOT_FOUND', `No embedding model "${id}" is offered.`, {
          suggestion: `Offered are ${OFFERED_EMBEDDERS.map((one) => one.id).join(' and ')}.`,
        })
      const { repo, title, license } = offer
      const content = await hub.content(repo)
      const choice = embedderFilesOf(content.files, await freeBytes())
      if (!choice)
        throw new LoamError('NOT_FOUND', `${hub.host}/${repo} does not hold an encoder as Loam reads it.`, {
          suggestion: 'Choose another one.',
        })
      return queue.add({
        ...{ title, source: `${hub.host}/${repo}`, license: content.license ?? license },
        ...{ files: filesOf(repo, content.revision, choice), target: ownFolder(repo), asEmbedder: true },
      })
    },
  }
}

/** The encoder that lies in a folder, as the list of encoders calls it; null where it is not in the list. */
export function embedderIn(folder: string, listed: readonly EmbedderInfo[]): string | null {
  const name = folder.split(/[\\/]/).at(-1)
  const own =
    listed.find(({ id }) => id === folder) ??
    listed.find(({ title, available }) => available && title === name)
  return own?.id ?? null
}
