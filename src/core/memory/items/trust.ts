import { z } from 'zod'
import type { ItemRef } from '../../../shared/domain/item'
import {
  carriedTrustSchema,
  LONGEST_CLAIM,
  LONGEST_TELLER,
  type CarriedTrust,
  type ItemRelease,
  type ItemSource,
  type Trust,
} from '../../../shared/domain/trust'
import type { Trajectory } from '../../../shared/domain/trajectory'
import type { ItemEvent } from './events'
import type { MemoryKindModule, MemorySource, Teller } from './kind'

/** Who judged an attempt where nobody else is named. */
const ENVIRONMENT = 'its environment'
/** What a person is called as a judge. */
export const A_PERSON = 'a person'

/** Who says how an attempt ended; null where nobody does, or that is not known. */
export const claimOf = ({
  judgedBy,
  ungraded,
  verdictOn,
}: Pick<Trajectory, 'judgedBy' | 'ungraded' | 'verdictOn'>): string | null =>
  judgedBy ?? (ungraded === undefined && verdictOn === undefined ? ENVIRONMENT : null)

/** What is known of where an item comes from and who stands for it, from its own origin, the journal's events and its attempt. Null for one there is not. */
export async function trustOf(
  kind: MemoryKindModule,
  source: MemorySource,
  id: string,
): Promise<Trust | null> {
  const features = await kind.features(source, id)
  const text = features && (await kind.read(source, id))
  if (!features || !text) return null
  const { state } = source
  const decided = state.curated.get(kind.info.id)?.get(id)
  const { trajectoryIds } = text
  const attempt = trajectoryIds.flatMap((one) => state.trajectories.get(one) ?? []).at(0)
  const own: Teller = (await kind.teller?.(source, id)) ?? tellerOf(features.origin, attempt !== undefined)
  const along = decided?.source?.from === 'memory' ? decided.source.carried : null
  const from: Pick<Trust, 'origin' | 'by'> = along ?? sourceOrigin(decided?.source ?? null) ?? own
  const outcome = features.reward !== null || attempt !== undefined
  const claim = !outcome
    ? null
    : from.origin === 'program' || from.origin === 'import'
      ? from.by
      : (attempt?.claim ?? along?.claim ?? null)
  const isSeen =
    (decided?.seenAt ?? null) !== null ||
    along?.seen === true ||
    // What came from elsewhere brings its marks and edits along.
    (!decided?.source && (features.editedAt !== null || features.pinned)) ||
    from.origin === 'person' ||
    (from.origin === 'attempt' && claim === A_PERSON)
  return {
    origin: from.origin,
    // What others wrote may be longer than any name is.
    by: from.by?.slice(0, LONGEST_TELLER) ?? null,
    signer: decided?.source?.signer ?? own.signer ?? null,
    claim: claim?.slice(0, LONGEST_CLAIM) ?? null,
    seen: isSeen,
    // A person's own words are theirs, whatever the attempt had read that they corrected.
    read: from.origin === 'person' ? [] : [...(attempt?.read ?? [])],
    derivedFrom: [
      ...new Set([
        ...trajectoryIds.filter((one) => !NO_ATTEMPT.has(one)),
        ...((await kind.madeFrom?.(source, id)) ?? []),
      ]),
    ],
    carried: along === null ? (decided?.source?.carried ?? null) : null,
  }
}

/** What a note says of where an item is from; null where there is none. */
const sourceOrigin = (source: ItemSource | null): Pick<Trust, 'origin' | 'by'> | null =>
  source === null || source.from === 'memory' ? null : { origin: source.from, by: source.name }

/** What stands for an attempt where there was none. */
const NO_ATTEMPT: ReadonlySet<string> = new Set(['', 'written', 'told'])

/** Whose word an item is, as its kind knows it. What an attempt of a program taught that was made in Loam's sight is an attempt's. */
function tellerOf(
  { from, by }: { readonly from: 'attempt' | 'person' | 'program' | 'elsewhere'; readonly by: string | null },
  isKnown: boolean,
): Pick<Trust, 'origin' | 'by'> {
  if (from === 'person') return { origin: 'person', by: null }
  if (from === 'attempt' || (from === 'program' && isKnown)) return { origin: 'attempt', by }
  if (from === 'program') return { origin: 'program', by }
  return by === null ? { origin: 'unknown', by } : { origin: 'import', by }
}

/** Why an item waits in quarantine before it was ever used: a program claims its success, nobody known signed it, or the person said it in a chat and not here. */
const WAITS: ReadonlySet<string> = new Set(['claimed', 'stranger', 'chat'])
export type Distrust = 'claimed' | 'stranger'

/** The events that note where items come from, and put them into quarantine where there is a reason to. */
export const sourcedEvents = (
  items: readonly (ItemRef & { readonly carried?: CarriedTrust | null })[],
  source: Omit<ItemSource, 'carried'>,
  distrust: Distrust | null,
  at: string,
): ItemEvent[] =>
  items.flatMap(({ kind: of, id: itemId, carried = null }): ItemEvent[] => [
    { kind: 'item-sourced', of, itemId, at, source: { ...source, carried } },
    ...(distrust === null ? [] : [{ kind: 'item-quarantined' as const, of, itemId, at, why: distrust }]),
  ])

/** Whose word an item is that a program handed in; that it succeeded is its claim, and waits for a person. */
export const programNotes = (
  items: readonly ItemRef[],
  client: string,
  claimsSuccess: boolean,
  at: string,
): ItemEvent[] =>
  sourcedEvents(
    items,
    { from: 'program', name: client, format: null, signer: null, importId: null },
    claimsSuccess ? 'claimed' : null,
    at,
  )

/** Whether an item waits in quarantine since nobody vouched for it. */
export const isWaiting = (retirement: { readonly why: string } | null): boolean =>
  retirement !== null && WAITS.has(retirement.why)

/** Whether an item came from where a person believes now. */
export const isReleased = (source: ItemSource | null, from: ItemRelease): boolean =>
  source !== null &&
  (from.by === 'signer'
    ? source.signer === from.signer
    : from.by === 'import'
      ? source.importId === from.importId
      : source.from === 'program' && source.name === from.program)

/** What notes in another memory of the same person where an item is from: what was noted here, else what is known of it here. */
export async function sourceAlong(
  kind: MemoryKindModule,
  source: MemorySource,
  itemId: string,
  at: string,
): Promise<ItemEvent[]> {
  const of = kind.info.id
  const noted = source.state.curated.get(of)?.get(itemId)?.source ?? null
  const trust = noted === null ? await trustOf(kind, source, itemId) : null
  const along: ItemSource | null =
    noted ??
    (trust && {
      ...{ from: 'memory', name: '', format: null, signer: null, importId: null },
      carried: carriedOf(trust),
    })
  return along === null ? [] : [{ kind: 'item-sourced', of, itemId, at, source: along }]
}

const trustLine = z.object({ trust: carriedTrustSchema })

/** What a line of an export says of the trust in its item; null where it says nothing that can be read. */
export const carriedIn = (line: unknown): CarriedTrust | null => trustLine.safeParse(line).data?.trust ?? null

/** The trust in an item as a line of an export carries it. */
export const carriedOf = ({ origin, by, signer, claim, seen }: Trust): CarriedTrust => ({
  ...{ origin, by, signer, claim, seen },
})
