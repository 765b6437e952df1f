import { z } from 'zod'
import { pricesSchema, runCostsSchema } from '../domain/cost'
import { errorReportSchema } from '../domain/error-class'
import { preflightSchema } from '../domain/preflight'
import { questionFiguresSchema } from '../domain/question-figures'
import { runConfigSchema, runInfoSchema, runReportSchema, runSnapshotSchema } from '../domain/run'
import { trajectorySchema } from '../domain/trajectory'
import { changing, following, managing, reading, showing } from './procedure'
import { count } from '../domain/units'
import { BOUNDS, integerIn } from '../domain/bounds'

const runId = z.object({ runId: z.string() })

const startRunInput = runConfigSchema.omit({ k: true, memoryId: true, softPromptFacts: true }).extend({
  /** GGUF path or another reference. Default: the bundled demo model. */
  model: z.string().optional(),
  /** Default, as of the next one: the preset's, else as in a run's configuration. */
  temperature: runConfigSchema.shape.temperature.unwrap().optional(),
  maxTokens: runConfigSchema.shape.maxTokens.unwrap().optional(),
  /** Default: the preset's, else the method's own K. */
  k: integerIn(BOUNDS.k).nullable().default(null),
  /** Default: a fresh memory named after the run. */
  memoryId: z.string().nullable().default(null),
  /** Whether the soft prompt in use in the memory is served. */
  useSoftPrompt: z.boolean().default(true),
})

/** Runs. */
export const runs = {
  list: reading('All runs, newest first.').output(z.array(runInfoSchema)),
  start: managing('Puts a run in line.').input(startRunInput).output(runInfoSchema),
  preflight: showing('What a run would take, how long, and what is in its way; starts and loads nothing.')
    .input(startRunInput)
    .output(preflightSchema),
  startDemo: changing('The first-start demo: without and with memory, over its stream on the demo model.')
    .input(
      z
        .object({
          /** Default: all tasks. */
          tasks: integerIn(BOUNDS.tasks).nullable().default(null),
          seed: count.default(1),
        })
        .prefault({}),
    )
    .output(z.object({ jobId: z.string(), runIds: z.array(z.string()) })),
  get: reading('One run, as far as it is.').input(runId).output(runInfoSchema),
  pause: changing('Rests after the task in flight.').input(runId).output(runInfoSchema),
  resume: changing('Goes on behind the last finished task.').input(runId).output(runInfoSchema),
  cancel: changing('Ends a run for good; its finished tasks are kept.').input(runId).output(runInfoSchema),
  watch: following('Follows a run, task by task.', runId, runSnapshotSchema),
  errors: reading('Failed tasks by class, alone or compared with another run; asks no model.')
    .input(runId.extend({ otherId: z.string().nullable().default(null) }))
    .output(errorReportSchema),
  judgeErrors: managing("Has the run's model judge the failures that no rule fits, or another.")
    .input(
      runId.extend({
        /** GGUF path. Default: the run's own model. */
        model: z.string().nullable().default(null),
      }),
    )
    .output(z.object({ jobId: z.string() })),
  costs: reading('What its tokens were spent on, at the prices of the settings.')
    .input(runId.extend({ prices: pricesSchema.optional() }))
    .output(runCostsSchema),
  report: reading('What came of a run, as far as it is: figures, curve, tools.')
    .input(runId)
    .output(runReportSchema),
  questions: reading('Figures on questions; null for a run that has none.')
    .input(runId)
    .output(questionFiguresSchema.nullable()),
  trajectory: reading('One attempt in full.')
    .input(z.object({ runId: z.string(), index: count }))
    .output(trajectorySchema),
}
