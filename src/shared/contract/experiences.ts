import { z } from 'zod'
import { formatInfoSchema } from '../domain/format'
import {
  attemptExperienceSchema,
  experienceDetailSchema,
  experienceEditSchema,
  experienceListQuerySchema,
  experiencePageSchema,
  experienceRowSchema,
  kbReportSchema,
  kbStatsSchema,
} from '../domain/experience-view'
import { trajectorySchema } from '../domain/trajectory'
import { changing, reading, spaceId } from './procedure'
import { BOUNDS, integerIn } from '../domain/bounds'
import { share } from '../domain/units'

const experienceRef = z.object({ spaceId: z.string(), experienceId: z.string() })

/** Experiences (Agent KB). */
export const experiences = {
  list: reading('Newest first without text, best first with it.')
    .input(experienceListQuerySchema)
    .output(experiencePageSchema),
  get: reading('One experience in full.').input(experienceRef).output(experienceDetailSchema),
  source: reading('The attempt it was made from, when that is in the same space.')
    .input(experienceRef)
    .output(trajectorySchema),
  ofAttempt: reading('What an attempt became; null when it became no experience.')
    .input(spaceId.extend({ trajectoryId: z.string() }))
    .output(attemptExperienceSchema.nullable()),
  edit: changing('Adds a new version; the old one is kept, superseded.')
    .input(experienceRef.extend({ edit: experienceEditSchema }))
    .output(experienceDetailSchema),
  delete: changing('Puts it into the trash for 30 days.').input(experienceRef).output(experienceRowSchema),
  restore: changing('Takes an experience out of the trash.')
    .input(experienceRef)
    .output(experienceDetailSchema),
  stats: reading('How many experiences there are, by origin.').input(spaceId).output(kbStatsSchema),
  formats: reading('The log formats that can be imported.').output(z.array(formatInfoSchema)),
  import: changing(
    "Reads another agent's logs: a file, a folder with everything below it, a pattern, or several of these.",
  )
    .input(
      spaceId.extend({
        format: z.string(),
        path: z.union([z.string().min(1), z.array(z.string().min(1)).min(1).max(10_000)]),
      }),
    )
    .output(z.object({ jobId: z.string() })),
  abstract: changing('Has a model write experiences from imported logs that have none yet.')
    .input(
      spaceId.extend({
        /** GGUF path. Default: the bundled demo model. */
        model: z.string().nullable().default(null),
        /** Most logs to work through; null takes all. */
        limit: z.number().int().min(1).nullable().default(null),
        seed: integerIn(BOUNDS.seed).default(1),
        /** Cosine from which a new one is ranked against the one it is like. Default: Agent KB's. */
        tau: share.nullable().default(null),
      }),
    )
    .output(z.object({ jobId: z.string() })),
  report: reading('What an ended import or abstraction has to tell.')
    .input(z.object({ jobId: z.string() }))
    .output(kbReportSchema),
}
