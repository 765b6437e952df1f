import { randomBytes } from 'node:crypto'
import { OWN_FORMAT } from '../../core/formats'
import { MEMORY_KINDS } from '../../core/memory'
import { checkedValues } from '../../core/memory/items/field'
import type { Change, MemorySource } from '../../core/memory/items/kind'
import type { Clock } from '../../core/ground/ports'
import type {
  ItemChange,
  ItemDetails,
  MemoryKindInfo,
  ItemMark,
  ItemPage,
  ItemRecall,
  ItemRef,
  ItemStep,
  ItemValues,
  ItemVersion,
} from '../../shared/domain/item'
import type { ImportReport } from '../../shared/domain/format'
import type { Trajectory } from '../../shared/domain/trajectory'
import { LoamError } from '../../shared/errors'
import type { Space } from '../memory-store/space'
import { softPromptFiles } from '../consolidation/soft-prompt-files'
import { applyStep, requireKind } from './apply-step'
import { listItems, type LearnedQuery } from './list-items'
import { historyOf, itemOf } from './item-view'
import { callAbility, type AbilityCall, type HostedAbilities } from './abilities'
import { copyItem } from './move-items'
import { recallsIn } from './recalls-in'
import { importItems } from '../spaces/intake'
import { textInMemory } from '../spaces/read-text'
import { exportItems } from './item-lines'

/** Everything a space remembers, of whatever kind: looked through, changed by hand, taken out and in. Every change can be taken back. */
export interface Items {
  kinds(): MemoryKindInfo[]
  list(query: LearnedQuery, signal?: AbortSignal): Promise<ItemPage>
  /** @throws LoamError `NOT_FOUND`, as do all that name an item */
  get(spaceId: string, ref: ItemRef): Promise<ItemDetails>
  /** How an item read, and what it replaced or was replaced by, oldest first. */
  history(spaceId: string, ref: ItemRef): Promise<ItemVersion[]>
  /** The attempts an item was shown to, newest first. */
  recalls(spaceId: string, ref: ItemRef, limit: number): Promise<ItemRecall[]>
  attempt(spaceId: string, trajectoryId: string): Promise<Trajectory>
  /** @throws LoamError `BAD_INPUT` for values that do not fit the kind's fields */
  edit(spaceId: string, ref: ItemRef, values: ItemValues): Promise<ItemChange>
  mark(spaceId: string, ref: ItemRef, mark: ItemMark | null): Promise<ItemChange>
  remove(spaceId: string, ref: ItemRef): Promise<ItemChange>
  restore(spaceId: string, ref: ItemRef): Promise<ItemChange>
  undo(spaceId: string, steps: readonly ItemStep[]): Promise<ItemChange>
  /** Several items of one kind become the first of them, with these values; the others are deleted. @throws LoamError `BAD_INPUT` for fewer than two, or of several kinds */
  merge(spaceId: string, items: readonly ItemRef[], values: ItemValues): Promise<ItemChange>
  /** Puts items into another memory, or copies them there. @throws LoamError as `copyItem`; then nothing was changed */
  move(spaceId: string, items: readonly ItemRef[], toSpaceId: string, copy: boolean): Promise<ItemChange>
  /** What only one kind can tell or do. @throws LoamError `NOT_FOUND` for an ability it has not, `BAD_INPUT` */
  ability(call: AbilityCall, signal?: AbortSignal): Promise<unknown>
  exportText(
    spaceId: string,
    items: readonly ItemRef[] | null,
    kinds: readonly string[] | null,
  ): Promise<{ fileName: string; text: string; items: number }>
  importText(spaceId: string, text: string): Promise<ImportReport>
}

/** What the kinds work on in a space. */
export const memorySourceOf = (space: Space): MemorySource => ({
  ...space.memorySource,
  softPrompts: softPromptFiles(space.path),
})

