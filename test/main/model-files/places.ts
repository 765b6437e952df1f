import type { DescribeOptions } from '../../../src/main/model-files/describe-model'
import {
  createModelSearch,
  type FoundModels,
  type SearchPlaces,
} from '../../../src/main/model-files/find-models'
import type { StoreWorld } from '../../../src/main/model-files/stores/store'

/** A machine with nobody's home, so that what lies on the real one is not found. */
export const noWorld: StoreWorld = { home: '/nowhere', env: {}, platform: 'linux', root: '/nowhere' }

/** Looks for models in folders, and where else a test says. */
export const readModels = (
  folders: readonly string[],
  options: DescribeOptions & Partial<SearchPlaces> & { signal?: AbortSignal } = {},
): Promise<FoundModels> => {
  const { registry, bundledFolder, promptSha256, signal, ...places } = options
  return createModelSearch().find(
    {
      ...{
        bundledFolder: '/nowhere/bundled',
        ownFolder: '/nowhere/own',
        files: [],
        stores: [],
        world: noWorld,
      },
      ...{ folders, ...places },
    },
    {
      ...(registry && { registry }),
      ...(bundledFolder && { bundledFolder }),
      ...(promptSha256 && { promptSha256 }),
    },
    signal,
  )
}
