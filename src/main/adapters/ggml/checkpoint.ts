import { z } from 'zod'
import type { TrainingState } from '../../../core/soft-prompts/train'
import { lossPointSchema } from '../../../shared/domain/soft-prompt'
import { readDerived, writeDerived } from '../../ground/derived-file'
import { rm } from '../../ground/steady-files'

/** Float32 values as base64 of their little-endian bytes. */
const floats = z.string().transform((text) => {
  const bytes = Buffer.from(text, 'base64')
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
})
const encode = (values: Float32Array): string =>
  Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString('base64')

const stateSchema = z.object({
  step: z.number(),
  deltas: floats,
  adam: z.object({ mean: floats, square: floats, steps: z.number() }),
  best: z.object({ step: z.number(), loss: z.number(), deltas: floats }).nullable(),
  stop: z.object({ best: z.number().nullable(), worse: z.number() }),
  initialLoss: z.number(),
  initialHeldOutLoss: z.number().nullable(),
  curve: z.array(lossPointSchema),
  wallMs: z.number(),
})
const fileSchema = z.object({ format: z.literal(1), job: z.string(), state: stateSchema })

/** Writes a training's state whole or not at all. `job` identifies what is being trained. */
export async function writeCheckpoint(file: string, job: string, state: TrainingState): Promise<void> {
  const { adam, best, stop } = state
  const record = {
    format: 1,
    job,
    state: {
      ...state,
      deltas: encode(state.deltas),
      adam: { mean: encode(adam.mean), square: encode(adam.square), steps: adam.steps },
      best: best && { ...best, deltas: encode(best.deltas) },
      // JSON has no infinity, which is what is best before the first look.
      stop: { ...stop, best: Number.isFinite(stop.best) ? stop.best : null },
    },
  }
  await writeDerived(file, record)
}

/** The state kept for this very job; null when there is none, or one of another job, or one that is damaged. */
export async function readCheckpoint(file: string, job: string): Promise<TrainingState | null> {
  // Training anew is always right; going on from a damaged state never is.
  const record = await readDerived(file, fileSchema)
  if (record?.job !== job) return null
  const { stop } = record.state
  return { ...record.state, stop: { ...stop, best: stop.best ?? Number.POSITIVE_INFINITY } }
}

export const removeCheckpoint = (file: string): Promise<void> => rm(file, { force: true })
