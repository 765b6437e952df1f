import { z } from 'zod'
import {
  studySchema,
  experimentHeadSchema,
  experimentInfoSchema,
  experimentPlanSchema,
  experimentReportSchema,
  studyTemplateSchema,
} from '../domain/experiment'
import { playRecordingsSchema, recordingReportSchema } from '../domain/recording'
import { suiteReportSchema } from '../domain/suite'
import { asking, changing, following, managing, reading, showing } from './procedure'

const experimentId = z.object({ experimentId: z.string() })

/** Experiments. */
export const experiments = {
  list: reading('Newest first, without their cells.').output(z.array(experimentHeadSchema)),
  plan: showing('What a definition would come to: how many cells, and about how long. Starts nothing.')
    .input(studySchema)
    .output(experimentPlanSchema),
  templates: reading('Studies that come with Loam.').output(z.array(studyTemplateSchema)),
  readStudy: asking("Reads a definition file's text, YAML or JSON.")
    .input(z.object({ fileName: z.string(), text: z.string().max(1_000_000) }))
    .output(studySchema),
  studyText: showing('A definition as the file that `loam experiment` reads, without paths of this machine.')
    .input(studySchema)
    .output(z.object({ fileName: z.string(), text: z.string() })),
  start: managing('Puts an experiment in line.').input(studySchema).output(experimentInfoSchema),
  get: reading('One experiment with its cells.').input(experimentId).output(experimentInfoSchema),
  pause: changing('Resolves when the tasks in flight are done and everything rests.')
    .input(experimentId)
    .output(experimentInfoSchema),
  resume: changing('Goes on with a paused experiment at the last committed task of each cell.')
    .input(experimentId)
    .output(experimentInfoSchema),
  cancel: changing('Ends an experiment for good.').input(experimentId).output(experimentInfoSchema),
  watch: following('Follows an experiment.', experimentId, experimentInfoSchema),
  report: reading('Figures of the cells that have ended; may be asked while others are going.')
    .input(
      experimentId.extend({
        /** Method to compare with, null for none. Default: the definition's. */
        baseline: z.string().nullable().optional(),
      }),
    )
    .output(experimentReportSchema),
  suite: reading('Figures of a suite over whole lifetimes, as far as its lives came.')
    .input(experimentId)
    .output(suiteReportSchema),
  playRecordings: changing(
    'Plays the graded attempts of a memory in random orders, without a model: what retrieval, the floor, values of cases and beliefs would have made of them.',
  )
    .input(playRecordingsSchema)
    .output(z.object({ jobId: z.string() })),
  recordings: showing('What came of recordings that a job has played.')
    .input(z.object({ jobId: z.string() }))
    .output(recordingReportSchema),
}
