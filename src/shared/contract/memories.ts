import { z } from 'zod'
import { memoryInfoSchema } from '../domain/memory-info'
import { myMemorySchema, takeInputSchema, takePreviewSchema, takeSchema } from '../domain/take'
import { changing, deciding, memoryId, reading } from './procedure'

/** Memories: one memory each. */
export const memories = {
  list: reading('All memories, also those that cannot be opened.').output(z.array(memoryInfoSchema)),
  mine: reading('My memory, and what a person still has to say about it.').output(myMemorySchema),
  decideMine: deciding('Answers which memory is the person’s own, where Loam could not know it.')
    .input(memoryId)
    .output(myMemorySchema),
  dropOffer: deciding('Offers a memory to be taken into My memory no longer.')
    .input(memoryId)
    .output(myMemorySchema),
  previewTake: reading('What taking a lab memory into My memory would bring, kind by kind. Changes nothing.')
    .input(takeInputSchema.pick({ from: true }))
    .output(takePreviewSchema),
  take: deciding('Takes items of a lab memory into My memory, as one change.')
    .input(takeInputSchema)
    .output(takeSchema),
  takes: reading('What was taken into My memory, newest first.').output(z.array(takeSchema)),
  undoTake: deciding('Takes out of My memory what one taking brought.')
    .input(z.object({ takeId: z.string() }))
    .output(takeSchema),
  create: changing('Makes an empty memory.')
    .input(z.object({ name: z.string().min(1).max(80) }))
    .output(memoryInfoSchema),
  reindex: changing("Rebuilds the case bank's index from the journal, e.g. after the embedder changed.")
    .input(memoryId)
    .output(z.object({ jobId: z.string() })),
}
