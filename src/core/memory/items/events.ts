import { z } from 'zod'
import { itemMarkSchema, itemValuesSchema } from '../../../shared/domain/item'
import { itemSourceSchema } from '../../../shared/domain/trust'

const item = {
  /** The kind's id, as in core/memory/index.ts. */
  of: z.string().min(1),
  itemId: z.string().min(1),
  at: z.string(),
}

/** What is decided about an item of any kind that has no events of its own for it. Nothing is overwritten: the last one counts. */
export const itemEventSchemas = [
  /** Null takes the mark off. */
  z.object({ kind: z.literal('item-marked'), ...item, mark: itemMarkSchema.nullable() }),
  /** How some of its fields read from here on. */
  z.object({
    kind: z.literal('item-edited'),
    /** Names the edit; the same one is applied once. */
    id: z.string().min(1),
    ...item,
    values: itemValuesSchema,
  }),
  /** What a person files it under; all of it. */
  z.object({ kind: z.literal('item-tagged'), ...item, tags: z.array(z.string().min(1).max(60)).max(20) }),
  /** The project that it belongs to from here on, an attempt too; null: all projects share it. */
  z.object({ kind: z.literal('item-scoped'), ...item, project: z.string().min(1).max(100).nullable() }),
  z.object({ kind: z.literal('item-deleted'), ...item }),
  z.object({ kind: z.literal('item-restored'), ...item }),
  /**
   * It is kept from agents until somebody restores it: its use keeps failing, what was seen says otherwise, its success is a program's claim,
   * nobody whom the person knows signed it, or it was read from a chat of the person and they have not said yes.
   */
  z.object({
    kind: z.literal('item-quarantined'),
    ...item,
    why: z.enum(['failing', 'contradicted', 'claimed', 'stranger', 'chat']),
  }),
  /** It was not made here: where it comes from. The last one counts, and what was decided of it elsewhere no longer does. */
  z.object({ kind: z.literal('item-sourced'), ...item, source: itemSourceSchema }),
  /** A program outside was shown it and says how its task went; counted like an attempt it was shown to. */
  z.object({
    kind: z.literal('item-reported'),
    ...item,
    /** The use that is reported; counted once per item. */
    useId: z.string().min(1),
    /** Who says so. */
    client: z.string().min(1),
    helped: z.boolean(),
  }),
] as const
export type ItemEvent = z.infer<(typeof itemEventSchemas)[number]>
export type ItemReported = Extract<ItemEvent, { kind: 'item-reported' }>

/** Whether an event is one of these. */
export const isItemEvent = <E extends { readonly kind: string }>(
  event: E,
): event is Extract<E, { kind: ItemEvent['kind'] }> => event.kind.startsWith('item-')
