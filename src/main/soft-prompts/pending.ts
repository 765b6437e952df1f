import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { trainInputSchema } from '../../shared/domain/soft-prompt-training'
import { formerly } from '../../shared/domain/former-names'
import { trainingSettingsSchema } from '../../shared/domain/soft-prompt'
import { usageSchema } from '../../shared/domain/trajectory'
import { errnoOf } from '../ground/atomic-file'
import { readRecord, removeRecord, writeRecord } from '../ground/record-file'
import { rm } from '../ground/steady-files'

const sampleSchema = z.object({
  id: z.string(),
  tokens: z.array(z.number()),
  softAt: z.number(),
  targets: z.array(z.number()),
  group: z.string().exactOptional(),
  teacher: z
    .array(z.object({ ids: z.array(z.number()), probabilities: z.array(z.number()) }))
    .exactOptional(),
})

/** What the teacher's part ended with: all a training needs, so that it can go on after the memory has changed. */
const taughtSchema = z.object({
  environment: z.string(),
  /** The model it fits: the one asked for, or its untied copy. */
  model: z.string(),
  modelHash: z.object({ sha256: z.string(), sizeBytes: z.number() }),
  reservedIds: z.array(z.number()),
  reservedTokens: z.array(z.string()).nullable(),
  teacher: z.number(),
  student: z.number(),
  settings: trainingSettingsSchema,
  /** What the teacher's calls took. */
  usage: usageSchema,
  /** Fewest attempts the teacher was shown at once, where not all fit. */
  shown: z.number().exactOptional(),
  /** Attempts among them that were solved by a second try; absent where none was made. */
  retried: z.number().exactOptional(),
  /** The adapter on the shelf whose rows it begins with; null: none. */
  begunFrom: z.string().nullable().default(null),
  train: z.array(sampleSchema),
  heldOut: z.array(sampleSchema),
})
export type Taught = z.infer<typeof taughtSchema>

const pendingSchema = z.object({
  format: z.literal(1),
  at: z.string(),
  /** What the artifact is to be called, where a run says so. */
  name: z.string().exactOptional(),
  input: formerly({ space: 'memory' }, trainInputSchema),
  taught: taughtSchema.nullable(),
})
/** A consolidation that was begun and has not ended. */
export type Pending = z.infer<typeof pendingSchema>

const pendingFile = (softPromptFolder: string): string => join(softPromptFolder, 'training.pending.json')

/** Where the state of a training is kept while it goes on. */
export const checkpointFile = (softPromptFolder: string): string =>
  join(softPromptFolder, 'training.checkpoint.json')

export const writePending = (softPromptFolder: string, backlog: Omit<Pending, 'format'>): Promise<void> =>
  writeRecord(pendingFile(softPromptFolder), { format: 1, ...backlog })

/** The consolidation that stopped before its end, or null. Throws `DATA_CORRUPT` when what was kept of it cannot be read. */
export async function readPending(softPromptFolder: string): Promise<Pending | null> {
  const afterLoss = { suggestion: 'Throw the interrupted training away and start anew.' }
  return readRecord<Pending | null>(pendingFile(softPromptFolder), pendingSchema, null, afterLoss)
}

/** Steps the kept state has taken; 0 when nothing was kept yet. */
export async function keptSteps(softPromptFolder: string): Promise<number> {
  const head = z.object({ state: z.object({ step: z.number() }) })
  try {
    return head.parse(JSON.parse(await readFile(checkpointFile(softPromptFolder), 'utf8'))).state.step
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === undefined) return 0
    throw error
  }
}

export async function removePending(softPromptFolder: string): Promise<void> {
  await removeRecord(pendingFile(softPromptFolder))
  await rm(checkpointFile(softPromptFolder), { force: true })
}
