import { z } from 'zod'
import { applyPatch, patchSchema, type Patch } from './patch'

/**
 * What every feed sends, whatever its state is: the state at `seq`, then patches numbered without gaps; `from` is the number of the first of
 * a batch.
 */
export const feedMessage = <S extends z.ZodType>(state: S) =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('snapshot'), seq: z.number().int(), state }),
    z.object({ kind: z.literal('patches'), from: z.number().int(), patches: z.array(patchSchema) }),
  ])

export type FeedMessage<S> =
  | { readonly kind: 'snapshot'; readonly seq: number; readonly state: S }
  | { readonly kind: 'patches'; readonly from: number; readonly patches: Patch[] }

/** How far a feed was followed. */
export interface FeedPlace<S> {
  readonly seq: number
  readonly state: S
}

/** The one fold of all feeds. Patches that were applied before count once; null where some are missing in between. */
export function applyMessage<S>(place: FeedPlace<S> | null, message: FeedMessage<S>): FeedPlace<S> | null {
  if (message.kind === 'snapshot') return { seq: message.seq, state: message.state }
  if (place === null || message.from > place.seq + 1) return null
  const fresh = message.patches.slice(place.seq + 1 - message.from)
  return { seq: place.seq + fresh.length, state: fresh.reduce<S>(applyPatch, place.state) }
}

/** The state of a feed, as it is and each time it has changed. Ends with the feed. */
export async function* statesOf<S>(messages: AsyncIterable<FeedMessage<S>>): AsyncGenerator<S, void, void> {
  let place: FeedPlace<S> | null = null
  for await (const message of messages) {
    place = applyMessage<S>(place, message)
    if (place) yield place.state
  }
}
