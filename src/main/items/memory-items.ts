import { randomBytes } from 'node:crypto'
import { MEMORY_KINDS } from '../../core/memory'
import { checkedValues } from '../../core/memory/items/field'
import { scopedBank } from '../../core/memory/items/scoped-bank'
import { QUESTION_ENVIRONMENT } from '../../core/tasks'
import type { Change, KindAbility, MemoryKindModule, MemorySource } from '../../core/memory/items/kind'
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
import type { ItemRelease } from '../../shared/domain/trust'
import type { Trajectory } from '../../shared/domain/trajectory'
import { LoamError } from '../../shared/errors'
import type { StoredMemory } from '../memory-store/memory'
import { softPromptFiles } from '../soft-prompts/soft-prompt-files'
import { applyStep, requireKind } from './apply-step'
import { listItems, type LearnedQuery } from './list-items'
import { historyOf, itemOf } from './item-view'
import { ATTEMPT } from '../../core/memory/items/projects'
import { isReleased, isWaiting, sourceAlong } from '../../core/memory/items/trust'
import { tagsOf } from '../../core/memory/items/curated'

/** The attempts an item was shown to, newest first; of one that was judged anew only the last verdict counts. @throws LoamError `NOT_FOUND` */
async function recallsIn(
  memory: Pick<StoredMemory, 'trajectories'>,
  source: MemorySource,
  ref: ItemRef,
  limit: number,
): Promise<ItemRecall[]> {
  const kind = requireKind(ref.kind)
  await itemOf(kind, source, ref.id)
  const ids = new Set(kind.recallIds?.(source, ref.id) ?? [ref.id])
  const recalls: ItemRecall[] = []
  const verdicts = new Map<string, ItemRecall>()
  for await (const attempt of memory.trajectories()) {
    const view = attempt.recalled.find((item) => item.kind === ref.kind && ids.has(item.id))
    if (!view && !(kind.alsoShown?.(attempt) ?? []).some((id) => ids.has(id))) continue
    const recall: ItemRecall = {
      trajectoryId: attempt.id,
      runId: attempt.runId,
      index: attempt.task.index,
      instruction: attempt.task.instruction,
      reward: attempt.reward,
      judged: attempt.ungraded === undefined,
      score: view?.score ?? null,
      at: attempt.finishedAt,
    }
    const before = attempt.verdictOn === undefined ? undefined : verdicts.get(attempt.verdictOn)
    if (before) Object.assign(before, recall)
    else recalls.push(recall)
    if (attempt.verdictOn !== undefined) verdicts.set(attempt.verdictOn, before ?? recall)
  }
  return recalls.reverse().slice(0, limit)
}

/**
 * Keeps what a person wrote.
 * @throws LoamError `BAD_INPUT` for values that do not fit the kind's fields, and for a kind that is not written by hand
 */
async function addItem(
  memory: StoredMemory,
  kind: MemoryKindModule,
  { values, project }: { readonly values: ItemValues; readonly project: string | null },
  change: Change,
): Promise<ItemChange> {
  const { fields, titleMany, id: kindId } = kind.info
  if (!kind.add)
    throw new LoamError('BAD_INPUT', `${titleMany} come from work, not by hand.`, {
      suggestion: `By hand: ${MEMORY_KINDS.flatMap(({ info }) => (info.adds === true ? [info.id] : [])).join(', ')}.`,
    })
  const blank = Object.fromEntries(
    fields.flatMap(({ key, kind: form, optional }) => (optional ? [] : [[key, form === 'lines' ? [] : '']])),
  )
  const { id, isNew } = await kind.add(
    scopedBank(memory, project),
    checkedValues(fields, { ...blank, ...values }),
    { ...change, environment: QUESTION_ENVIRONMENT },
  )
  const item = await itemOf(kind, memorySourceOf(memory), id)
  return { item, undo: isNew ? [{ do: 'delete', ref: { kind: kindId, id } }] : [] }
}

/** What is asked of an ability of a kind. */
interface AbilityCall {
  readonly memoryId: string
  readonly kind: string
  readonly ability: string
  readonly does: KindAbility['does']
  readonly input: Readonly<Record<string, unknown>>
}

/** Abilities that need more than the memory (models, runs): by kind and ability. `input` has been checked and names the memory. */
type HostedAbilities = Readonly<
  Record<
    string,
    Readonly<Record<string, (input: Readonly<Record<string, unknown>>, signal?: AbortSignal) => unknown>>
  >
>

