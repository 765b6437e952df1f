import { z } from 'zod'
import type { LearnedText } from '../../shared/domain/memory'
import type { MemoryValues } from '../../shared/domain/memory-item'
import type { MemoryKindModule } from './items/kind'
import { MEMORY_KINDS } from '.'

const all: readonly MemoryKindModule[] = MEMORY_KINDS
const schemas = all.flatMap(({ learned }) => (learned ? [learned.schema] : []))

/** Everything methods write down beside cases: a learned text of any kind in the list. */
export const memorySchema = z.discriminatedUnion(
  'kind',
  schemas as unknown as [z.ZodObject<{ kind: z.ZodLiteral<string> }>],
) as unknown as z.ZodType<LearnedText>

const BY_KIND = new Map(all.map(({ info, learned }) => [info.id, learned]))

/** A learned text after a change that a method made; as it is where its kind knows of none. */
export const changedMemory = (memory: LearnedText, change: Readonly<Record<string, unknown>>): LearnedText =>
  BY_KIND.get(memory.kind)?.changed?.(memory, change) ?? memory

/** A learned text with what a person edited. */
export const editedMemory = (memory: LearnedText, values: MemoryValues): LearnedText =>
  BY_KIND.get(memory.kind)?.edited(memory, values) ?? memory
