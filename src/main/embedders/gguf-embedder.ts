import { basename } from 'node:path'
import { LoamError } from '../../shared/errors'
import type { GgufHeader } from '../gguf/gguf-header'
import { readGgufHeader } from '../gguf/read-gguf'
import { isEmbeddingModel, sizeOf, textOf } from '../gguf/gguf-kind'

/** A GGUF model that texts can be embedded with. */
export interface GgufEmbedder {
  /** Absolute path. */
  readonly path: string
  readonly name: string
  readonly dimension: number
  /** Longer texts are cut. */
  readonly maxTokens: number
  /** Made for embedding; others answer with what they think at the end of a text, which says less. */
  readonly madeForIt: boolean
}

const MOST_TOKENS = 2048

/** Whether a path is that of a GGUF: by its ending, or as a blob that is called by its hash. */
export const isGguf = (path: string): boolean =>
  /\.gguf$/i.test(path) || /[\\/]blobs[\\/]sha256[-:][0-9a-f]{64}$/.test(path)

/** What a GGUF says of itself as an encoder. @throws LoamError `EMBEDDER_MISSING` */
export async function readGgufEmbedder(path: string): Promise<GgufEmbedder> {
  let header: GgufHeader
  try {
    header = await readGgufHeader(path)
  } catch (error) {
    throw unusable(path, error instanceof LoamError ? error.message : 'it cannot be read', error)
  }
  const dimension = sizeOf(header, 'embedding_length')
  if (dimension === null || header.tensorCount === 0)
    throw unusable(path, 'it does not say how long its vectors are, or has no weights')
  return {
    path,
    name: textOf(header, 'general.name') ?? basename(path).replace(/\.gguf$/i, ''),
    dimension,
    maxTokens: Math.min(sizeOf(header, 'context_length') ?? 512, MOST_TOKENS),
    madeForIt: isEmbeddingModel(header),
  }
}

/** Why a GGUF cannot embed. */
export const unusable = (path: string, why: string, underlying?: unknown): LoamError =>
  new LoamError('EMBEDDER_MISSING', `The embedding model at ${path} cannot be used: ${why}.`, {
    suggestion: 'Copy its file again, or choose the built-in word matcher.',
    underlying,
  })
