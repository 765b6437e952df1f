import { z } from 'zod'
import { addedModelsSchema, folderViewSchema } from '../domain/folder-view'
import { modelFitSchema, modelInfoSchema, modelPlaceSchema, registryEntrySchema } from '../domain/model'
import { gpuLibrarySchema } from '../domain/gpu-library'
import { modelAdviceSchema } from '../domain/model-advice'
import { attemptFormSchema, factFormSchema, modelProfileSchema } from '../domain/model-profile'
import { managing, reading, showing } from './procedure'
import { BOUNDS, integerIn } from '../domain/bounds'

const modelPath = z.object({ path: z.string().min(1).max(4096) })

/** Model files. */
export const models = {
  list: reading('The model files on disk.').output(z.array(modelInfoSchema)),
  places: reading(
    'Where models on this machine were looked for, how many were found there, and what was left out and why.',
  ).output(z.array(modelPlaceSchema)),
  fit: showing(
    'What a model would take, before it is loaded: weights, cache and compute against free memory.',
  )
    .input(
      z.object({ path: z.string(), contextSize: integerIn(BOUNDS.contextSize).nullable().default(null) }),
    )
    .output(modelFitSchema),
  browse: showing(
    'What a folder of this machine holds that may lead to a model. `path` null is the person’s home.',
  )
    .input(
      z.object({ path: z.string().max(4096).nullable().default(null), hidden: z.boolean().default(false) }),
    )
    .output(folderViewSchema),
  choose: showing(
    'Asks the person for files or a folder by the system’s own dialog; null where there is none.',
  )
    .input(z.object({ what: z.enum(['files', 'folder']) }))
    .output(z.array(z.string()).nullable()),
  add: managing('Adds a GGUF file, a folder of them, or an embedding model, where it lies.')
    .input(z.object({ path: z.string().min(1).max(4096) }))
    .output(addedModelsSchema),
  forget: managing('Takes a file or folder out of the person’s own; it stays on disk.').input(
    z.object({ path: z.string() }),
  ),
  profile: showing(
    'How a model reads memory best, whether it uses tools, and in which languages it answers, as far as that was measured; null where nothing is known of it.',
  )
    .input(modelPath)
    .output(modelProfileSchema.nullable()),
  measure: managing(
    'Asks a model some dozens of short made-up questions, to find how it reads facts and attempts best, whether it uses tools, and in which languages it answers.',
  )
    .input(modelPath)
    .output(z.object({ jobId: z.string() })),
  showFacts: managing('Shows facts to a model in a form of the person’s choice; null: as was measured.')
    .input(modelPath.extend({ form: factFormSchema.nullable() }))
    .output(modelProfileSchema),
  showAttempts: managing(
    'Shows solved attempts to a model in a form of the person’s choice; null: as was measured.',
  )
    .input(modelPath.extend({ form: attemptFormSchema.nullable() }))
    .output(modelProfileSchema),
  advice: reading(
    'What this machine has for models, and which known models suit it, with size, licence, abilities and a guess of their speed.',
  ).output(modelAdviceSchema),
  measureMachine: managing(
    'Tries out anew how fast this machine reads memory, which is kept, and answers which known models suit it.',
  ).output(modelAdviceSchema),
  gpuLibraries: reading(
    'The libraries for graphics cards that there are for this system, and whether they are here.',
  ).output(z.array(gpuLibrarySchema)),
  registry: reading('The models that can be downloaded.').output(z.array(registryEntrySchema)),
}
