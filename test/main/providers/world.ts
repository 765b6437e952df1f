import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { openCredentials } from '../../../src/main/ground/credentials'
import { createFileHasher } from '../../../src/main/ground/file-hash'
import { EngineSupervisor } from '../../../src/main/engine-client/supervisor'
import { openModelServers } from '../../../src/main/providers/model-servers'
import { readModels } from '../model-files/places'
import type { ProviderWorld } from '../../../src/main/providers/provider'
import type { SettingChanges } from '../../../src/shared/domain/setting'

export const models = resolve(import.meta.dirname, '../../../models')
export const demoModel = join(models, 'loam-demo.gguf')

/** A world for providers with a real engine, and what tests change in it. */
export interface TestWorld extends ProviderWorld {
  readonly engine: EngineSupervisor
  change(change: { settings?: SettingChanges; network?: boolean }): void
  close(): Promise<void>
}

/** Makes one over a folder of its own. */
export async function testWorld(sessionKey: string | null = null): Promise<TestWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'loam-providers-'))
  const engine = new EngineSupervisor()
  let settings: SettingChanges = {}
  let network = false
  return {
    engine,
    loadInEngine: (path, { signal, retryAfterCrash, ...size }) =>
      engine.loadModel({ path, gpuLayers: 'cpu', ...size }, { signal, retryAfterCrash }),
    hashFile: createFileHasher(join(folder, 'hashes.json')).hash,
    foundModels: async () => (await readModels([models])).models,
    servers: openModelServers(
      join(folder, 'connections.json'),
      openCredentials(join(folder, 'credentials.json')),
    ),
    settings: () => settings,
    networkAllowed: () => network,
    sessionKey,
    change(change) {
      settings = change.settings ?? settings
      network = change.network ?? network
    },
    async close() {
      await engine.dispose()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