/** Creates it. */
export function createItems({
  spaces,
  clock,
  hosted = {},
}: {
  readonly spaces: { open(idOrPath: string): Promise<Space> }
  readonly clock: Clock
  /** Default: none. */
  readonly hosted?: HostedAbilities
}): Items {
  const sourceOf = async (spaceId: string): Promise<MemorySource> =>
    memorySourceOf(await spaces.open(spaceId))
  const change = (): Change => ({ at: clock.now().toISOString(), newId: randomBytes(12).toString('hex') })

  async function changed(spaceId: string, steps: readonly ItemStep[]): Promise<ItemChange> {
    const undo: ItemStep[] = []
    let last: { readonly ref: ItemRef; readonly source: MemorySource } | null = null
    for (const step of steps) {
      const source = await sourceOf(step.spaceId ?? spaceId)
      const done = await applyStep(source, step, change)
      undo.unshift(...done.undo.map((one) => elsewhere(one, step.spaceId)))
      last = { ref: done.ref, source }
    }
    if (!last) throw new RangeError('There is nothing to do.')
    return { item: await itemOf(requireKind(last.ref.kind), last.source, last.ref.id), undo }
  }

  async function move(
    spaceId: string,
    items: readonly ItemRef[],
    toSpaceId: string,
    copy: boolean,
  ): Promise<ItemChange> {
    const [from, to] = [await sourceOf(spaceId), await sourceOf(toSpaceId)]
    if (from.state === to.state)
      throw new LoamError('BAD_INPUT', 'They are in that memory already.', {
        suggestion: 'Choose another memory.',
      })
    const undo: ItemStep[] = []
    try {
      for (const ref of items)
        undo.unshift(...(await copyItem(from, to, ref, change)).map((one) => elsewhere(one, toSpaceId)))
    } catch (error) {
      if (undo.length > 0) await changed(spaceId, undo)
      throw error
    }
    const [ref] = items
    if (!ref) throw new RangeError('There is nothing to do.')
    if (!copy)
      undo.unshift(
        ...(
          await changed(
            spaceId,
            items.map((one) => ({ do: 'delete', ref: one })),
          )
        ).undo,
      )
    return { item: await itemOf(requireKind(ref.kind), to, ref.id), undo }
  }

  return {
    kinds: () => MEMORY_KINDS.map(({ info }) => info),
    async list(query, signal) {
      const space = await spaces.open(query.spaceId)
      return listItems(memorySourceOf(space), query, { now: clock.now(), embedder: space.embedder, signal })
    },
    history: async (spaceId, ref) => historyOf(requireKind(ref.kind), await sourceOf(spaceId), ref.id),
    move,
    ability: async (call, signal) =>
      callAbility(call, { hosted, source: () => sourceOf(call.spaceId), now: clock.now() }, signal),
    get: async (spaceId, ref) => itemOf(requireKind(ref.kind), await sourceOf(spaceId), ref.id),
    async recalls(spaceId, ref, limit) {
      const space = await spaces.open(spaceId)
      return recallsIn(space, memorySourceOf(space), ref, limit)
    },
    async attempt(spaceId, trajectoryId) {
      const found = await (await spaces.open(spaceId)).trajectory(trajectoryId)
      if (found) return found
      throw new LoamError('NOT_FOUND', 'That attempt is not in this space.', {
        suggestion: 'It was made elsewhere; what was kept of it is all there is.',
      })
    },
    edit: (spaceId, ref, values) => changed(spaceId, [{ do: 'edit', ref, values }]),
    mark: (spaceId, ref, mark) => changed(spaceId, [{ do: 'mark', ref, mark }]),
    remove: (spaceId, ref) => changed(spaceId, [{ do: 'delete', ref }]),
    restore: (spaceId, ref) => changed(spaceId, [{ do: 'restore', ref }]),
    undo: changed,
    async merge(spaceId, items, values) {
      const [first, ...others] = items
      if (
        !first ||
        others.length === 0 ||
        others.some(({ kind, id }) => kind !== first.kind || id === first.id)
      )
        throw new LoamError('BAD_INPUT', 'Items are merged that are several and of one kind.', {
          suggestion: 'Choose at least two of the same kind.',
        })
      // Refused before anything is deleted.
      checkedValues(requireKind(first.kind).info.fields, values)
      // The others go first: an edit may give the first one another id.
      return changed(spaceId, [
        ...others.map((ref) => ({ do: 'delete' as const, ref })),
        { do: 'edit', ref: first, values },
      ])
    },
    async exportText(spaceId, items, kinds) {
      const space = await spaces.open(spaceId)
      const { text, count } = await exportItems(space, memorySourceOf(space), items, kinds, clock.now())
      return { fileName: `${safeName(space.name)}-memory.jsonl`, text, items: count }
    },
    async importText(spaceId, text) {
      const space = await spaces.open(spaceId)
      const options = { format: OWN_FORMAT, file: 'items', now: clock.now() }
      return importItems(space, memorySourceOf(space), textInMemory(text), options)
    },
  }
}

/** A step that is to be made in another memory; undefined: in that of the change. */
const elsewhere = (step: ItemStep, spaceId: string | undefined): ItemStep =>
  spaceId === undefined || step.spaceId !== undefined ? step : { ...step, spaceId }

const safeName = (name: string): string =>
  name.replace(/[^\p{L}\p{N}._]+/gu, '-').replace(/^-|-$/g, '') || 'space'
