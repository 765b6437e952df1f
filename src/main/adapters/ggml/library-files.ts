import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TrainerBackend } from '../../../shared/domain/soft-prompt-training'
import { LoamError } from '../../../shared/errors'
import { unpacked } from '../../ground/resources'
import { findLibraries } from './fetched-libraries'

/** Kinds of device ggml may compute on here. */
export type GgmlBackend = TrainerBackend

/** The ggml libraries of one of node-llama-cpp's binary packages. */
export interface GgmlFiles {
  readonly folder: string
  readonly base: string
  readonly registry: string
  readonly backend: GgmlBackend
  /** node-llama-cpp's version, which pins ggml's. */
  readonly release: string
}

/** Packages that carry ggml for a platform, best first per backend. macOS has CPU and Metal in one. */
const PACKAGES: Readonly<Record<string, Partial<Record<GgmlBackend, string>>>> = {
  'linux-x64': { cpu: 'linux-x64', cuda: 'linux-x64-cuda', vulkan: 'linux-x64-vulkan' },
  'linux-arm64': { cpu: 'linux-arm64' },
  'darwin-arm64': { cpu: 'mac-arm64-metal', metal: 'mac-arm64-metal' },
  'darwin-x64': { cpu: 'mac-x64' },
  'win32-x64': { cpu: 'win-x64', cuda: 'win-x64-cuda', vulkan: 'win-x64-vulkan' },
  'win32-arm64': { cpu: 'win-arm64' },
}

/**
 * Finds the libraries for a backend in what was installed with node-llama-cpp. Throws `TRAINER_UNAVAILABLE` when this
 * platform has none or they were not installed.
 */
export function findGgml(backend: GgmlBackend): GgmlFiles {
  const platform = `${process.platform}-${process.arch}`
  const name = PACKAGES[platform]?.[backend]
  if (name === undefined)
    throw unavailable(`There is no ${backend.toUpperCase()} build of ggml for ${platform}.`)
  const main = findLibraries(name)
  if (main === null) throw unavailable(`The package @node-llama-cpp/${name} is not installed.`)
  const root = dirname(dirname(main))
  const bins = join(root, 'bins')
  const inner = existsSync(bins) ? readdirSync(bins)[0] : undefined
  if (inner === undefined) throw unavailable(`The package @node-llama-cpp/${name} holds no libraries.`)
  const folder = unpacked(join(bins, inner))
  const files = readdirSync(folder)
  const base = files.find((file) => /^(lib)?ggml-base\.(so|dylib|dll)$/u.test(file))
  const registry = files.find((file) => /^(lib)?ggml(\.[^-]+)?\.(so|dylib|dll)$/u.test(file))
  if (base === undefined || registry === undefined)
    throw unavailable(`The package @node-llama-cpp/${name} has no separate ggml libraries.`)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  return { folder, base: join(folder, base), registry: join(folder, registry), backend, release: version }
}

const unavailable = (why: string) =>
  new LoamError('TRAINER_UNAVAILABLE', why, {
    suggestion: 'Train on the CPU, or fetch the libraries for your graphics card on the Models screen.',
  })
