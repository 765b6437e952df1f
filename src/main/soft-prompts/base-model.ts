import { mkdir } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { chooseReservedTokens, MOST_LENGTH, suitableLength } from '../../core/soft-prompts/reserved-tokens'
import { LoamError } from '../../shared/errors'
import { readModelShape, type ModelShape } from '../adapters/ggml/model-shape'
import { readVocabulary } from '../gguf/vocabulary'
import { untieCost, writeUntied, type UntieCost } from './untied-model'

/** A model to train on, and the tokens whose embeddings a soft prompt takes the place of. */
export interface ReservedModel {
  readonly shape: ModelShape
  readonly reservedIds: number[]
  /** Their texts, when each is a token that is found in text; null otherwise. */
  readonly reservedTokens: string[] | null
}

/** A model with fewer tokens than this to spare is refused. */
const LEAST = 8

/** A model's shape, and its tokens for a soft prompt of `wanted`; null: of as many as suit it. Throws `TRAINER_MODEL`. */
export async function reserveTokens(path: string, wantedCount: number | null): Promise<ReservedModel> {
  const shape = await readModelShape(path)
  const { vocabulary, taken } = await readVocabulary(path)
  const all = chooseReservedTokens(vocabulary, wantedCount ?? MOST_LENGTH, taken)
  const length = wantedCount ?? Math.max(LEAST, suitableLength(shape.sizes.width, all.length))
  const reservedIds = all.slice(0, length)
  if (reservedIds.length < length)
    throw new LoamError(
      'TRAINER_MODEL',
      `${basename(path)} has ${reservedIds.length} tokens that no text uses; a soft prompt of ${length} needs as many.`,
      { suggestion: `Choose a length of at most ${reservedIds.length}, or another model.` },
    )
  // Only control and user-defined tokens are found in text.
  const isNamed = reservedIds.every((id) => [3, 4].includes(vocabulary.types[id] ?? 0))
  const reservedTokens = isNamed ? reservedIds.map((id) => vocabulary.texts[id] ?? '') : null
  return { shape, reservedIds, reservedTokens }
}

/**
 * The model itself, or its untied copy in `folder`, written when `allowed` and not there yet. Throws `TRAINER_MODEL` when the
 * copy is needed and not allowed.
 */
export async function untiedModel(
  path: string,
  folder: string,
  allowed: boolean,
  signal: AbortSignal | undefined,
  onBytes: (doneCount: number, total: number) => void,
): Promise<string> {
  const cost = await untieCost(path)
  if (cost === null) return path
  const copy = untiedCopyOf(path, folder)
  if (await untiedCopyIsOf(copy, path)) return copy
  if (!allowed)
    throw tiedError(
      path,
      cost,
      `Allow the copy (--untie); it is written to ${copy}. Or take a model with untied embeddings.`,
    )
  await mkdir(folder, { recursive: true })
  await writeUntied(path, copy, { signal, onBytes })
  return copy
}

/** Throws `TRAINER_MODEL` for a model with tied embeddings, naming its untied copy in `folder` where there is one. */
export async function requireUntied(path: string, folder: string): Promise<void> {
  const cost = await untieCost(path)
  if (cost === null) return
  const copy = untiedCopyOf(path, folder)
  throw tiedError(
    path,
    cost,
    (await untiedCopyIsOf(copy, path))
      ? `Run with that copy from the start: --model ${copy}`
      : 'Have it written with "loam soft-prompts train --untie" and run with the copy from the start, or take a model with untied embeddings.',
  )
}

const untiedCopyOf = (path: string, folder: string): string =>
  join(folder, `${basename(path, extname(path))}-untied.gguf`)

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`

const tiedError = (path: string, cost: UntieCost, suggestion: string) =>
  new LoamError(
    'TRAINER_MODEL',
    `${basename(path)} uses its embeddings a second time to make its output, so an adapter would change both. An untied copy is needed: ${megabytes(cost.bytes)} on disk, ${megabytes(cost.extraBytes)} more memory when it is loaded, the same answers.`,
    { suggestion },
  )

/** Whether `copy` is there and an untied copy of `source`, judged by sizes. */
async function untiedCopyIsOf(copy: string, source: string): Promise<boolean> {
  try {
    const [modelShape, original] = await Promise.all([readModelShape(copy), readModelShape(source)])
    const { weightBytes } = original.sizes
    return (
      !modelShape.tied &&
      modelShape.sizes.weightBytes > weightBytes &&
      modelShape.sizes.layers === original.sizes.layers
    )
  } catch (error) {
    if (error instanceof LoamError) return false
    throw error
  }
}
