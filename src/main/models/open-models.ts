import type { Host } from '../host/host'
import { createModelLibrary, type ModelLibrary } from './model-library'

/** The models of a host: what is bundled, downloaded and found in the person's own folders. */
export const openModels = ({ resources, data, providers, foundModels, settings, jobs }: Host): ModelLibrary =>
  createModelLibrary({
    bundledFolder: resources.models,
    ownFolder: data.models,
    list: () => providers.list(),
    places: async () => (await foundModels()).places,
    networkAllowed: () => settings().network,
    jobs,
  })
