import { realpath, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { modelsNamed, type LeftOutFile, type ModelInfo, type ModelPlace } from '../../shared/domain/model'
import type { Settings } from '../../shared/domain/memory-info'
import { LoamError } from '../../shared/errors'
import { describeModel, HeaderReader, type DescribeOptions } from './describe-model'
import { partsOf } from '../gguf/gguf-parts'
import { MODEL_STORES } from './stores'
import {
  type ModelStore,
  type StoreContent,
  type StoredModel,
  type StoreWorld,
  nameBelow,
  readByPath,
} from './stores/store'

/** Where models are looked for. */
export interface SearchPlaces {
  /** The folder of models that come with Loam. */
  readonly bundledFolder: string
  /** Where downloads go. */
  readonly ownFolder: string
  /** The person's own folders. */
  readonly folders: readonly string[]
  /** Single files of the person's own. */
  readonly files: readonly string[]
  /** Programs whose models are found, and where they look. */
  readonly stores: readonly ModelStore[]
  readonly world: StoreWorld
}

/** Where a person's settings say that models are looked for. */
export const searchPlaces = (
  settings: Pick<Settings, 'modelFolders' | 'modelFiles' | 'findModels'>,
  of: Pick<SearchPlaces, 'bundledFolder' | 'ownFolder' | 'world'>,
): SearchPlaces => ({
  ...of,
  folders: settings.modelFolders,
  files: settings.modelFiles,
  stores: settings.findModels ? MODEL_STORES : [],
})

/**
 * The path of the model that a text names: a short name as `ollama/qwen3:4b`, or its end. Null where none is called so.
 * @throws LoamError `BAD_INPUT` where several are
 */
export function pathOfNamed(text: string, models: readonly ModelInfo[]): string | null {
  const [first, ...others] = modelsNamed(text, models)
  if (first === undefined || others.length === 0) return first?.path ?? null
  throw new LoamError(
    'BAD_INPUT',
    `"${text}" may be any of ${[first, ...others].map(({ id, path }) => (id === undefined || id === text ? path : id)).join(', ')}.`,
    { suggestion: 'Name it in full, or write its path.' },
  )
}

/** What was found, and where was looked. */
export interface FoundModels {
  /** By name; each file once, wherever it was found. */
  readonly models: readonly ModelInfo[]
  readonly places: readonly ModelPlace[]
}

interface Place {
  readonly store: ModelStore | null
  readonly title: string
  readonly path: string
  read(signal?: AbortSignal): Promise<StoreContent>
}

/** Makes one; it remembers the headers of files that do not change, in `cacheFile` where there is one. */
export function createModelSearch(cacheFile: string | null = null) {
  const headers = new HeaderReader(cacheFile)
  return {
    /** Rejects only when `signal` fires. */
    async find(
      places: SearchPlaces,
      options: DescribeOptions = {},
      signal?: AbortSignal,
    ): Promise<FoundModels> {
      const knownMap = new Map<string, ModelInfo>()
      const looked: ModelPlace[] = []
      for (const place of await placesOf(places)) {
        signal?.throwIfAborted()
        const { models, left } = await place.read(signal)
        const refused: LeftOutFile[] = [...left]
        let count = 0
        for (const model of models) {
          signal?.throwIfAborted()
          const foundIn = { foundIn: place.title, id: shortName(place, model) }
          const described = await describeModel(model, foundIn, headers, options)
          if (described.kind === 'left') {
            refused.push({ path: model.path, why: described.why })
            continue
          }
          count += 1
          const real = await realpath(model.path).catch(() => model.path)
          const same = knownMap.get(real)
          knownMap.set(real, same ? withAlias(same, foundIn.id) : described.model)
        }
        looked.push({
          ...{ store: place.store?.id ?? null, title: place.title, path: place.path },
          ...{ there: await isThere(place.path), models: count, left: refused },
        })
      }
      const models = [...knownMap.values()].sort((a, b) =>
        a.name < b.name ? -1 : a.name > b.name ? 1 : a.path < b.path ? -1 : 1,
      )
      return { models, places: looked }
    },
  }
}

async function placesOf(places: SearchPlaces): Promise<Place[]> {
  const { bundledFolder, ownFolder, stores, world } = places
  const folder = (title: string, path: string): Place => ({
    ...{ store: null, title, path },
    read: (signal) => readByPath(path, signal),
  })
  const foundPlaces: Place[] = [
    folder('Comes with Loam', bundledFolder),
    folder('Loam’s downloads', ownFolder),
    ...places.folders.map((path) => folder('Your folder', resolve(path))),
    ...places.files.map((path) => ({ store: null, title: 'Your file', path, read: () => singleFile(path) })),
  ]
  for (const store of stores)
    for (const path of await store.folders(world))
      foundPlaces.push({ store, title: store.title, path, read: (signal) => store.read(path, signal) })
  return foundPlaces
}

const singleFile = (path: string): Promise<StoreContent> =>
  Promise.resolve({
    models: [{ path, parts: partsOf(path), name: nameBelow(resolve(path, '..'), { path }) }],
    left: [],
  })

const shortName = ({ store }: Place, { name, path }: StoredModel): string =>
  store === null ? nameBelow(resolve(path, '..'), { path }) || basename(path) : `${store.id}/${name}`

const withAlias = (model: ModelInfo, id: string): ModelInfo =>
  model.id === id ? model : { ...model, aliases: [...new Set([...(model.aliases ?? []), id])] }

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
