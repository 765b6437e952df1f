import { randomBytes } from 'node:crypto'
import { evictedByDefault } from '../../../core/methods/agent-kb/admit'
import { kindOf } from '../../../core/memory'
import { parseMemoryEvent, type MemoryEvent } from '../../../core/memory/events'
import { differingParts, type DifferingPart } from '../../../core/memory/items/differing-parts'
import { underOwnId } from '../../../core/memory/items/line-ids'
import { newEvents } from '../../../core/memory/new-events'
import { applyEvents, emptyMemoryState } from '../../../core/memory/memory-state'
import type { MemorySource } from '../../../core/memory/items/kind'
import type { ImportReport } from '../../../shared/domain/format'
import type { ConflictAnswer } from '../../../shared/domain/item-transfer'
import { LoamError } from '../../../shared/errors'
import type { StoredMemory } from '../../memory-store/memory'
import { memorySourceOf } from '../../items/memory-items'
import { planImport, planItem, type ImportPlan, type PlannedItem } from './import-plan'
import { dataFile, HISTORY, linesOf, sha256Of, type CheckedBundle } from './manifest'
import { KindTallies } from '../../memories/kind-tallies'
import { SKIPPED } from '../../memories/intake'
import { refsOf, type OnChange } from '../../memories/intake-options'
import { commitsOf, historyHash } from './write-bundle'

/** What importing a bundle did, or would do; a line of its data is a row. */
export type BundleImport = Pick<ImportReport, 'rows' | 'imported' | 'duplicates' | 'kinds' | 'conflicts'> & {
  /** Conflicts where the memory's own stayed. */
  readonly kept: number
  /** Lines that cannot be used or were not chosen. `rows = imported + duplicates + kept + left.length`. */
  readonly left: ImportPlan['left']
  /** Whether the whole history came in, as into an empty memory. */
  readonly whole: boolean
}

export interface BundleImportOptions {
  readonly now: Date
  /** What to do about conflicts; `ask` changes nothing where there is one. Default `keep`. */
  readonly conflicts?: ConflictAnswer | 'ask'
  /** Answers for single items, as `kind/id`. */
  readonly answers?: Readonly<Record<string, ConflictAnswer>>
  /** Only these kinds; null: all, with the history where it fits. */
  readonly kinds?: readonly string[] | null
  /** Items to leave out, as `kind/id`. */
  readonly skip?: readonly string[]
  /** Only says what it would do. Default false. */
  readonly preview?: boolean
  readonly onChange?: OnChange
  readonly signal?: AbortSignal | undefined
}

const PER_COMMIT = 64

type PlanItem = ImportPlan['items'][number]

/**
 * Brings a checked bundle into a memory. An empty memory gets the whole history, so that it equals the one the bundle was made of; else every
 * item that is not there comes in, and conflicts are answered. Everything is looked at before anything is written.
 */
export async function importBundleFile(
  space: StoredMemory,
  bundle: CheckedBundle,
  options: BundleImportOptions,
): Promise<BundleImport> {
  const isPart = Array.isArray(options.kinds) || (options.skip ?? []).length > 0
  const plan = getChoice(await planImport(space, bundle, options.now), options)
  const answerOf = ({ kind, id }: PlannedItem): ConflictAnswer | 'ask' =>
    // Attempts and rubrics are no items that could stand twice.
    kindOf(kind) ? (options.answers?.[`${kind}/${id}`] ?? options.conflicts ?? 'keep') : 'keep'
  const settled = await withoutTaken(space, plan, options.now)
  const whole = isPart ? null : await wholeHistory(space, bundle)
  // A history that goes on says itself what became of what was there.
  const differing = settled.filter(({ state }) => state === 'differs')
  const source = memorySourceOf(space)
  const tallies = new KindTallies()
  for (const item of plan.skipped) tallies.count({ ...item, said: item.line }, 'skipped')
  for (const item of settled) {
    const row = { ...item, said: item.line }
    if (item.state === 'differs' && whole === null)
      tallies.conflict(row, answerOf(item), await partsOf(source, item))
    else tallies.count(row, item.state === 'same' ? 'duplicates' : 'fresh')
  }
  const conflicts = whole ? [] : differing.map((item) => ({ answer: answerOf(item) }))
  const fresh = settled.filter(({ state }) => state === 'new' || (whole !== null && state === 'differs'))
  const broughtCount = conflicts.filter(({ answer }) => answer === 'take' || answer === 'both').length
  const report: BundleImport = {
    rows: plan.items.length + plan.left.length,
    imported: fresh.length + broughtCount,
    duplicates: settled.length - fresh.length - conflicts.length,
    kept: conflicts.length - broughtCount,
    left: plan.left,
    ...tallies.report(),
    whole: whole !== null,
  }
  const nothing = report.imported === 0 && (whole ?? []).length === 0
  if (options.preview === true || nothing || conflicts.some(({ answer }) => answer === 'ask')) return report
  options.signal?.throwIfAborted()
  const refused: ImportPlan['left'][number][] = []
  const getNotice = options.onChange ?? (() => undefined)
  const commit: Commit = async (events) => {
    await space.commit(events)
    getNotice(...refsOf(events))
  }
  if (whole) for (const events of whole) await commit(events)
  else {
    refused.push(...(await commitItems(commit, fresh)))
    const evicted = evictedByDefault(space, options.now)
    if (evicted.length > 0) await commit(evicted)
  }
  for (const { kind, id, line } of fresh.filter(({ file }) => file)) {
    await kindOf(kind)?.fromLine(source, line, changeAt(options.now))
    getNotice([{ kind, id }], [], 0)
  }
  for (const item of whole ? [] : settled) {
    const answer = item.state === 'differs' ? answerOf(item) : 'keep'
    if (answer !== 'keep' && answer !== 'ask')
      await answered(
        { ...source, commit: (events) => commit(events.map(parseMemoryEvent)) },
        item,
        answer,
        options.now,
      )
  }
  return { ...report, imported: report.imported - refused.length, left: [...report.left, ...refused] }
}

