import { join } from 'node:path'
import { openHub } from '../model-files/hub/hub'
import { loadRegistry } from '../model-files/registry'
import { librariesOf, type Host } from '../host/host'
import { openAddedModels } from './added-models'
import { openDownloadQueue, type DownloadQueue } from './download-queue'
import { openGpuLibraries } from './gpu-libraries'
import { embedderIn, openHubDownloads } from './hub-downloads'
import type { ModelLibrary } from './model-library'
import { adviseModels, loadKnownModels } from './model-advice'
import { withUsual } from './usual-model'

const HUB = 'https://huggingface.co'
/** Where the makers of node-llama-cpp publish its libraries. */
const PACKAGES = 'https://registry.npmjs.org'

/** The models of a host: what is bundled, downloaded and found on this machine, and what the hub has. */
export async function openModels(host: Host): Promise<ModelLibrary> {
  const { resources, data, providers, foundModels, settings, jobs, options } = host
  const networkAllowed = (): boolean => settings().network
  const registry = () => loadRegistry(join(resources.models, 'registry.json'))
  const { env } = host.storeWorld
  const hub = openHub({
    address: env['HF_ENDPOINT'] || HUB,
    networkAllowed,
    token: env['HF_TOKEN'] || null,
  })
  const gpu = openGpuLibraries({
    queue: () => queue,
    folder: librariesOf(data),
    registry: (env['npm_config_registry'] || PACKAGES).replace(/\/$/, ''),
  })
  const queue: DownloadQueue = await openDownloadQueue({
    file: join(data.path, 'downloads.json'),
    jobs,
    networkAllowed,
    atOnce: () => settings().downloadsAtOnce,
    keyFor: (url) => (new URL(url).host === hub.host ? hub.token : null),
    async onDone({ asEmbedder, target }) {
      if (await gpu.unpack(target)) return
      if (!asEmbedder) return
      const embedder = embedderIn(target, await host.embedders())
      if (embedder !== null) await host.saveSettings({ embedder })
    },
  })
  // A command that looks something up is no reason to go on with a download; a window is.
  if (options.host === 'electron' || options.host === 'headless') queue.go()
  host.onSettings(({ network }) => {
    if (network) queue.go()
  })
  const list = async () => host.withSpeeds(withUsual(await providers.list(), host.machine.bytes))
  return {
    list,
    places: async () => [...(await foundModels()).places],
    registry,
    advice: async (isAnew) =>
      adviseModels(
        await loadKnownModels(join(resources.models, 'known.json')),
        await host.machine.read(isAnew),
        await list(),
      ),
    downloads: queue,
    hub: openHubDownloads({ hub, queue, registry, folder: data.models, freeBytes: () => freeBytes(host) }),
    gpu,
    added: openAddedModels({
      settings,
      saveSettings: host.saveSettings,
      found: async () => (await foundModels()).models,
    }),
    openModelServers: () => hub.open() + queue.open(),
    close: () => queue.close(),
  }
}

/** What is free for a model: RAM, and VRAM where the engine sees some. */
async function freeBytes({ fit, demoModel }: Host): Promise<number> {
  try {
    const { ram, vram } = await fit(demoModel, 256)
    return ram.free + (vram?.free ?? 0)
  } catch {
    // Without an engine that can be asked there is the system's own word.
    return process.availableMemory()
  }
}
