import { z } from 'zod'
import { rankingSchema, retrievalModeSchema } from './experience'
import { count, figure, instant, integer, milliseconds, share } from './units'
import { BOUNDS, integerIn } from './bounds'
import { trustSchema } from './trust'

/**
 * A field of an item that a person may change. `line`: one line of text. `text`: text of any length. `lines`: a list of texts.
 * `success`: 0 or 1, whether the attempt behind it solved its task. `truth`: 0 or 1, whether it is right. `day`: `2026-12-31`.
 */
const itemFieldSchema = z.object({
  key: z.string(),
  label: z.string(),
  kind: z.enum(['line', 'text', 'lines', 'success', 'truth', 'day']),
  /** May be left empty. */
  optional: z.boolean(),
})
export type ItemField = z.infer<typeof itemFieldSchema>

/** A kind of memory in words; what the window shows of it comes from here alone. */
export const memoryKindInfoSchema = z.object({
  id: z.string(),
  /** One of them, and several: "Lesson", "Lessons". */
  title: z.string(),
  titleMany: z.string(),
  /** One sentence a newcomer understands. */
  help: z.string(),
  /** What can be edited, in order. */
  fields: z.array(itemFieldSchema),
  /** Whether a person can write one by hand (`items.add`). Default: no. */
  adds: z.boolean().optional(),
  /** What its items can be told apart by (`labels` of a row), in order. Default: nothing. */
  facets: z.array(z.object({ key: z.string(), label: z.string() })).optional(),
  /** What only this kind can tell (`items.view`) or do (`items.work`). Default: nothing. */
  abilities: z
    .array(z.object({ id: z.string(), about: z.string(), does: z.enum(['view', 'work']) }))
    .optional(),
  /** Parts of a person's own files: they leave in a file only where somebody names this kind. Default: no. */
  ownFiles: z.boolean().optional(),
})
export type MemoryKindInfo = z.infer<typeof memoryKindInfoSchema>

/** What a person decided about an item: `pinned` is recalled before others of its kind, `muted` never. */
export const itemMarkSchema = z.enum(['pinned', 'muted'])
export type ItemMark = z.infer<typeof itemMarkSchema>

/** The values of an item's fields, by key: text, a list of texts, or 0 and 1. */
export const itemValuesSchema = z.record(
  z.string(),
  z.union([z.string().max(400_000), z.array(z.string().max(100_000)).max(1000), z.number()]),
)
export type ItemValues = z.infer<typeof itemValuesSchema>

/**
 * Why an item is no longer recalled. `deleted`: a person did it. `dropped`: it left a full queue. `superseded`: another one (`by`) took
 * its place. `evicted`: there was no room. `ended`: its last day is over. `wrong`: a person says that it is. The rest are in quarantine: `failing`: its use kept failing; `contradicted`: what was seen says otherwise;
 * `claimed`: a program claims its success, and no person saw it; `stranger`: nobody whom the person knows signed it;
 * `chat`: it was read from a chat of the person, who has not said yes.
 */
const itemRetirementSchema = z.object({
  why: z.enum([
    'deleted',
    'dropped',
    'superseded',
    'evicted',
    'ended',
    'wrong',
    'failing',
    'contradicted',
    'claimed',
    'stranger',
    'chat',
  ]),
  at: instant,
  by: z.string().nullable(),
  /** Until when it can be restored; absent: for ever. */
  until: instant.optional(),
})
export type ItemRetirement = z.infer<typeof itemRetirementSchema>

const QUARANTINE: ReadonlySet<ItemRetirement['why']> = new Set([
  'failing',
  'contradicted',
  'claimed',
  'stranger',
  'chat',
])

/** Whether an item is in quarantine, for whatever reason. */
export const isInQuarantine = ({ why }: ItemRetirement): boolean => QUARANTINE.has(why)

/** How an item did, counted from the attempts it was shown to. */
const itemRecallsSchema = z.object({
  /** Attempts it was shown to. */
  recalled: count,
  /** Those of them that somebody could judge. */
  judged: count,
  /** Those that solved their task. `helped / judged` compares with how often the memory solves tasks at all, not with 0. */
  helped: count,
  /** When it was last shown; null when it never was. */
  lastAt: instant.nullable(),
  /** Tokens it took the last time; null when it never was shown. */
  tokens: count.nullable(),
  /** Answers of asks that were shown it and nobody judged, which the others leave out; absent for none. */
  unjudged: count.optional(),
})
export type ItemRecalls = z.infer<typeof itemRecallsSchema>

