import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DownloadInfo } from '../../shared/domain/download'
import type { GpuKind, GpuLibrary } from '../../shared/domain/gpu-library'
import { LoamError } from '../../shared/errors'
import { findLibraries, llamaRelease } from '../adapters/ggml/fetched-libraries'
import { mayHaveCard } from '../model-files/machine'
import type { DownloadQueue } from './download-queue'
import { GPU_PACKAGES, type GpuPackage } from './gpu-packages'

const WORDS: Readonly<Record<GpuKind, { title: string; about: string }>> = {
  cuda: { title: 'CUDA', about: 'For graphics cards of NVIDIA.' },
  vulkan: {
    title: 'Vulkan',
    about: 'For graphics cards of every maker, slower than CUDA on those of NVIDIA.',
  },
}

/** llama.cpp's libraries for graphics cards, fetched where a person wants them. */
export interface GpuLibraries {
  /** Those that there are for this system; none where what comes with Loam is all there is. */
  list(): GpuLibrary[]
  /** @throws LoamError `NOT_FOUND`, `CONFLICT` where it is here, `NETWORK_OFF` */
  add(kind: GpuKind): Promise<DownloadInfo>
  /** Unpacks one that was fetched and checked. Answers false for any other download. @throws LoamError `DATA_CORRUPT` */
  unpack(target: string): Promise<boolean>
}

export interface GpuLibrariesDeps {
  readonly queue: () => Pick<DownloadQueue, 'add'>
  /** Where they are kept. */
  readonly folder: string
  /** Where packages are fetched from, as `https://HOST`. */
  readonly registry: string
  readonly system?: string
  readonly packages?: typeof GPU_PACKAGES
}

/** Whether there may be a card for it: Linux says so by its devices. */
const mayHave = (kind: GpuKind): boolean =>
  mayHaveCard(process.platform, (path) => (kind === 'vulkan' || /nvidia|dxg/.test(path)) && existsSync(path))

/** Opens them. */
export function openGpuLibraries(deps: GpuLibrariesDeps): GpuLibraries {
  const { queue, folder, registry, system = `${process.platform}-${process.arch}` } = deps
  const packages = (deps.packages ?? GPU_PACKAGES)[system] ?? {}
  const kinds = Object.keys(packages) as GpuKind[]
  const home = (): string => join(folder, llamaRelease())
  const isHere = (kind: GpuKind): boolean =>
    (packages[kind] ?? []).every(({ name }) => findLibraries(name, folder) !== null)
  const archiveOf = ({ name }: GpuPackage): string => join(home(), `${name}.tgz`)

  return {
    list: () =>
      kinds.map((kind) => ({
        ...{
          kind,
          ...WORDS[kind],
          source: new URL(registry).host,
          isHere: isHere(kind),
          isUseful: mayHave(kind),
        },
        sizeBytes: (packages[kind] ?? []).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      })),
    async add(kind) {
      const parts = packages[kind] ?? []
      const { title } = WORDS[kind]
      if (parts.length === 0)
        throw new LoamError('NOT_FOUND', `There is no ${title} for this system.`, {
          suggestion:
            kinds.length === 0
              ? 'Models are computed with what comes with Loam.'
              : `There is ${kinds.map((one) => WORDS[one].title).join(' and ')}.`,
        })
      if (isHere(kind))
        throw new LoamError('CONFLICT', `${title} is here already.`, {
          suggestion: 'Start Loam again if it is not used yet.',
        })
      await mkdir(home(), { recursive: true })
      return queue().add({
        ...{ title: `${title} for llama.cpp`, source: new URL(registry).host, license: 'MIT' },
        ...{ target: join(home(), kind), asEmbedder: false },
        files: parts.map((part) => ({
          ...{ path: `${part.name}.tgz`, sizeBytes: part.sizeBytes, sha256: part.sha256, gitSha1: null },
          url: `${registry}/@node-llama-cpp/${part.name}/-/${part.name}-${llamaRelease()}.tgz`,
          target: archiveOf(part),
        })),
      })
    },
    async unpack(target) {
      const kind = kinds.find((one) => target === join(home(), one))
      if (kind === undefined) return false
      for (const part of packages[kind] ?? []) {
        const unfinished = join(home(), `${part.name}.part`)
        await rm(unfinished, { recursive: true, force: true })
        await mkdir(unfinished, { recursive: true })
        await untar(archiveOf(part), unfinished)
        await rm(join(home(), part.name), { recursive: true, force: true })
        await rename(unfinished, join(home(), part.name))
        await rm(archiveOf(part), { force: true })
      }
      return true
    },
  }
}

/** Linux, macOS and Windows come with a program for this. */
function untar(archive: string, folder: string): Promise<void> {
  const program =
    process.platform === 'win32'
      ? join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'tar.exe')
      : 'tar'
  return new Promise((resolve, reject) => {
    const fail = (why: string) =>
      reject(
        new LoamError('DATA_CORRUPT', `${archive} could not be unpacked: ${why}.`, {
          suggestion: 'See whether the disk has room and "tar" is installed, then fetch it again.',
        }),
      )
    const child = spawn(program, ['-xzf', archive, '-C', folder, '--strip-components=1'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let message = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (message = (message + text).slice(-500)))
    child.on('error', (error) => fail(error.message))
    child.on('close', (code) => (code === 0 ? resolve() : fail(message.trim() || `code ${code}`)))
  })
}
