import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../../shared/domain/memory-info'
import { createModelSearch, pathOfNamed, searchPlaces, type FoundModels } from '../model-files/find-models'
import { loadRegistry } from '../model-files/registry'
import { hubCaches } from '../model-files/stores/hugging-face'
import type { StoreWorld } from '../model-files/stores/store'
import { modelFrom } from '../ground/model-reference'
import type { LoadedPrompts } from '../ground/prompts'

/** Finds what lies on this machine for one host. */
export interface ModelFinder {
  /** Where embedding models are looked for: bundled, data folder, the person's own, the hub's cache. */
  modelFolders(): string[]
  /** GGUF models on this machine and where was looked for them. Rejects only when `signal` fires. */
  foundModels(signal?: AbortSignal): Promise<FoundModels>
  /** What a person calls a model, a path, a reference or a short name, as what it is known by. @throws LoamError `BAD_INPUT` where several are called so */
  modelNamed(text: string): Promise<string>
}

/** Makes it. */
export function createModelFinder(of: {
  readonly bundledFolder: string
  readonly ownFolder: string
  readonly world: StoreWorld
  readonly settings: () => Settings
  readonly prompts: () => Promise<Pick<LoadedPrompts, 'sha256'>>
}): ModelFinder {
  const { bundledFolder, ownFolder, world, settings, prompts } = of
  const search = createModelSearch()
  const foundModels: ModelFinder['foundModels'] = async (signal) =>
    search.find(
      searchPlaces(settings(), { bundledFolder, ownFolder, world }),
      {
        registry: await loadRegistry(join(bundledFolder, 'registry.json')),
        bundledFolder,
        promptSha256: (await prompts()).sha256,
      },
      signal,
    )
  return {
    foundModels,
    modelFolders: () => [
      ...[bundledFolder, ownFolder, ...settings().modelFolders],
      ...(settings().findModels ? hubCaches(world) : []),
    ],
    async modelNamed(text) {
      const inputText = modelFrom(text)
      if (inputText === text || existsSync(inputText)) return inputText
      return pathOfNamed(text, (await foundModels()).models) ?? inputText
    },
  }
}