/** Why a text found an item. */
export const itemMatchSchema = z.object({
  /** What the rows of its kind are ordered by. */
  score: z.number(),
  /** Calibrated, in [0, 1]; null when that search was not made. */
  textScore: figure,
  semanticScore: figure,
  /** As the searches gave them. */
  bm25: figure,
  cosine: figure,
  /** What the item's utility added or took. */
  utilityPart: z.number(),
  /** Words of its title that the text has too, endings aside. */
  terms: z.array(z.string()),
})
export type ItemMatch = z.infer<typeof itemMatchSchema>

/** What names an item. */
export const itemRefSchema = z.object({ kind: z.string(), id: z.string() })
export type ItemRef = z.infer<typeof itemRefSchema>

/** An item in a list. */
export const itemRowSchema = itemRefSchema.extend({
  /** A line a person recognises it by. */
  title: z.string(),
  environment: z.string(),
  createdAt: instant,
  /** Reward of the attempt behind it; null where there is none. */
  reward: figure,
  mark: itemMarkSchema.nullable(),
  /** Null while it is live. */
  gone: itemRetirementSchema.nullable(),
  /** When a person last edited it; null when nobody did. */
  editedAt: instant.nullable(),
  /** What a person filed it under. */
  tags: z.array(z.string()).default([]),
  /** The project it belongs to; null where all projects share it. */
  project: z.string().nullable().default(null),
  recalls: itemRecallsSchema,
  /** What was answered to its task, on one line, cut for showing; absent where its kind holds no answers. */
  answer: z.string().optional(),
  /** Where it comes from and who stands for it; absent where an older Loam answers. */
  trust: trustSchema.optional(),
  /** What its kind tells items apart by, by facet: `{ outcome: ['solved'] }`. */
  labels: z.record(z.string(), z.array(z.string())).optional(),
  /** Why it was found; absent where nothing was searched for. */
  match: itemMatchSchema.optional(),
})
export type ItemRow = z.infer<typeof itemRowSchema>

/** Where an item came from. */
export const itemOriginSchema = z.object({
  importId: z.string(),
  file: z.string(),
  format: z.string(),
  client: z.string().nullable(),
  at: instant,
})
export type ItemOrigin = z.infer<typeof itemOriginSchema>

/** An item opened in full. */
export const itemDetailsSchema = itemRowSchema.extend({
  /** As an agent reads it, or as close to it as can be said without a task. */
  text: z.string(),
  /** By the keys of the kind's fields. */
  values: itemValuesSchema,
  /** Attempts it was made from, the deciding one first; those of this memory can be opened with `items.attempt`. */
  trajectoryIds: z.array(z.string()),
  /** The import that it came with; null when it came with none, left out where nobody asked. */
  origin: itemOriginSchema.nullable().optional(),
  /** What else there is to know, in words. */
  facts: z.array(z.object({ label: z.string(), value: z.string() })),
})
export type ItemDetails = z.infer<typeof itemDetailsSchema>

/** What a step names: the item, and the memory it lies in where that is another one than that of the change. */
const stepShape = { ref: itemRefSchema, memoryId: z.string().optional() }

/** One step of taking a change back. Opaque to callers: hand it to `items.undo`. */
export const itemStepSchema = z.discriminatedUnion('do', [
  z.object({ do: z.literal('mark'), ...stepShape, mark: itemMarkSchema.nullable() }),
  z.object({ do: z.literal('edit'), ...stepShape, values: itemValuesSchema }),
  z.object({
    do: z.literal('tag'),
    ...stepShape,
    tags: z.array(z.string().trim().min(1).max(60)).max(20),
  }),
  z.object({ do: z.literal('delete'), ...stepShape }),
  z.object({ do: z.literal('restore'), ...stepShape }),
])
export type ItemStep = z.infer<typeof itemStepSchema>

/** What a change came to: the item as it now is (an edited experience is a new item), and how to take it back. */
export const itemChangeSchema = z.object({
  item: itemDetailsSchema,
  /** Empty when nothing changed. */
  undo: z.array(itemStepSchema),
})
export type ItemChange = z.infer<typeof itemChangeSchema>

