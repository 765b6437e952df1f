import { z } from 'zod'
import {
  itemChangeSchema,
  itemDetailsSchema,
  memoryKindInfoSchema,
  itemQuerySchema,
  itemMarkSchema,
  itemPageSchema,
  itemRecallSchema,
  itemRefSchema,
  itemTopicSchema,
  itemStepSchema,
  itemValuesSchema,
  itemVersionSchema,
} from '../domain/item'
import { lifetimeSchema } from '../domain/lifetime'
import { trajectorySchema } from '../domain/trajectory'
import { itemReleaseSchema } from '../domain/trust'
import { asking, changing, deciding, describing, reading, memoryId } from './procedure'
import { itemTransfer } from './item-transfer'
import { BOUNDS, integerIn } from '../domain/bounds'

const itemRef = memoryId.extend(itemRefSchema.shape)
const ability = memoryId.extend({
  kind: z.string(),
  ability: z.string(),
  /** What it is told; the kind says what that is. */
  input: z.record(z.string(), z.unknown()).default({}),
})

/**
 * The items of a memory, of every kind that the list in core/memory names: one set of verbs. An item is named by kind and id; a kind's
 * words, fields, facets and abilities come from `kinds`. Every change answers how to take it back: hand its `undo` to `undo`.
 */
export const items = {
  kinds: describing('In the order in which they are to be shown.').output(z.array(memoryKindInfoSchema)),
  list: asking('Items by page, kind or text; those that a text finds say why.')
    .input(itemQuerySchema)
    .output(itemPageSchema),
  show: reading('One item in full.').input(itemRef).output(itemDetailsSchema),
  history: reading('How an item read, and what it replaced or was replaced by, oldest first.')
    .input(itemRef)
    .output(z.array(itemVersionSchema)),
  recalls: reading('The attempts an item was shown to, newest first.')
    .input(itemRef.extend({ limit: integerIn(BOUNDS.page).default(50) }))
    .output(z.array(itemRecallSchema)),
  attempt: reading('An attempt that an item was made from.')
    .input(memoryId.extend({ trajectoryId: z.string() }))
    .output(trajectorySchema),
  add: changing(
    'Keeps what a person writes as an item of a kind that `adds`; one that says so already stays alone.',
  )
    .input(
      memoryId.extend({
        kind: z.string(),
        values: itemValuesSchema,
        /** The project it belongs to; null: all of them. */
        project: z.string().nullable().default(null),
      }),
    )
    .output(itemChangeSchema),
  edit: changing('Changes some fields; those left out stay. What it read before is kept.')
    .input(itemRef.extend({ values: itemValuesSchema }))
    .output(itemChangeSchema),
  mark: changing('Pins or mutes; null takes that back.')
    .input(itemRef.extend({ mark: itemMarkSchema.nullable() }))
    .output(itemChangeSchema),
  delete: changing('It is no longer recalled. Nothing is erased.').input(itemRef).output(itemChangeSchema),
  restore: changing(
    'Makes an item live again that was deleted, dropped, superseded, evicted or put in quarantine.',
  )
    .input(itemRef)
    .output(itemChangeSchema),
  release: deciding(
    'Takes out of quarantine what waits there for want of somebody who vouches for it: all that a signer signed, an import brought or a program told.',
  )
    .input(memoryId.extend({ from: itemReleaseSchema }))
    .output(z.object({ items: z.array(itemRefSchema) })),
  apply: changing('Makes changes to many items at once; they are taken back together.')
    .input(memoryId.extend({ steps: z.array(itemStepSchema).min(1).max(1000) }))
    .output(itemChangeSchema),
  merge: changing(
    'Several items of one kind become the first of them, with these values; the others are deleted.',
  )
    .input(memoryId.extend({ items: z.array(itemRefSchema).min(2).max(100), values: itemValuesSchema }))
    .output(itemChangeSchema),
  move: changing('Puts items into another memory; one change over both, which is taken back as a whole.')
    .input(
      memoryId.extend({
        items: z.array(itemRefSchema).min(1).max(1000),
        toMemoryId: z.string(),
        /** Whether they stay here too. */
        copy: z.boolean().default(false),
      }),
    )
    .output(itemChangeSchema),
  undo: changing('Takes a change back; itself a change that can be taken back.')
    .input(memoryId.extend({ steps: z.array(itemStepSchema).min(1).max(4000) }))
    .output(itemChangeSchema),
  topics: reading('What a memory remembers by what it is about, with what helped and what contradicts.')
    .input(memoryId)
    .output(z.array(itemTopicSchema)),
  lifetime: reading(
    'The life of a memory: what it held and what that cost, task by task, and which items carried its tasks.',
  )
    .input(memoryId.extend({ limit: integerIn(BOUNDS.page).default(100) }))
    .output(lifetimeSchema),
  view: asking('What only one kind can tell; its `abilities` say what that is.')
    .input(ability)
    .output(z.unknown()),
  work: changing('Starts long work that only one kind has; its `abilities` say which.')
    .input(ability)
    .output(z.object({ jobId: z.string() })),
  ...itemTransfer,
}
