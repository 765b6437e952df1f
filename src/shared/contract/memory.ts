import { z } from 'zod'
import { importReportSchema } from '../domain/format'
import {
  memoryChangeSchema,
  memoryItemSchema,
  memoryKindInfoSchema,
  memoryListQuerySchema,
  memoryMarkSchema,
  memoryPageSchema,
  memoryRecallSchema,
  memoryRefSchema,
  memoryTopicSchema,
  memoryUndoStepSchema,
  memoryValuesSchema,
} from '../domain/memory-item'
import { lifetimeSchema } from '../domain/lifetime'
import { trajectorySchema } from '../domain/trajectory'
import { asking, changing, reading, spaceId, takingFile } from './procedure'
import { MAX_FILE_TEXT } from '../limits'
import { count } from '../domain/units'
import { BOUNDS, integerIn } from '../domain/bounds'

const itemRef = spaceId.extend(memoryRefSchema.shape)

/**
 * All kinds of memory of a space in one place: cases, experiences, documents, lessons, workflows, notes, summaries, soft prompts and
 * whatever else the list in core/memory names. An item is named by kind and id; a kind's words and fields come from `kinds`.
 * Every change answers how to take it back: hand `undo` of `edit`, `mark`, `remove` or `restore` to `undo`.
 */
export const memory = {
  kinds: reading('In the order in which they are to be shown.').output(z.array(memoryKindInfoSchema)),
  list: asking('Items of a space, by page, kind or text.')
    .input(memoryListQuerySchema)
    .output(memoryPageSchema),
  get: reading('One item in full.').input(itemRef).output(memoryItemSchema),
  recalls: reading('The attempts an item was shown to, newest first.')
    .input(itemRef.extend({ limit: integerIn(BOUNDS.page).default(50) }))
    .output(z.array(memoryRecallSchema)),
  attempt: reading('An attempt that an item was made from.')
    .input(spaceId.extend({ trajectoryId: z.string() }))
    .output(trajectorySchema),
  edit: changing('Changes some fields; those left out stay. What it read before is kept.')
    .input(itemRef.extend({ values: memoryValuesSchema }))
    .output(memoryChangeSchema),
  mark: changing('Pins or mutes; null takes that back.')
    .input(itemRef.extend({ mark: memoryMarkSchema.nullable() }))
    .output(memoryChangeSchema),
  remove: changing('It is no longer recalled. Nothing is erased.').input(itemRef).output(memoryChangeSchema),
  restore: changing(
    'Makes an item live again that was deleted, dropped, superseded, evicted or put in quarantine.',
  )
    .input(itemRef)
    .output(memoryChangeSchema),
  apply: changing('Makes changes to many items at once; they are taken back together.')
    .input(spaceId.extend({ steps: z.array(memoryUndoStepSchema).min(1).max(1000) }))
    .output(memoryChangeSchema),
  merge: changing(
    'Several items of one kind become the first of them, with these values; the others are deleted.',
  )
    .input(spaceId.extend({ items: z.array(memoryRefSchema).min(2).max(100), values: memoryValuesSchema }))
    .output(memoryChangeSchema),
  topics: reading('What a space remembers by what it is about, with what helped and what contradicts.')
    .input(spaceId)
    .output(z.array(memoryTopicSchema)),
  lifetime: reading(
    'The life of a space: what it held and what that cost, task by task, and which items carried its tasks.',
  )
    .input(spaceId.extend({ limit: integerIn(BOUNDS.page).default(100) }))
    .output(lifetimeSchema),
  undo: changing('Takes a change back; itself a change that can be taken back.')
    .input(spaceId.extend({ steps: z.array(memoryUndoStepSchema).min(1).max(2000) }))
    .output(memoryChangeSchema),
  exportText: asking('Items as JSON lines: those named, else all live ones of some kinds (null: all).')
    .input(
      spaceId.extend({
        items: z.array(memoryRefSchema).max(10_000).nullable().default(null),
        kinds: z.array(z.string()).nullable().default(null),
      }),
    )
    .output(z.object({ fileName: z.string(), text: z.string(), items: count })),
  importText: takingFile('Reads items back in. The same one twice counts once.')
    .input(spaceId.extend({ text: z.string().max(MAX_FILE_TEXT) }))
    .output(importReportSchema),
}