/** Which items of a memory are wanted. */
export const itemQuerySchema = z.object({
  memoryId: z.string(),
  /** Null for all kinds. */
  kinds: z.array(z.string()).nullable().default(null),
  /** What to search for, best first. Empty lists by `sort`. */
  text: z.string().max(20_000).default(''),
  /** `text`: by words, all that hold one. `semantic`, `hybrid`: by likeness, or by both, the best `k` of each kind. */
  mode: retrievalModeSchema.default('text'),
  /** Weight of words against likeness in hybrid mode. */
  alpha: share.default(0.5),
  k: integerIn(BOUNDS.page).default(500),
  /** Only items that have one of the labels of each facet that is named. */
  where: z.record(z.string(), z.array(z.string())).default({}),
  environment: z.string().nullable().default(null),
  /** `none`: neither pinned nor muted. Null for all. */
  mark: z.enum(['pinned', 'muted', 'none']).nullable().default(null),
  /** `live`: what can be recalled. `gone`: deleted, dropped, superseded, evicted. `waiting`: in quarantine since nobody vouched for it. */
  state: z.enum(['live', 'gone', 'waiting', 'all']).default('live'),
  /** `helped`: by the share of judged attempts that solved their task, then by how many. */
  /** Filed under this; null for all. */
  tag: z.string().nullable().default(null),
  /** Only these; null for all. */
  items: z.array(itemRefSchema).max(2000).nullable().default(null),
  /** The memory as it was at this ISO time: what had not come yet is not there, what went later still is. Null: as it is. */
  at: instant.nullable().default(null),
  sort: z.enum(['newest', 'oldest', 'recalled', 'helped']).default('newest'),
  offset: count.default(0),
  limit: integerIn(BOUNDS.page).default(50),
})
export type ItemQuery = z.infer<typeof itemQuerySchema>

/** A page of items, and what else could be asked for. */
export const itemPageSchema = z.object({
  rows: z.array(itemRowSchema),
  /** Of all pages. */
  total: count,
  /** Items of each kind in the whole memory, whatever the query; every kind is named. */
  counts: z.array(z.object({ kind: z.string(), live: count, gone: count })),
  /** Environments that items of the memory are from. */
  environments: z.array(z.string()),
  /** What items of the memory are filed under, the most used first. */
  tags: z.array(z.object({ tag: z.string(), items: count })).default([]),
  /** From the first item to the last change; null for an empty memory. */
  span: z.object({ from: z.string(), to: z.string() }).nullable().default(null),
  /** Where one kind is asked for: what its items can be told apart by, with how many there are, the most first. */
  facets: z
    .array(
      z.object({
        key: z.string(),
        label: z.string(),
        values: z.array(z.object({ value: z.string(), items: count })),
      }),
    )
    .default([]),
  ms: milliseconds,
})
export type ItemPage = z.infer<typeof itemPageSchema>

/** An item as it read from a time on. */
export const itemVersionSchema = z.object({
  /** The item that reads so: of a kind whose edits make new items, another one than was asked for. */
  ref: itemRefSchema,
  at: instant,
  title: z.string(),
  /** By the keys of the kind's fields. */
  values: itemValuesSchema,
  /** Whether it reads so now. */
  current: z.boolean(),
  /** What brought it, or why it no longer counts; empty where nothing is known. */
  note: z.string(),
  /** How it was compared with a similar one, where that ended it. */
  ranking: rankingSchema.nullable(),
})
export type ItemVersion = z.infer<typeof itemVersionSchema>

/** An attempt an item was shown to. */
export const itemRecallSchema = z.object({
  trajectoryId: z.string(),
  runId: z.string(),
  index: integer,
  instruction: z.string(),
  reward: z.number(),
  /** False where nobody could judge it. */
  judged: z.boolean(),
  /** What the method ranked the item by. */
  score: figure,
  at: instant,
})
export type ItemRecall = z.infer<typeof itemRecallSchema>

/** Items about the same, and what is known of them together. */
export const itemTopicSchema = z.object({
  title: z.string(),
  items: z.array(itemRefSchema),
  /** Attempts that were shown one of them and could be judged, and those of them that solved their task. */
  judged: count,
  helped: count,
  /** Pairs of one kind that say of the same task that it was solved and that it failed. */
  contradictions: z.array(z.object({ title: z.string(), solved: itemRefSchema, failed: itemRefSchema })),
})
export type ItemTopic = z.infer<typeof itemTopicSchema>
