import { z } from 'zod'
import {
  comparisonChoiceSchema,
  trainInputSchema,
  trainingPlanSchema,
  consolidationViewSchema,
  scheduleRuleSchema,
  servedSoftPromptSchema,
  softPromptListViewSchema,
} from '../domain/soft-prompt-training'
import { changing, deciding, following, managing, memoryId, reading, showing } from './procedure'

/** A soft prompt of a memory, by its adapter's file name. */
const softPromptRef = z.object({ memoryId: z.string(), adapter: z.string() })

/** Soft prompts. */
export const softPrompts = {
  plan: showing('What would be done, and whether it could. Starts nothing.')
    .input(trainInputSchema)
    .output(trainingPlanSchema),
  start: managing('Puts it in the line of runs. The soft prompt is a candidate until it is accepted.')
    .input(trainInputSchema)
    .output(z.object({ jobId: z.string() })),
  resume: changing('Goes on with a training that was interrupted.')
    .input(memoryId)
    .output(z.object({ jobId: z.string() })),
  compare: changing('Replays tasks that were not learned from, without and with a soft prompt.')
    .input(softPromptRef.extend({ choice: comparisonChoiceSchema }))
    .output(z.object({ jobId: z.string() })),
  cancel: changing('Stops what is under way.').input(memoryId),
  forget: changing('Throws away what was interrupted.').input(memoryId).output(softPromptListViewSchema),
  watch: following('Follows a consolidation.', memoryId, consolidationViewSchema),
  list: reading('The soft prompts of a memory.').input(memoryId).output(softPromptListViewSchema),
  served: showing('The soft prompt that a run in this memory would find in use; null when there is none.')
    .input(memoryId.extend({ stream: z.string(), model: z.string().nullable().default(null) }))
    .output(servedSoftPromptSchema.nullable()),
  accept: deciding('Puts a soft prompt to use.').input(softPromptRef).output(softPromptListViewSchema),
  withdraw: deciding('Takes a soft prompt out of use.')
    .input(memoryId.extend({ environment: z.string() }))
    .output(softPromptListViewSchema),
  undo: deciding('Back to what an environment used before.')
    .input(memoryId.extend({ environment: z.string() }))
    .output(softPromptListViewSchema),
  remove: changing('Only the last one removed can be restored.')
    .input(softPromptRef)
    .output(softPromptListViewSchema),
  restore: changing('Puts a removed soft prompt back.').input(softPromptRef).output(softPromptListViewSchema),
  export: managing(
    'Writes adapter, description and README. Default folder: one of its own in the data folder.',
  )
    .input(softPromptRef.extend({ folder: z.string().nullable().default(null) }))
    .output(z.object({ folder: z.string(), files: z.array(z.string()) })),
  setSchedule: managing('When to consolidate by itself.')
    .input(memoryId.extend({ rule: scheduleRuleSchema, input: trainInputSchema.nullable() }))
    .output(softPromptListViewSchema),
}
