import { z } from 'zod'
import { defineSettings } from '../../ground/settings'

const part = (title: string, help: string) => z.boolean().default(true).meta({ title, help })

export const SETTINGS = defineSettings('loam', 'Everything together', {
  softPrompt: part(
    'Soft prompt',
    'The one in use in the space, and with EvoSC’s training the ones trained in the run.',
  ),
  lessons: part('Lessons', 'Lessons from mistakes and from what worked.'),
  documents: part('Documents', 'Concept documents, built from the first tasks.'),
  files: part('Own files', 'Passages of the folders that the space reads.'),
  passages: z.number().int().min(1).max(20).default(3).meta({
    title: 'Passages shown',
    help: 'Of own files, the ones that fit the task best.',
    unit: 'passages',
  }),
  cases: part('Cases', 'Past attempts, chosen by what helped before.'),
  gate: part('Advice after errors', 'Past experience, when its plan agrees enough with the one at hand.'),
  budget: z
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(1200)
    .meta({ title: 'Token budget', help: 'What everything recalled may take together.', unit: 'tokens' }),
})
