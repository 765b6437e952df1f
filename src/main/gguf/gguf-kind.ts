import type { GgufHeader } from './gguf-header'

/** Names of `general.file_type`, llama.cpp's `llama_ftype`, by number. */
const FILE_TYPES: Readonly<Record<number, string>> = {
  ...{ 0: 'F32', 1: 'F16', 2: 'Q4_0', 3: 'Q4_1', 7: 'Q8_0', 8: 'Q5_0', 9: 'Q5_1', 10: 'Q2_K', 11: 'Q3_K_S' },
  ...{ 12: 'Q3_K_M', 13: 'Q3_K_L', 14: 'Q4_K_S', 15: 'Q4_K_M', 16: 'Q5_K_S', 17: 'Q5_K_M', 18: 'Q6_K' },
  ...{ 19: 'IQ2_XXS', 20: 'IQ2_XS', 21: 'Q2_K_S', 22: 'IQ3_XS', 23: 'IQ3_XXS', 24: 'IQ1_S', 25: 'IQ4_NL' },
  ...{ 26: 'IQ3_S', 27: 'IQ3_M', 28: 'IQ2_S', 29: 'IQ2_M', 30: 'IQ4_XS', 31: 'IQ1_M', 32: 'BF16' },
  ...{ 36: 'TQ1_0', 37: 'TQ2_0', 38: 'MXFP4' },
}

/** Architectures that do nothing but embed. */
const EMBEDDING_ARCHITECTURE = /bert|^t5encoder$|^gemma-embedding$|^llama-embed$/

/** A text of the metadata; null where it is absent, empty or no text. */
export function textOf({ metadata }: GgufHeader, key: string): string | null {
  const value = metadata.get(key)
  return typeof value === 'string' && value !== '' ? value : null
}

/** `general.architecture`, or `unknown`. */
export const architectureOf = (header: GgufHeader): string =>
  textOf(header, 'general.architecture') ?? 'unknown'

/** A positive number under the architecture's own prefix, such as `context_length`; null where there is none. */
export function sizeOf(header: GgufHeader, key: string): number | null {
  const value = header.metadata.get(`${architectureOf(header)}.${key}`)
  return typeof value === 'number' && value > 0 ? value : null
}

/** How its weights are written, as `Q4_K_M`; null where the file does not say. */
export function quantizationOf({ metadata }: GgufHeader): string | null {
  const type = metadata.get('general.file_type')
  return typeof type === 'number' ? (FILE_TYPES[type] ?? null) : null
}

/** Whether it was made for embedding texts and not for writing them. */
export const isEmbeddingModel = (header: GgufHeader): boolean =>
  EMBEDDING_ARCHITECTURE.test(architectureOf(header)) || sizeOf(header, 'pooling_type') !== null

/** Why a GGUF is no model by itself, in words; null for a model. */
export function notAModel(header: GgufHeader): string | null {
  const type = textOf(header, 'general.type')
  if (architectureOf(header) === 'clip' || type === 'mmproj')
    return 'It is the part of a model that reads pictures or sound (a projector), not a language model.'
  if (type === 'adapter') return 'It is an adapter (LoRA) for a model, not a model.'
  if (type === 'imatrix' || type === 'controlvector') return `It holds a ${type}, not a model.`
  return null
}
