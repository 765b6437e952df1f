import { z } from 'zod'
import { LoamError } from '../../shared/errors'
import { writingFailureSchema } from '../../shared/domain/memory'
import { trajectorySchema } from '../../shared/domain/trajectory'
import { caseEventSchemas } from './cases/events'
import { conceptEventSchemas } from './guides/events'
import { experienceEventSchemas } from './experiences/events'
import { learnedChangedSchema } from './items/changes'
import { itemEventSchemas } from './items/events'
import { learnedItemSchema } from './learned-texts'
import { noteEvolvedSchema } from './notes/events'

/**
 * What a memory's journal records. The journal is the truth; everything else is rebuilt from it.
 * A later kind of memory needs nothing here: its texts come as `memory-added`, what people do about them as `item-...`.
 */
const memoryEventSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('trajectory-added'), trajectory: trajectorySchema }),
  ...caseEventSchemas,
  z.object({ kind: z.literal('memory-added'), memory: learnedItemSchema }),
  /** Left its place to a newer one (a full FIFO queue). */
  z.object({ kind: z.literal('memory-dropped'), memoryId: z.string().min(1), at: z.string() }),
  noteEvolvedSchema,
  learnedChangedSchema,
  /** A text that was asked for, came out unusable twice, and was not kept. */
  z.object({ kind: z.literal('writing-failed'), failure: writingFailureSchema }),
  ...experienceEventSchemas,
  ...conceptEventSchemas,
  ...itemEventSchemas,
])
export type MemoryEvent = z.infer<typeof memoryEventSchema>

const KNOWN_KINDS: ReadonlySet<unknown> = new Set(
  memoryEventSchema.options.map((option) => option.shape.kind.value),
)

/**
 * Reads one event from outside (a journal line, a caller).
 * @throws LoamError `DATA_FORMAT_NEWER` for a kind this version does not know, `BAD_INPUT` for a wrong shape.
 */
export function parseMemoryEvent(value: unknown): MemoryEvent {
  const parsed = memoryEventSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const kind: unknown =
    typeof value === 'object' && value !== null && 'kind' in value ? value.kind : undefined
  if (typeof kind === 'string' && !KNOWN_KINDS.has(kind)) {
    throw new LoamError(
      'DATA_FORMAT_NEWER',
      `The memory holds an event of kind "${kind}", which this Loam does not know.`,
      {
        suggestion: 'Open it with the newer Loam that wrote it. Nothing was changed.',
      },
    )
  }
  const issue = parsed.error.issues[0]
  throw new LoamError(
    'BAD_INPUT',
    `An event has a wrong shape at "${issue?.path.join('.') ?? ''}": ${issue?.message ?? ''}.`,
    {
      suggestion: 'This is a fault in what was handed to the memory; nothing was written.',
      underlying: parsed.error,
    },
  )
}