/** Answers what only one kind can tell or do. @throws LoamError `NOT_FOUND` for an ability it has not, `BAD_INPUT` */
async function callAbility(
  { kind: kindId, ability, does, memoryId, input: notice }: AbilityCall,
  from: { readonly hosted: HostedAbilities; source(): Promise<MemorySource>; readonly now: Date },
  signal?: AbortSignal,
): Promise<unknown> {
  const { abilities = [] } = requireKind(kindId)
  const wantedAbility = abilities.find((one) => one.id === ability && one.does === does)
  const hosted = wantedAbility && from.hosted[kindId]?.[wantedAbility.id]
  if (!wantedAbility || !(wantedAbility.answer ?? hosted))
    throw new LoamError('NOT_FOUND', `The kind "${kindId}" has nothing called "${ability}".`, {
      suggestion: `It has: ${abilities.map(({ id }) => id).join(', ') || 'nothing'}.`,
    })
  const input = wantedAbility.input.safeParse(notice)
  if (!input.success)
    throw new LoamError('BAD_INPUT', `"${ability}" cannot be asked so: ${input.error.issues[0]?.message}.`, {
      suggestion: 'See what the ability is told.',
      underlying: input.error,
    })
  return wantedAbility.answer
    ? wantedAbility.answer(await from.source(), input.data, from.now)
    : hosted?.({ ...input.data, memoryId }, signal)
}

/** Everything a memory remembers, of whatever kind: looked through and changed by hand. Every change can be taken back. */
export type Items = ReturnType<typeof createItems>

/** What the kinds work on in a memory. */
export const memorySourceOf = (memory: StoredMemory): MemorySource => ({
  ...memory.memorySource,
  softPrompts: softPromptFiles(memory.path),
})

/** Creates it. */
export function createItems({
  memories,
  clock,
  hosted = {},
}: {
  readonly memories: { open(idOrPath: string): Promise<StoredMemory> }
  readonly clock: Clock
  /** Default: none. */
  readonly hosted?: HostedAbilities
}) {
  const sourceOf = async (memoryId: string): Promise<MemorySource> =>
    memorySourceOf(await memories.open(memoryId))
  const change = (): Change => ({ at: clock.now().toISOString(), newId: randomBytes(12).toString('hex') })

  async function getChange(memoryId: string, steps: readonly ItemStep[]): Promise<ItemChange> {
    const undo: ItemStep[] = []
    let last: { readonly ref: ItemRef; readonly source: MemorySource } | null = null
    for (const step of steps) {
      const source = await sourceOf(step.memoryId ?? memoryId)
      const outcome = await applyStep(source, step, change)
      undo.unshift(...outcome.undo.map((one) => elsewhere(one, step.memoryId)))
      last = { ref: outcome.ref, source }
    }
    if (!last) throw new RangeError('There is nothing to do.')
    return { item: await itemOf(requireKind(last.ref.kind), last.source, last.ref.id), undo }
  }

  async function move(
    memoryId: string,
    items: readonly ItemRef[],
    toMemoryId: string,
    copy: boolean,
  ): Promise<ItemChange> {
    const [from, to] = [await sourceOf(memoryId), await sourceOf(toMemoryId)]
    if (from.state === to.state)
      throw new LoamError('BAD_INPUT', 'They are in that memory already.', {
        suggestion: 'Choose another memory.',
      })
    const undo: ItemStep[] = []
    try {
      for (const ref of items)
        undo.unshift(...(await copyItem(from, to, ref, change)).map((one) => elsewhere(one, toMemoryId)))
    } catch (error) {
      if (undo.length > 0) await getChange(memoryId, undo)
      throw error
    }
    const [ref] = items
    if (!ref) throw new RangeError('There is nothing to do.')
    if (!copy)
      undo.unshift(
        ...(
          await getChange(
            memoryId,
            items.map((one) => ({ do: 'delete', ref: one })),
          )
        ).undo,
      )
    return { item: await itemOf(requireKind(ref.kind), to, ref.id), undo }
  }

  return {
    kinds: (): MemoryKindInfo[] => MEMORY_KINDS.map(({ info }) => info),
    async list(query: LearnedQuery, signal?: AbortSignal): Promise<ItemPage> {
      const memory = await memories.open(query.memoryId)
      return listItems(memorySourceOf(memory), query, { now: clock.now(), embedder: memory.embedder, signal })
    },
    /** How an item read, and what it replaced or was replaced by, oldest first. */
    history: async (memoryId: string, ref: ItemRef): Promise<ItemVersion[]> =>
      historyOf(requireKind(ref.kind), await sourceOf(memoryId), ref.id),
    /** Puts items into another memory, or copies them there. @throws LoamError as `copyItem`; then nothing was changed */
    move,
    /** What only one kind can tell or do. @throws LoamError `NOT_FOUND` for an ability it has not, `BAD_INPUT` */
    ability: async (call: AbilityCall, signal?: AbortSignal): Promise<unknown> =>
      callAbility(call, { hosted, source: () => sourceOf(call.memoryId), now: clock.now() }, signal),
    /** @throws LoamError `NOT_FOUND`, as do all that name an item */
    get: async (memoryId: string, ref: ItemRef): Promise<ItemDetails> =>
      itemOf(requireKind(ref.kind), await sourceOf(memoryId), ref.id),
    /** The attempts an item was shown to, newest first. */
    async recalls(memoryId: string, ref: ItemRef, limit: number): Promise<ItemRecall[]> {
      const memory = await memories.open(memoryId)
      return recallsIn(memory, memorySourceOf(memory), ref, limit)
    },
    async attempt(memoryId: string, trajectoryId: string): Promise<Trajectory> {
      const match = await (await memories.open(memoryId)).trajectory(trajectoryId)
      if (match) return match
      throw new LoamError('NOT_FOUND', 'That attempt is not in this memory.', {
        suggestion: 'It was made elsewhere; what was kept of it is all there is.',
      })
    },
    /** Keeps what a person wrote as an item of a kind. @throws as `addItem` */
    async add(
      memoryId: string,
      kind: string,
      values: ItemValues,
      project: string | null,
    ): Promise<ItemChange> {
      return addItem(await memories.open(memoryId), requireKind(kind), { values, project }, change())
    },
    /** @throws LoamError `BAD_INPUT` for values that do not fit the kind's fields */
    edit: (memoryId: string, ref: ItemRef, values: ItemValues): Promise<ItemChange> =>
      getChange(memoryId, [{ do: 'edit', ref, values }]),
    mark: (memoryId: string, ref: ItemRef, mark: ItemMark | null): Promise<ItemChange> =>
      getChange(memoryId, [{ do: 'mark', ref, mark }]),
    remove: (memoryId: string, ref: ItemRef): Promise<ItemChange> =>
      getChange(memoryId, [{ do: 'delete', ref }]),
    restore: (memoryId: string, ref: ItemRef): Promise<ItemChange> =>
      getChange(memoryId, [{ do: 'restore', ref }]),
    /** Takes out of quarantine all that waits there and came from somebody a person believes now; answers it. */
    release: async (memoryId: string, from: ItemRelease): Promise<ItemRef[]> =>
      releaseItems(await sourceOf(memoryId), from, change),
    undo: getChange,
    /** Several items of one kind become the first of them, with these values; the others are deleted. @throws LoamError `BAD_INPUT` for fewer than two, or of several kinds */
    async merge(memoryId: string, items: readonly ItemRef[], values: ItemValues): Promise<ItemChange> {
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
      return getChange(memoryId, [
        ...others.map((ref) => ({ do: 'delete' as const, ref })),
        { do: 'edit', ref: first, values },
      ])
    },
  }
}

