import { z } from 'zod'

/** What every learned text carries: which attempts it was written from and for which environment. */
const learned = {
  id: z.string().min(1),
  runId: z.string(),
  environment: z.string(),
  /** The attempts it was written from, the deciding one first. */
  trajectoryIds: z.array(z.string()).min(1),
  createdAt: z.string(),
}

/** EvoSC's textual experience: an error-prone insight Exp_c (eq. 3) or a success pattern Exp_s (eq. 4). */
export const lessonSchema = z.object({
  kind: z.literal('lesson'),
  ...learned,
  queue: z.enum(['error', 'success']),
  text: z.string().min(1),
})
export type Lesson = z.infer<typeof lessonSchema>

/** A workflow of Agent Workflow Memory: what it is good for, and its steps with the particulars left open. */
export const workflowSchema = z.object({
  kind: z.literal('workflow'),
  ...learned,
  goal: z.string().min(1),
  steps: z.array(z.string().min(1)).min(1),
})
export type Workflow = z.infer<typeof workflowSchema>

/** A note of A-MEM: m = {content, time, keywords, tags, context, links}; its content is the attempt itself. */
export const noteSchema = z.object({
  kind: z.literal('note'),
  ...learned,
  /** The task in words. */
  title: z.string(),
  keywords: z.array(z.string()),
  tags: z.array(z.string()),
  context: z.string(),
  /** Ids of related notes. */
  links: z.array(z.string()),
})
export type Note = z.infer<typeof noteSchema>

/** A turn of SCM's memory stream: an attempt, and its summary; null where the attempt is short enough to stand for itself. */
export const summarySchema = z.object({
  kind: z.literal('summary'),
  ...learned,
  /** The task in words. */
  title: z.string(),
  text: z.string().nullable(),
})
export type Summary = z.infer<typeof summarySchema>

/** Everything methods write down beside cases. */
export const memorySchema = z.discriminatedUnion('kind', [
  lessonSchema,
  workflowSchema,
  noteSchema,
  summarySchema,
])
export type Memory = z.infer<typeof memorySchema>
export type MemoryKind = Memory['kind']
export type MemoryOf<K extends MemoryKind> = Extract<Memory, { kind: K }>

/** Why a text a method asked for was not kept. */
export const writingFailureSchema = z.object({
  id: z.string().min(1),
  runId: z.string(),
  environment: z.string(),
  /** What it would have become: `evosc-error`, `a-mem-evolution`, ... */
  role: z.string(),
  trajectoryIds: z.array(z.string()),
  /**
   * `malformed`: not the JSON that was asked for. `empty`: nothing in it. `cut`: the token budget ended it.
   * `context-overflow`: the attempts do not fit into the model. `duplicate`: the same text is already kept.
   */
  reason: z.enum(['malformed', 'empty', 'cut', 'context-overflow', 'duplicate']),
  /** Calls made. */
  tries: z.number().int().positive(),
  at: z.string(),
})
export type WritingFailure = z.infer<typeof writingFailureSchema>