type Commit = (events: readonly MemoryEvent[]) => Promise<void>

/** A plan without what a person left out, which is told as such. */
function getChoice(
  plan: ImportPlan,
  { kinds, skip = [] }: BundleImportOptions,
): ImportPlan & { readonly skipped: readonly PlanItem[] } {
  const isSkipped = ({ kind, id }: PlannedItem): boolean =>
    kinds?.includes(kind) === false || skip.includes(`${kind}/${id}`)
  const skipped = plan.items.filter(isSkipped)
  const why = skipped.map(({ kind, at }) => ({ file: dataFile(kind), line: at, why: SKIPPED }))
  return { items: plan.items.filter((item) => !isSkipped(item)), left: [...plan.left, ...why], skipped }
}

/** Where an item of a bundle reads differently from the memory's own. */
async function partsOf(source: MemorySource, { kind, id, line }: PlannedItem): Promise<DifferingPart[]> {
  const own = await kindOf(kind)?.toLine(source, id)
  return own ? differingParts(own, line) : []
}

const changeAt = (now: Date) => ({ at: now.toISOString(), newId: randomBytes(12).toString('hex') })

/** Conflicts that an earlier import answered with `take` or `both` are there under ids of their own: they count as the same. */
async function withoutTaken(space: StoredMemory, { items }: ImportPlan, now: Date): Promise<PlanItem[]> {
  const source = memorySourceOf(space)
  const settled: PlanItem[] = []
  for (const item of items) {
    const again = item.state === 'differs' && item.events.length > 0 && kindOf(item.kind)
    const state =
      again && (await planItem(source, item.kind, underOwnId(item.line, sha256Of), now)).state === 'same'
        ? 'same'
        : item.state
    settled.push({ ...item, state })
  }
  return settled
}

/**
 * The bundle's commits, where they go on behind the memory's own: when it is empty, or stands where an earlier bundle left it. Every event is
 * checked, and every commit tried on a state of its own.
 */
async function wholeHistory(space: StoredMemory, bundle: CheckedBundle): Promise<MemoryEvent[][] | null> {
  const { commits: count, since } = bundle.manifest
  const own = await commitsOf(space)
  if (count === null || own.length !== (since?.commits ?? 0)) return null
  if (since && historyHash(own.map((events) => JSON.stringify(events))) !== since.sha256) return null
  const commits = linesOf(bundle, HISTORY).map((line, i) => {
    try {
      const events: unknown = JSON.parse(line)
      if (Array.isArray(events)) return events.map(parseMemoryEvent)
    } catch (error) {
      if (error instanceof LoamError && error.code === 'DATA_FORMAT_NEWER') throw error
    }
    throw unusable(i, 'it cannot be read')
  })
  const state = emptyMemoryState<number>()
  for (const [i, events] of own.entries()) applyEvents(state, events, i)
  const all = [...own, ...commits]
  for (const [i, events] of commits.entries()) {
    const fresh = await newEvents(events, state, ({ at, part }) => Promise.resolve(all[at]?.[part])).catch(
      (error: unknown) => {
        throw isRefusal(error) ? unusable(i, error.why) : error
      },
    )
    // What is dropped as known already is no part of a journal that Loam wrote.
    if (fresh.length !== events.length) throw unusable(i, 'it repeats what came before')
    applyEvents(state, events, own.length + i)
  }
  return commits
}

const unusable = (i: number, why: string): LoamError =>
  new LoamError('BAD_INPUT', `Commit ${i + 1} of the bundle's history cannot be used: ${why}.`, {
    suggestion: 'Nothing was changed. Have the bundle written again.',
  })

/** Commits what is new. What is refused together is tried item by item, so that only the one at fault is left out. */
async function commitItems(
  commit: Commit,
  items: readonly PlanItem[],
): Promise<ImportPlan['left'][number][]> {
  const rest: ImportPlan['left'][number][] = []
  for (let at = 0; at < items.length; at += PER_COMMIT) {
    const batch = items.slice(at, at + PER_COMMIT).filter(({ events }) => events.length > 0)
    if (batch.length === 0) continue
    try {
      await commit(batch.flatMap(({ events }) => events))
    } catch (error) {
      if (!isRefusal(error)) throw error
      for (const item of batch)
        await commit(item.events).catch((alone: unknown) => {
          if (!isRefusal(alone)) throw alone
          rest.push({ file: dataFile(item.kind), line: item.at, why: alone.why })
        })
    }
  }
  return rest
}

const isRefusal = (error: unknown): error is LoamError =>
  error instanceof LoamError && ['CONFLICT', 'NOT_FOUND', 'BAD_INPUT'].includes(error.code)

/** `both` brings the item in under an id of its own; `take` also puts the memory's own into the trash. */
async function answered(
  source: MemorySource,
  item: PlannedItem,
  answer: 'take' | 'both',
  now: Date,
): Promise<void> {
  const kind = kindOf(item.kind)
  if (!kind) return
  if (answer === 'take') await kind.remove(source, item.id, changeAt(now))
  await kind.fromLine(source, underOwnId(item.line, sha256Of), changeAt(now))
}
