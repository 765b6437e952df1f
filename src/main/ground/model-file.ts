import { basename, extname, join } from 'node:path'
import { readReference } from './model-reference'

/** Where the bundled demo model lies in the folder of bundled models. */
export const demoModelPath = (models: string): string => join(models, 'loam-demo.gguf')

/** Where the built-in embedding model lies in the folder of bundled models. */
export const encoderPath = (models: string): string => join(models, 'loam-encoder.bin')

/** Where the weights lie that tell what a message tells. */
export const tellingPath = (models: string): string => join(models, 'loam-telling.bin')

/** Characters of a hash that tell a blob from others. */
const SHORT_HASH = 12

/** A model's name: that of its file, without the extension, or what its provider calls it; of a file called by its hash the beginning. */
export function nameOfModel(model: string): string {
  const name = readReference(model)?.name ?? basename(model, extname(model))
  const [, hash] = /^sha256[-:]([0-9a-f]{64})$/.exec(name) ?? []
  return hash === undefined ? name : `sha256-${hash.slice(0, SHORT_HASH)}`
}
