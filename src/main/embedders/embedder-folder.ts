import { readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { LONGEST_DATA, readForeignText } from '../ground/isolate/foreign-text'
import { LoamError } from '../../shared/errors'

/** An embedding model on disk, in the layout of transformers.js. */
export interface EmbedderFolder {
  readonly folder: string
  readonly name: string
  readonly dimension: number
  /** How token vectors become one. */
  readonly pooling: 'mean' | 'cls' | 'max'
  /** Which weights are there: `onnx/model_quantized.onnx` (q8) is preferred to `onnx/model.onnx` (fp32). */
  readonly dtype: 'q8' | 'fp32'
  /** Longer texts are cut. */
  readonly maxTokens: number
}

const configSchema = z.object({
  hidden_size: z.number().int().positive().optional(),
  dim: z.number().int().positive().optional(),
  max_position_embeddings: z.number().int().positive().optional(),
})
const tokenizerSchema = z.object({ model_max_length: z.number().optional() })
const poolingSchema = z.object({
  pooling_mode_cls_token: z.boolean().optional(),
  pooling_mode_max_tokens: z.boolean().optional(),
})
const MOST_TOKENS = 512

/**
 * Reads what a folder holds; `null` when it is not an encoder's folder. Throws `EMBEDDER_MISSING` when it looks like one
 * but cannot be used.
 */
export async function readEmbedderFolder(folder: string): Promise<EmbedderFolder | null> {
  const [quantized, full] = await Promise.all([
    isFile(join(folder, 'onnx/model_quantized.onnx')),
    isFile(join(folder, 'onnx/model.onnx')),
  ])
  if (!quantized && !full) return null
  const config = await readJson(join(folder, 'config.json'), configSchema)
  if (!config || !(await isFile(join(folder, 'tokenizer.json'))))
    throw unusable(folder, 'config.json or tokenizer.json is missing')
  const dimension = config.hidden_size ?? config.dim
  if (dimension === undefined) throw unusable(folder, 'config.json does not say how long its vectors are')
  const tokenizer = await readJson(join(folder, 'tokenizer_config.json'), tokenizerSchema)
  const pooling = await readJson(join(folder, '1_Pooling/config.json'), poolingSchema)
  return {
    folder,
    name: embedderName(folder),
    dimension,
    pooling: pooling?.pooling_mode_cls_token ? 'cls' : pooling?.pooling_mode_max_tokens ? 'max' : 'mean',
    dtype: quantized ? 'q8' : 'fp32',
    maxTokens: Math.min(
      tokenizer?.model_max_length ?? MOST_TOKENS,
      config.max_position_embeddings ?? MOST_TOKENS,
      MOST_TOKENS,
    ),
  }
}

/** A folder's own name; in a hub's cache, where folders are called by their revision, the model's. */
const embedderName = (folder: string): string => {
  const [, repo] = /[\\/]models--([^\\/]+)[\\/]snapshots[\\/][^\\/]+$/.exec(folder) ?? []
  return repo?.split('--').at(-1) ?? basename(folder)
}

async function readJson<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  try {
    return schema.parse(await readForeignText(text, path, 'json', LONGEST_DATA))
  } catch (error) {
    throw unusable(path, error instanceof Error ? error.message : String(error))
  }
}

const isFile = async (path: string): Promise<boolean> =>
  await stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  )

const unusable = (path: string, why: string) =>
  new LoamError('EMBEDDER_MISSING', `The embedding model at ${path} cannot be used: ${why}.`, {
    suggestion: 'Copy its files again, or choose the built-in word matcher.',
  })