/** A step that is to be made in another memory; undefined: in that of the change. */
const elsewhere = (step: ItemStep, memoryId: string | undefined): ItemStep =>
  memoryId === undefined || step.memoryId !== undefined ? step : { ...step, memoryId }

/** Takes out of quarantine all that waits there and came from somebody a person believes now; answers it. */
async function releaseItems(
  source: MemorySource,
  from: ItemRelease,
  change: () => Change,
): Promise<ItemRef[]> {
  const items: ItemRef[] = []
  const isMeant = (of: string, id: string): boolean =>
    isReleased(source.state.curated.get(of)?.get(id)?.source ?? null, from)
  for (const kind of MEMORY_KINDS as readonly MemoryKindModule[]) {
    const of = kind.info.id
    for (const { id, gone } of await kind.heads(source)) {
      if (!isWaiting(gone) || !isMeant(of, id)) continue
      await kind.restore(source, id, change())
      items.push({ kind: of, id })
    }
  }
  // Attempts are no items, but teach beliefs.
  const attempts = [...(source.state.curated.get(ATTEMPT) ?? [])]
    .filter(([id, { quarantined }]) => isWaiting(quarantined) && isMeant(ATTEMPT, id))
    .map(([itemId]) => ({ kind: 'item-restored' as const, of: ATTEMPT, itemId, at: change().at }))
  if (attempts.length > 0) await source.commit(attempts)
  return items
}

/**
 * Copies a live item into another memory, with its mark, tags and origin; the attempts behind it stay where they are. Answers how to take that
 * back there: nothing where the same one was live there already.
 *
 * @throws LoamError `NOT_FOUND`, or `CONFLICT` for one that is not in use, that stays where it is, or whose id holds something else there
 */
async function copyItem(
  from: MemorySource,
  to: MemorySource,
  ref: ItemRef,
  change: () => Change,
): Promise<ItemStep[]> {
  const kind = requireKind(ref.kind)
  const refuse = (cause: string, suggestion: string): LoamError =>
    new LoamError('CONFLICT', cause, { suggestion })
  if (kind.stays !== undefined)
    throw refuse(`A ${kind.info.title.toLowerCase()} cannot go to another memory.`, kind.stays)
  const head = await kind.head(from, ref.id)
  const line = head && (await kind.toLine(from, ref.id))
  if (!line)
    throw new LoamError(
      'NOT_FOUND',
      `There is no ${kind.info.title.toLowerCase()} ${ref.id} in this memory.`,
      {
        suggestion: 'Reload the list.',
      },
    )
  if (head.gone) throw refuse('It is not in use.', 'Restore it first.')
  const before = await kind.head(to, ref.id)
  await kind.fromLine(to, line, change())
  const after = await kind.head(to, ref.id)
  if (before && before.gone === null) return []
  if (after?.gone) await kind.restore(to, ref.id, change())
  const along = await sourceAlong(kind, from, ref.id, change().at)
  if (along.length > 0) await to.commit(along)
  const tags = [...tagsOf(from.state.curated, ref.kind, ref.id)]
  if (tags.length > 0)
    await to.commit([{ kind: 'item-tagged', of: ref.kind, itemId: ref.id, at: change().at, tags }])
  return [{ do: 'delete', ref }]
}
