import { canonicalJson } from '../../ground/canonical-json'
import type { ItemRetirement, ItemMark, ItemValues } from '../../../shared/domain/item'
import type { ItemSource } from '../../../shared/domain/trust'
import type { ItemEvent, ItemReported } from './events'

/** What is decided about an item; what programs report is counted elsewhere (`recalls.ts`). */
type Decision = Exclude<ItemEvent, ItemReported>

type QuarantineReason = Extract<ItemEvent, { kind: 'item-quarantined' }>['why']

/** What was decided about one item. */
export interface Curated {
  mark: ItemMark | null
  deletedAt: string | null
  /** Since when, and why, a policy keeps it from agents; null where it does not. */
  quarantined: { readonly at: string; readonly why: QuarantineReason } | null
  /** Where it came from that was not made here; null for all else. */
  source: ItemSource | null
  /** When somebody here edited, pinned or restored it, since it came where it was not made here; null where nobody did. */
  seenAt: string | null
  /** When somebody restored it; null where nobody did. */
  restoredAt: string | null
  /** What it is filed under. */
  tags: readonly string[]
  /** The project it belongs to; null where all projects share it. */
  project: string | null
  /** The last values of the fields that were edited. */
  values: ItemValues
  editedAt: string | null
  /** Edits that were applied, in order, by their ids. */
  edits: ReadonlyMap<string, { readonly at: string; readonly values: ItemValues }>
}

/** By kind, then by item; only of items that somebody touched. */
export type CuratedItems = Map<string, Map<string, Curated>>

/** What was decided about the items of a kind; made when there is nothing yet, so that it can be held on to. */
export function curatedOf(items: CuratedItems, kind: string): Map<string, Curated> {
  const knownMap = items.get(kind)
  if (knownMap) return knownMap
  const madeMap = new Map<string, Curated>()
  items.set(kind, madeMap)
  return madeMap
}

/** One for all items that were never edited or filed: an import notes something on every item. */
const NO_EDITS: Curated['edits'] = new Map()
const NO_VALUES: ItemValues = {}
const NO_TAGS: readonly string[] = []

const untouched = (): Curated => ({
  mark: null,
  deletedAt: null,
  quarantined: null,
  source: null,
  seenAt: null,
  restoredAt: null,
  tags: NO_TAGS,
  project: null,
  values: NO_VALUES,
  editedAt: null,
  edits: NO_EDITS,
})

/** Whether an event would change anything. */
export function changesItem(items: CuratedItems, event: Decision): boolean {
  const record = items.get(event.of)?.get(event.itemId)
  switch (event.kind) {
    case 'item-marked':
      return (record?.mark ?? null) !== event.mark
    case 'item-edited':
      return record?.edits.has(event.id) !== true
    case 'item-tagged':
      return (record?.tags ?? []).join('\n') !== event.tags.join('\n')
    case 'item-scoped':
      return (record?.project ?? null) !== event.project
    case 'item-deleted':
      return (record?.deletedAt ?? null) === null
    case 'item-quarantined':
      return (record?.quarantined ?? null) === null
    case 'item-sourced':
      return canonicalJson(record?.source ?? null) !== canonicalJson(event.source)
    case 'item-restored':
      // An item may also have gone otherwise (dropped from a queue); restoring is noted once.
      return true
  }
}

let last: { readonly text: string; readonly source: ItemSource } | null = null

/** The source of the item before where it is the same: what one import brings has one for all. */
function shared(source: ItemSource): ItemSource {
  const text = canonicalJson(source)
  if (last?.text !== text) last = { text, source }
  return last.source
}

/** Applies one event. Applying it again changes nothing. */
export function applyItemEvent(items: CuratedItems, event: Decision): void {
  if (!changesItem(items, event)) return
  const heldMap = curatedOf(items, event.of)
  const item = heldMap.get(event.itemId) ?? untouched()
  heldMap.set(event.itemId, item)
  switch (event.kind) {
    case 'item-marked':
      item.mark = event.mark
      if (event.mark === 'pinned') item.seenAt = event.at
      return
    case 'item-edited':
      item.edits = new Map(item.edits).set(event.id, { at: event.at, values: event.values })
      item.values = { ...item.values, ...event.values }
      item.editedAt = event.at
      item.seenAt = event.at
      return
    case 'item-tagged':
      item.tags = event.tags
      return
    case 'item-scoped':
      item.project = event.project
      return
    case 'item-deleted':
      item.deletedAt = event.at
      return
    case 'item-quarantined':
      item.quarantined = { at: event.at, why: event.why }
      return
    case 'item-sourced':
      item.source = shared(event.source)
      item.seenAt = null
      item.restoredAt = null
      return
    case 'item-restored':
      item.deletedAt = null
      item.quarantined = null
      item.seenAt = event.at
      item.restoredAt = event.at
  }
}

/** Whether an item is kept from agents: deleted, muted or quarantined. */
export const isHidden = (item: Curated | undefined): boolean =>
  item !== undefined && (item.deletedAt !== null || item.quarantined !== null || item.mark === 'muted')

/** How an item that is quarantined is gone; null for any other. */
export const quarantineOf = (item: Curated | undefined): ItemRetirement | null =>
  item?.quarantined ? { why: item.quarantined.why, at: item.quarantined.at, by: null } : null

/** What an item of any kind is filed under. */
export const tagsOf = (items: CuratedItems, kind: string, id: string): readonly string[] =>
  items.get(kind)?.get(id)?.tags ?? []
