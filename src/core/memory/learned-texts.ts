import { z } from 'zod'
import { learnedFields, type LearnedText } from '../../shared/domain/memory'
import type { ItemValues } from '../../shared/domain/item'
import { isRecord } from '../ground/record'
import { kindOf } from '.'

/** A text of a kind whose module is not in use: kept as it is, and shown again when the module is back. */
const absentKind = z.looseObject({ kind: z.string().min(1), ...learnedFields })

/** Everything methods write down beside cases: a learned text, in the shape of its kind. */
export const learnedItemSchema: z.ZodType<LearnedText> = z.unknown().transform((text, context) => {
  const kind = isRecord(text) ? String(text['kind']) : ''
  const schema = kindOf(kind)?.learned?.schema ?? absentKind
  const parsed = schema.safeParse(text)
  if (parsed.success) return parsed.data as unknown as LearnedText
  for (const { path, message } of parsed.error.issues)
    context.issues.push({ code: 'custom', input: text, path: [...path], message })
  return z.NEVER
})

/** A learned text after a change that a method made; as it is where its kind knows of none. */
export const changedItem = (memory: LearnedText, change: Readonly<Record<string, unknown>>): LearnedText =>
  kindOf(memory.kind)?.learned?.changed?.(memory, change) ?? memory

/** A learned text with what a person edited. */
export const editedItem = (memory: LearnedText, values: ItemValues): LearnedText =>
  kindOf(memory.kind)?.learned?.edited(memory, values) ?? memory
