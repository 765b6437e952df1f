import { z } from 'zod'
import { bytes, count, figure } from './units'

/** What this machine has for models. */
export const machineSchema = z.object({
  /** Of all programs together. */
  ramBytes: bytes,
  /** Of all graphics cards together; null where none that the engine can use was found. */
  vramBytes: bytes.nullable(),
  gpu: z.string().nullable(),
  /** Processors that work side by side. */
  cores: count,
  processor: z.string(),
  /** Sets of instructions that models are computed with, as `avx2`; empty where the system does not tell. */
  instructions: z.array(z.string()),
  /** Bytes that the processor reads from memory in a second, tried out; null where it was not. */
  bandwidth: figure,
  /** Whether other programs worked while that was tried out, so that it may be more. */
  busy: z.boolean(),
})
export type Machine = z.infer<typeof machineSchema>

/** A row of models/known.json: a model that can be had, with what its makers say of it. */
export const knownModelSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Year and month. */
  published: z.string().regex(/^20\d\d-(?:0[1-9]|1[0-2])$/),
  /** Billions, all of them, and those that are read for a token. */
  weights: z.number().positive(),
  active: z.number().positive(),
  licence: z.string(),
  /** Tokens it reads without tricks. */
  contextSize: count,
  can: z.array(z.enum(['tools', 'thinking', 'pictures'])),
  /** Repository of the hub with its GGUF files. */
  repo: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
  /** The file of it that is meant. */
  quantization: z.string(),
})
export type KnownModel = z.infer<typeof knownModelSchema>

/** Where a model would be computed: wholly on the graphics card, partly, on the processor; null where it does not fit. */
const placeSchema = z.enum(['gpu', 'both', 'cpu']).nullable()
export type ModelSeat = z.infer<typeof placeSchema>

/** A known model as this machine would have it. */
export const advisedModelSchema = knownModelSchema.extend({
  /** About; the hub says exactly. */
  sizeBytes: bytes,
  /** With a context of 8,192 tokens, about. */
  needsBytes: bytes,
  seat: placeSchema,
  /** Tokens in a second: as it was tried here, else at most, reckoned from how fast weights are read; null where that says nothing, as on a graphics card. */
  tokensPerSecond: figure,
  /** Whether it is here and was tried. */
  tried: z.boolean(),
})
export type AdvisedModel = z.infer<typeof advisedModelSchema>

/** How fast it is, in words; null where nothing is known. A bound is said as one. */
export function advisedSpeedWords({ tokensPerSecond, tried }: AdvisedModel): string | null {
  if (tokensPerSecond === null) return null
  const tokens = Math.max(1, Math.round(tokensPerSecond))
  return `${tried ? '' : 'up to '}${tokens} ${tokens === 1 ? 'token' : 'tokens'} a second${tried ? ', as tried here' : ''}`
}

/** Which of the known models suits this machine. */
export const modelAdviceSchema = z.object({
  /** The day on which the list was written. */
  written: z.string(),
  machine: machineSchema,
  models: z.array(advisedModelSchema),
  /** Id of the one to begin with; null where none fits. */
  best: z.string().nullable(),
})
export type ModelAdvice = z.infer<typeof modelAdviceSchema>
