import { isAbsolute, join } from 'node:path'
import { LEXICAL_DIMENSION, LEXICAL_ID, lexicalEmbedder } from '../../core/retrieval/lexical-embedder'
import type { Embedder } from '../../core/ground/ports'
import { BUILT_IN_ENCODER, type EmbedderInfo } from '../../shared/domain/model'
import { LoamError } from '../../shared/errors'
import type { EmbedResult } from '../ground/engine-protocol'
import { readReference } from '../ground/model-reference'
import { BUILT_IN_DIMENSION, builtInEncoder, wordRankOf } from './built-in-encoder'
import { readEmbedderFolder, type EmbedderFolder } from './embedder-folder'
import { isGguf, readGgufEmbedder } from './gguf-embedder'
import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'

/** The encoder Loam knows by name; it is offered even where its files are absent. */
const MINILM_ID = 'all-MiniLM-L6-v2'
const MINILM_DIMENSION = 384

/**
 * An embedder by id: `loam-256` (its file is `encoderFile`), `lexical-384`, an encoder's name found below `folders`, the absolute path of an encoder's folder or of a GGUF
 * file, or a server's model (`PROVIDER:NAME@PLACE`). `embed` is how the engine process is reached, `served` how servers are. Throws `EMBEDDER_MISSING`.
 */
export async function openEmbedder(id: string, options: OpenOptions): Promise<Embedder> {
  const embedder = await openById(id, options)
  return { wordRank: wordRankOf(options.encoderFile), ...embedder }
}

interface OpenOptions {
  readonly encoderFile: string
  readonly folders: readonly string[]
  readonly embed: (folder: string, texts: readonly string[], signal?: AbortSignal) => Promise<EmbedResult>
  readonly served: (id: string) => Promise<Embedder>
}

async function openById(id: string, options: OpenOptions): Promise<Embedder> {
  if (id === BUILT_IN_ENCODER) return builtInEncoder(options.encoderFile)
  if (id === LEXICAL_ID) return lexicalEmbedder
  if (readReference(id)) return options.served(id)
  const through = (path: string, dimension: number): Embedder => ({
    id,
    dimension,
    async embed(texts, { signal } = {}) {
      if (texts.length === 0) return []
      const { dimension: width, values } = await options.embed(path, texts, signal)
      return texts.map((_, index) => values.slice(index * width, (index + 1) * width))
    },
  })
  if (isAbsolute(id) && isGguf(id)) return through(id, (await readGgufEmbedder(id)).dimension)
  const embedder = isAbsolute(id)
    ? await readEmbedderFolder(id)
    : (await findEmbedders(options.folders)).find(({ name }) => name === id)
  if (!embedder)
    throw new LoamError('EMBEDDER_MISSING', `No embedding model "${id}" was found.`, {
      suggestion:
        'Add the folder that holds it to the model folders, or choose the built-in embedding model.',
    })
  return through(embedder.folder, embedder.dimension)
}

/**
 * Every embedder that can be chosen, the built-in ones first, then those found below `folders`, GGUF files, and those of servers, with
 * plain words on what it can and cannot do.
 */
export async function listEmbedders(
  folders: readonly string[],
  ggufs: readonly { readonly path: string; readonly name: string; readonly dimension: number }[] = [],
  served: readonly { readonly id: string; readonly title: string }[] = [],
): Promise<EmbedderInfo[]> {
  const embedders = await findEmbedders(folders)
  const miniLm = embedders.find(({ name }) => name === MINILM_ID)
  const others = embedders.filter(({ name }) => name !== MINILM_ID)
  return [
    {
      id: BUILT_IN_ENCODER,
      title: 'Built-in embedding model',
      dimension: BUILT_IN_DIMENSION,
      description:
        'Finds texts that mean similar things, also in other words: English and German best, French and Spanish less. Fast, needs no ' +
        'network, always the same answer.',
      kind: 'sentence-encoder',
      available: true,
    },
    {
      id: LEXICAL_ID,
      title: 'Built-in word matcher',
      dimension: LEXICAL_DIMENSION,
      description:
        'Compares words, parts of words and a short list of everyday words that stand for the same ("car", "automobile"). Fast, ' +
        'needs no files, always the same answer. Beyond that list it does not understand meaning.',
      kind: 'lexical',
      available: true,
    },
    {
      id: MINILM_ID,
      title: 'all-MiniLM-L6-v2',
      dimension: miniLm?.dimension ?? MINILM_DIMENSION,
      description: miniLm
        ? 'A small neural embedding model: finds English texts that mean similar things, even in other words.'
        : 'A small neural embedding model that compares meaning. Its files are not in any of your model folders.',
      kind: 'sentence-encoder',
      available: miniLm !== undefined,
    },
    ...others.map(({ folder, name, dimension }): EmbedderInfo => ({
      id: folder,
      title: name,
      dimension,
      description: `An embedding model from one of your folders (${folder}). How well it compares meaning is up to the model.`,
      kind: 'sentence-encoder',
      available: true,
    })),
    ...ggufs.map(({ path, name, dimension }): EmbedderInfo => ({
      id: path,
      title: name,
      dimension,
      description: `An embedding model as GGUF (${path}), run by llama.cpp on this machine.`,
      kind: 'sentence-encoder',
      available: true,
    })),
    ...served.map(({ id, title }): EmbedderInfo => ({
      id,
      title,
      dimension: null,
      description: 'A server that embeds texts. Every text that is remembered or searched for goes there.',
      kind: 'sentence-encoder',
      available: true,
    })),
  ]
}

const DEEPEST = 3

/** Encoder folders at or below the given folders, three levels deep; unreadable places and broken encoders are passed over. */
async function findEmbedders(folders: readonly string[]): Promise<EmbedderFolder[]> {
  const folderMap = new Map<string, EmbedderFolder>()
  const visit = async (folder: string, depth: number): Promise<void> => {
    const embedder = await readEmbedderFolder(folder).catch(() => null)
    if (embedder) {
      folderMap.set(folder, embedder)
      return
    }
    if (depth === DEEPEST) return
    const entries: Dirent[] = await readdir(folder, { withFileTypes: true }).catch(() => [])
    for (const entry of entries)
      if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
        await visit(join(folder, entry.name), depth + 1)
  }
  for (const folder of folders) await visit(folder, 0)
  return [...folderMap.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}
