import { quarantineOf } from './curated'
import type { KindEvent, MemorySource } from './kind'

/** Puts an item back by its kind's own event, and takes it out of quarantine where it is in one. */
export const putBack = (
  source: Pick<MemorySource, 'state' | 'commit'>,
  restored: KindEvent,
  { of, itemId, at }: { readonly of: string; readonly itemId: string; readonly at: string },
): Promise<void> =>
  source.commit(
    quarantineOf(source.state.curated.get(of)?.get(itemId)) === null
      ? [restored]
      : [restored, { kind: 'item-restored', of, itemId, at }],
  )
