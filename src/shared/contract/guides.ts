import { z } from 'zod'
import {
  conceptEditSchema,
  conceptTreeSchema,
  guideInfoSchema,
  guideTextSchema,
  insightSchema,
  trajectoryViewSchema,
  rubricSchema,
  versionViewSchema,
} from '../domain/guide'
import { buildEstimateSchema, buildInfoSchema, guidesViewSchema } from '../domain/guide-build'
import { searchChangesSchema } from '../domain/guide-search'
import { changing, deciding, following, managing, memoryId, reading, showing } from './procedure'
import { integer } from '../domain/units'
import { BOUNDS, integerIn } from '../domain/bounds'

const buildRef = z.object({ memoryId: z.string(), buildId: z.string() })
const conceptRef = z.object({ memoryId: z.string(), conceptId: z.string() })
const buildJob = z.object({ jobId: z.string(), buildId: z.string() })

/** Concept documents (BREW). Long work is a job; cancel it with `jobs.cancel`, take it up with `resume`. */
export const guides = {
  list: reading('The concept documents of a memory.').input(memoryId).output(z.array(guideInfoSchema)),
  versions: reading('Newest first; candidates are documents of a search that did not win.')
    .input(conceptRef.extend({ candidates: z.boolean().default(false) }))
    .output(z.array(versionViewSchema)),
  builds: reading('The builds of a memory.').input(memoryId).output(z.array(buildInfoSchema)),
  build: reading('One build.').input(buildRef).output(buildInfoSchema),
  tree: reading('A tree per concept, with visits, reward parts and the best path.')
    .input(buildRef)
    .output(z.array(conceptTreeSchema)),
  watch: following(
    'Follows the guides and the builds of a memory.',
    memoryId.extend({ buildId: z.string().nullable().default(null) }),
    guidesViewSchema,
  ),
  insights: reading('What was observed while building.').input(buildRef).output(z.array(insightSchema)),
  rollout: reading('One attempt of a search.')
    .input(buildRef.extend({ trajectoryId: z.string() }))
    .output(trajectoryViewSchema),
  estimate: showing('What a build would take, before it starts.')
    .input(
      memoryId.extend({
        stream: z.string(),
        model: z.string().nullable().default(null),
        settings: searchChangesSchema.default({}),
      }),
    )
    .output(buildEstimateSchema),
  start: managing('Writes and searches concept documents.')
    .input(
      memoryId.extend({
        stream: z.string(),
        /** Default: the bundled demo model. */
        model: z.string().nullable().default(null),
        seed: integer.default(1),
        settings: searchChangesSchema.default({}),
        /** Wait for a person at the concepts. */
        review: z.boolean().default(false),
        inFlight: integerIn(BOUNDS.inFlight).default(1),
      }),
    )
    .output(buildJob),
  resume: changing('Goes on with a build.')
    .input(buildRef.extend({ inFlight: integerIn(BOUNDS.inFlight).default(1) }))
    .output(buildJob),
  editConcepts: changing('Changes the concepts that a build waits with.')
    .input(buildRef.extend({ edit: conceptEditSchema }))
    .output(buildInfoSchema),
  decide: deciding('Makes a version what agents read, or takes it back.')
    .input(conceptRef.extend({ versionId: z.string(), accepted: z.boolean() }))
    .output(guideInfoSchema),
  decideAll: deciding('Accepts or rejects everything a build proposes.')
    .input(buildRef.extend({ accepted: z.boolean() }))
    .output(z.array(guideInfoSchema)),
  edit: changing('Writes a version of a document by hand.')
    .input(conceptRef.extend({ text: guideTextSchema }))
    .output(versionViewSchema),
  rubrics: reading('What attempts of an environment are judged by.')
    .input(memoryId.extend({ environment: z.string() }))
    .output(z.array(rubricSchema)),
  saveRubrics: changing('Changes what attempts are judged by.')
    .input(memoryId.extend({ environment: z.string(), rubrics: z.array(rubricSchema).min(1).max(12) }))
    .output(z.array(rubricSchema)),
}
