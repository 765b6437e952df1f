import { z } from 'zod'
import type { ItemRef } from '../../../shared/domain/item'
import { CASE_KIND } from '../cases/kind'
import { DOCUMENT_KIND } from '../guides/fold'
import { EXPERIENCE_KIND } from '../experiences/fold'
import type { MemoryState } from '../entries'
import type { MemoryEvent } from '../events'
import type { CuratedItems } from './curated'
import type { ItemEvent } from './events'
import type { MemoryKindModule, MemorySource } from './kind'
import { carriedOf, trustOf } from './trust'

/** What events call an attempt, which is no item but belongs to a project like one. */
export const ATTEMPT = 'trajectory'

/** The project that an item belongs to; null for one that all projects share. */
export const projectOf = (items: CuratedItems, kind: string, id: string): string | null =>
  items.get(kind)?.get(id)?.project ?? null

/** All items, and attempts, that belong to a project. */
export const itemsOf = (items: CuratedItems, project: string): ItemRef[] =>
  [...items].flatMap(([kind, all]) =>
    [...all].flatMap(([id, item]) => (item.project === project ? [{ kind, id }] : [])),
  )

/** The project that an item is put into, or whose attempts alone it is drawn from; null where it is of none, or drawn from several. */
export async function homeOf(
  { info, drawnFrom }: MemoryKindModule,
  source: MemorySource,
  id: string,
): Promise<string | null> {
  const { curated } = source.state
  const own = projectOf(curated, info.id, id)
  if (own !== null || !drawnFrom) return own
  const [home = null, ...others] = new Set(
    (await drawnFrom(source, id)).map(
      (from) => projectOf(curated, ATTEMPT, from) ?? projectOf(curated, EXPERIENCE_KIND, from),
    ),
  )
  return others.length === 0 ? home : null
}

/** Whether an item is of another project: neither of this one (null: of none) nor shared by all. */
export const isOutside = (items: CuratedItems, kind: string, id: string, project: string | null): boolean => {
  const own = projectOf(items, kind, id)
  return own !== null && own !== project
}

/** Ids of the items of a kind that are of other projects. */
export const idsOutside = (items: CuratedItems, kind: string, project: string | null): ReadonlySet<string> =>
  new Set([...(items.get(kind)?.keys() ?? [])].filter((id) => isOutside(items, kind, id, project)))

/** The item, or attempt, that an event brings in, and since when there is one; null for any other event. */
export function itemAdded(event: MemoryEvent): (ItemRef & { readonly at: string }) | null {
  switch (event.kind) {
    case 'case-added':
      return { kind: CASE_KIND, id: event.case.id, at: event.case.createdAt }
    case 'memory-added':
      return { kind: event.memory.kind, id: event.memory.id, at: event.memory.createdAt }
    case 'experience-added':
      return { kind: EXPERIENCE_KIND, id: event.experience.id, at: event.experience.createdAt }
    case 'document-written':
      return { kind: DOCUMENT_KIND, id: event.version.conceptId, at: event.version.createdAt }
    case 'trajectory-added':
      return { kind: ATTEMPT, id: event.trajectory.id, at: event.trajectory.finishedAt }
    default:
      return null
  }
}

/** Whether a memory holds an item, or an attempt, already. */
export const isHeld = (state: MemoryState, { kind, id }: ItemRef): boolean =>
  kind === CASE_KIND
    ? state.cases.has(id)
    : kind === EXPERIENCE_KIND
      ? state.experiences.has(id)
      : kind === DOCUMENT_KIND
        ? state.concepts.standings.has(id)
        : kind === ATTEMPT
          ? state.trajectories.has(id)
          : state.items.has(id)

/** The events that put items into a project; null: all projects share them. */
export const intoProject = (
  items: readonly ItemRef[],
  project: string | null,
  at: string,
): (ItemEvent & { kind: 'item-scoped' })[] =>
  items.map(({ kind, id }) => ({ kind: 'item-scoped', of: kind, itemId: id, at, project }))

const projectLine = z.object({ project: z.string().trim().min(1).max(100) })

/** What puts the items of a line of an export into the project that it names; nothing where it names none. */
export function inItsProject(line: unknown, events: readonly MemoryEvent[], now: Date): MemoryEvent[] {
  const read = projectLine.safeParse(line)
  if (!read.success) return []
  return intoProject(
    events.flatMap((event) => itemAdded(event) ?? []),
    read.data.project,
    now.toISOString(),
  )
}

/** An item as a line of an export, with its project and the trust in it. Null when there is none of that id. */
export async function lineOfItem(
  kind: MemoryKindModule,
  source: MemorySource,
  id: string,
): Promise<Readonly<Record<string, unknown>> | null> {
  const line = await kind.toLine(source, id)
  const project = await homeOf(kind, source, id)
  const trust = line && (await trustOf(kind, source, id))
  return line && { ...line, ...(project !== null && { project }), ...(trust && { trust: carriedOf(trust) }) }
}
