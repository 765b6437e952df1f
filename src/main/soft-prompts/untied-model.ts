import { open, statfs, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { LoamError } from '../../shared/errors'
import { throwIfAborted } from '../../core/ground/abort'
import { diskError } from '../ground/atomic-file'
import { tensorBytes } from '../gguf/ggml-types'
import { readGgufHeader } from '../gguf/read-gguf'
import { aligned, ggufHead } from '../gguf/gguf-writer'
import { rename, rm } from '../ground/steady-files'

const PIECE = 1 << 24
const EMBEDDING = 'token_embd.weight'
const OUTPUT = 'output.weight'

/** What an untied copy of a model costs. */
export interface UntieCost {
  /** Bytes of the copy. */
  readonly bytes: number
  /** Bytes by which it is larger than the model, which the loaded model takes in memory too. */
  readonly extraBytes: number
}

/**
 * What it costs to give a model with tied embeddings an `output.weight` of its own; null for a model that has one. An
 * adapter on the embeddings of a tied model would change its logits as well, and llama.cpp ends the process over it.
 */
export async function untieCost(path: string): Promise<UntieCost | null> {
  const { tensors, sizeBytes } = await readGgufHeader(path)
  const embedding = tensors.find(({ name }) => name === EMBEDDING)
  if (!embedding || tensors.some(({ name }) => name === OUTPUT)) return null
  const extraBytes = aligned(tensorBytes(embedding.type, embedding.shape))
  return { bytes: sizeBytes + extraBytes, extraBytes }
}

/**
 * Writes a copy of `source` in which `output.weight` repeats the embeddings byte for byte: same logits, untied. Whole or not
 * at all. Throws `DISK_FULL` before it starts when the copy does not fit, `CONFLICT` for a model that is not tied.
 */
export async function writeUntied(
  source: string,
  target: string,
  options: {
    readonly signal?: AbortSignal
    readonly onBytes?: (doneCount: number, total: number) => void
  } = {},
): Promise<void> {
  const cost = await untieCost(source)
  if (!cost)
    throw new LoamError('CONFLICT', `${source} has an output matrix of its own already.`, {
      suggestion: 'Use the model as it is.',
    })
  const { bavail, bsize } = await statfs(dirname(target))
  if (bavail * bsize < cost.bytes)
    throw new LoamError(
      'DISK_FULL',
      `The untied copy takes ${cost.bytes} bytes; ${bavail * bsize} are free at ${dirname(target)}.`,
      { suggestion: 'Free some space on that disk and try again.', retryable: true },
    )
  const part = `${target}.part`
  const from = await open(source, 'r')
  try {
    const to = await open(part, 'w')
    try {
      await copy(source, from, to, cost, options)
      await to.sync()
    } finally {
      await to.close()
    }
    await rename(part, target)
  } catch (error) {
    await rm(part, { force: true })
    throw diskError(error, target)
  } finally {
    await from.close()
  }
}

async function copy(
  source: string,
  from: FileHandle,
  to: FileHandle,
  cost: UntieCost,
  {
    signal,
    onBytes,
  }: { readonly signal?: AbortSignal; readonly onBytes?: (doneCount: number, total: number) => void },
): Promise<void> {
  const { tensors, sizeBytes, dataOffset, entries, metadataRange, alignment } = await readGgufHeader(source)
  if (alignment !== 32)
    throw new LoamError(
      'TRAINER_MODEL',
      `${source} aligns its tensors to ${alignment} bytes; copied are files with 32.`,
      { suggestion: 'Take another build of this model.' },
    )
  const embedding = tensors.find(({ name }) => name === EMBEDDING) as (typeof tensors)[number]
  const dataBytes = aligned(sizeBytes - dataOffset)
  const metadata = Buffer.alloc(metadataRange[1] - metadataRange[0])
  await from.read(metadata, 0, metadata.length, metadataRange[0])
  const head = ggufHead(entries, metadata, [...tensors, { ...embedding, name: OUTPUT, offset: dataBytes }])
  await to.write(head)
  const piece = Buffer.allocUnsafe(PIECE)
  let doneDoneCount = head.length
  const copyRange = async (start: number, length: number, at: number) => {
    for (let movedCount = 0; movedCount < length; movedCount += PIECE) {
      throwIfAborted(signal)
      const { bytesRead } = await from.read(
        piece,
        0,
        Math.min(PIECE, length - movedCount),
        start + movedCount,
      )
      await to.write(piece, 0, bytesRead, at + movedCount)
      doneDoneCount += bytesRead
      onBytes?.(doneDoneCount, cost.bytes)
    }
  }
  await copyRange(dataOffset, sizeBytes - dataOffset, head.length)
  const size = tensorBytes(embedding.type, embedding.shape)
  await copyRange(dataOffset + embedding.offset, size, head.length + dataBytes)
  await to.truncate(head.length + dataBytes + aligned(size))
}
