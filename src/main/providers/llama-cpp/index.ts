import { createHash } from 'node:crypto'
import { defineSettings } from '../../../core/ground/settings'
import { partsOf } from '../../gguf/gguf-parts'
import type { ModelIdentity, ProviderModule, ProviderWorld } from '../provider'
import { chatModel, ENGINE_CAN } from './chat-model'

/** GGUF files, run on this machine by llama.cpp in the engine process. GPU and threads are settings of the whole house. */
export const llamaCpp: ProviderModule = {
  id: 'llama-cpp',
  title: 'On this machine',
  help: 'A GGUF file, run by llama.cpp. Nothing leaves the machine.',
  settings: defineSettings('llama-cpp', 'On this machine', {}),
  can: ENGINE_CAN,
  owns: (reference) => reference === null,
  open: (world) => ({
    list: async (signal) => [...(await world.foundModels(signal))],
    identify: (path, signal) => identify(path, world, signal),
    load: async (path, choice) => chatModel(await world.loadInEngine(path, choice)),
  }),
}

/** Of a file its own hash; of one in parts the hash of the parts' hashes, in order, as hex. */
async function identify(
  path: string,
  { hashFile }: Pick<ProviderWorld, 'hashFile'>,
  signal?: AbortSignal,
): Promise<ModelIdentity> {
  const parts = partsOf(path)
  if (parts.length === 1) return hashFile(path, signal)
  const hash = createHash('sha256')
  let sizeBytes = 0
  for (const part of parts) {
    const { sizeBytes: own, sha256 } = await hashFile(part, signal)
    hash.update(sha256)
    sizeBytes += own
  }
  return { sizeBytes, sha256: hash.digest('hex') }
}
