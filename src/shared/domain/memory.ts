import { z } from 'zod'
import { instant } from './units'

/** What every learned text carries: which attempts it was written from and for which environment. */
export const learnedFields = {
  id: z.string().min(1),
  runId: z.string(),
  environment: z.string(),
  /** The attempts it was written from, the deciding one first. */
  trajectoryIds: z.array(z.string()).min(1),
  createdAt: instant,
  /** Of a text as it is read from a memory: a person pinned it. Never in the journal. */
  pinned: z.literal(true).optional(),
}

/** A learned text of any kind: what all of them have. Their own fields are declared in each kind's folder of src/core/memory. */
export interface LearnedText {
  readonly kind: string
  readonly id: string
  readonly runId: string
  readonly environment: string
  readonly trajectoryIds: string[]
  readonly createdAt: string
  readonly pinned?: true | undefined
  /** The last day on which it holds, of kinds whose texts may have one. Default: it has no end. */
  readonly until?: string | undefined
  readonly [field: string]: unknown
}

/** What can be wrong with a text that was written in the form it was asked for (`core/ground/text-gate.ts`). */
export const TEXT_FAULTS = [
  'repeats-itself',
  'copies-the-form',
  'bare-value',
  'breaks-off',
  'quotes-nothing',
] as const
export type TextFault = (typeof TEXT_FAULTS)[number]

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
   * `context-overflow`: the attempts do not fit into the model. `duplicate`: the same text is already kept. The others: it says the same again and
   * again, is an example or a placeholder of the form, a number or a date alone, breaks off in a sentence, or has no word of what it was written of.
   */
  reason: z.enum(['malformed', 'empty', 'cut', 'context-overflow', 'duplicate', ...TEXT_FAULTS]),
  /** Calls made. */
  tries: z.number().int().positive(),
  at: instant,
})
export type WritingFailure = z.infer<typeof writingFailureSchema>
