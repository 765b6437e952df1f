import { z } from 'zod'
import { modelFitSchema, modelInfoSchema, modelPlaceSchema, registryEntrySchema } from '../domain/model'
import { reading } from './procedure'

/** Model files. */
export const models = {
  list: reading('The model files on disk.').output(z.array(modelInfoSchema)),
  places: reading(
    'Where models on this machine were looked for, how many were found there, and what was left out and why.',
  ).output(z.array(modelPlaceSchema)),
  fit: reading(
    'What a model would take, before it is loaded: weights, cache and compute against free memory.',
  )
    .input(z.object({ path: z.string(), contextSize: z.number().int().min(64).nullable().default(null) }))
    .output(modelFitSchema),
  registry: reading('The models that can be downloaded.').output(z.array(registryEntrySchema)),
}
