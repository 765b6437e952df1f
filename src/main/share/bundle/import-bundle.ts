import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { evictedByDefault } from '../../../core/methods/agent-kb/admit'
import { kindOf } from '../../../core/memory'
import { parseMemoryEvent, type MemoryEvent } from '../../../core/memory/events'
import { differingParts, type DifferingPart } from '../../../core/memory/items/differing-parts'
import { carriedIn, type Distrust } from '../../../core/memory/items/trust'
import { underOwnId } from '../../../core/memory/items/line-ids'
import type { MemorySource } from '../../../core/memory/items/kind'
import type { CarriedTrust } from '../../../shared/domain/trust'
import type { ItemRef } from '../../../shared/domain/item'
import type { ImportReport } from '../../../shared/domain/format'
import type { ConflictAnswer } from '../../../shared/domain/item-transfer'
import type { StoredMemory } from '../../memory-store/memory'
import { memorySourceOf } from '../../items/memory-items'
import { derivedLines } from './derived-lines'
import { historyOf } from './history'
import { openEventSpool, type EventSpool } from './event-spool'
import { DATA_KINDS, planItem, planLines, type PlannedItem, type PlannedLine } from './import-plan'
import { dataFile, sha256Of, type CheckedBundle } from '../../bundle/manifest'
import { KindTallies } from '../../memories/kind-tallies'
import { isRefusal, SKIPPED } from '../../memories/intake-rows'
import { arrivalsIn, notesOf, refsOf, sourceNotes, type OnChange } from '../../memories/intake-options'

/** A line that cannot be used. */
interface LeftLine {
  readonly file: string
  readonly line: number
  readonly why: string
}

/** What importing a bundle did, or would do; a line of its data is a row. */
export type BundleImport = Pick<ImportReport, 'rows' | 'imported' | 'duplicates' | 'kinds' | 'conflicts'> & {
  /** Conflicts where the memory's own stayed. */
  readonly kept: number
  /** Lines that cannot be used or were not chosen. `rows = imported + duplicates + kept + left.length`. */
  readonly left: readonly LeftLine[]
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
  /** By what the import is noted on what comes in. Default: nothing is noted, as of a memory that comes home. */
  readonly note?: {
    readonly name: string
    readonly importId: string
    readonly signer: string | null
    readonly distrust: Distrust | null
    /** Whether this Loam signed it: a whole history of its own is as it was. */
    readonly isHome: boolean
  }
  /** Whether an import of this memory is called so: what such imports noted is no part of a history. Default: none is. */
  readonly isImport?: (importId: string) => boolean
  readonly onChange?: OnChange
  readonly signal?: AbortSignal | undefined
}

const PER_COMMIT = 64
/** Items whose source is noted in one commit, at least. */
const NOTED_AT_ONCE = 1_000
const BUNDLE_FORMAT = 'bundle'

/**
 * Brings a checked bundle into a memory. An empty memory gets the whole history, so that it equals the one the bundle was made of; else every
 * item that is not there comes in, and conflicts are answered. Everything is looked at before anything is written: the bundle is read once to see
 * what it would do, and again to do it, a line at a time.
 * @throws LoamError `BAD_INPUT` for a history that cannot be, and for data that says anything else
 */
export async function importBundleFile(
  space: StoredMemory,
  bundle: CheckedBundle,
  options: BundleImportOptions,
): Promise<BundleImport> {
  const folder = await mkdtemp(join(tmpdir(), 'loam-history-'))
  const spool = await openEventSpool(join(folder, 'events'))
  try {
    const look = await lookAt(space, bundle, options, spool)
    const { report, whole } = look
    const nothing = report.imported === 0 && (whole?.count ?? 0) === 0
    if (options.preview === true || nothing || look.isAsked) return report
    options.signal?.throwIfAborted()
    const refused = await bringIn(space, bundle, options, look, spool)
    return { ...report, imported: report.imported - refused.length, left: [...report.left, ...refused] }
  } finally {
    await spool.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

const answerOf = ({ kind, id }: ItemRef, { answers, conflicts }: BundleImportOptions): Answer =>
  // Attempts and rubrics are no items that could stand twice.
  kindOf(kind) ? (answers?.[`${kind}/${id}`] ?? conflicts ?? 'keep') : 'keep'

type Answer = ConflictAnswer | 'ask'

/** What a bundle would do, without its lines. */
interface Look {
  readonly report: BundleImport
  /** Whether a person has to be asked first. */
  readonly isAsked: boolean
  /** Which of the spooled commits come in as a whole history; null: items do, one by one. */
  readonly whole: { readonly first: number; readonly count: number } | null
  /** By kind: lines that are new, and those that come in by another way than a commit of theirs. */
  readonly fresh: ReadonlyMap<string, ReadonlySet<number>>
  readonly apart: ReadonlyMap<string, ReadonlySet<number>>
  /** What lines tell of the trust in them, as `kind/id`. */
  readonly carried: ReadonlyMap<string, CarriedTrust>
}

/** Looks at every line of a bundle and compares it with the history. Changes nothing. */
async function lookAt(
  space: StoredMemory,
  bundle: CheckedBundle,
  options: BundleImportOptions,
  spool: EventSpool,
): Promise<Look> {
  const history = await historyOf(space, bundle, options.isImport ?? (() => false), spool)
  const isPart = Array.isArray(options.kinds) || (options.skip ?? []).length > 0
  const whole = isPart || history?.fits !== true ? null : { first: history.first, count: history.count }
  const source = memorySourceOf(space)
  const derivedOf = history && derivedLines(history.state, spool, bundle.manifest.since !== undefined)
  const tallies = new KindTallies()
  const rest: LeftLine[] = []
  const [fresh, apart] = [new Map<string, Set<number>>(), new Map<string, Set<number>>()]
  const carried = new Map<string, CarriedTrust>()
  let [rows, freshCount, conflictCount, broughtCount, isAsked] = [0, 0, 0, 0, false]
  for (const kind of DATA_KINDS) {
    const derived = derivedOf?.(kind)
    const [own, others] = [new Set<number>(), new Set<number>()]
    fresh.set(kind, own)
    apart.set(kind, others)
    for await (const { at, value, item, why } of planLines(space, bundle, kind, options.now)) {
      options.signal?.throwIfAborted()
      await derived?.line(value, at)
      rows++
      const leaveOut = (reason: string) => void rest.push({ file: dataFile(kind), line: at, why: reason })
      if (!item) {
        leaveOut(why)
        continue
      }
      const row = { kind, id: item.id, said: item.line }
      if (isSkipped(item, options)) {
        tallies.count(row, 'skipped')
        leaveOut(SKIPPED)
        continue
      }
      const trust = isTrustTold(item.line) ? carriedIn(item.line) : null
      if (trust) carried.set(`${kind}/${item.id}`, trust)
      const state = await stateOf(source, item, options.now)
      // A history that goes on says itself what became of what was there.
      if (state === 'differs' && whole === null) {
        const answer = answerOf(item, options)
        tallies.conflict(row, answer, await partsOf(source, item))
        conflictCount++
        if (answer === 'ask') isAsked = true
        if (answer === 'take' || answer === 'both') {
          broughtCount++
          others.add(at)
        }
      } else if (state === 'same') tallies.count(row, 'duplicates')
      else {
        tallies.count(row, 'fresh')
        freshCount++
        if (item.file) others.add(at)
        // Commits bring in the others.
        else if (!whole) own.add(at)
      }
    }
    await derived?.end()
  }
  const report: BundleImport = {
    rows,
    imported: freshCount + broughtCount,
    duplicates: rows - rest.length - freshCount - conflictCount,
    kept: conflictCount - broughtCount,
    left: rest,
    ...tallies.report(),
    whole: whole !== null,
  }
  return { report, isAsked, whole, fresh, apart, carried }
}

const isTrustTold = (line: unknown): boolean => typeof line === 'object' && line !== null && 'trust' in line

const isSkipped = ({ kind, id }: ItemRef, { kinds, skip = [] }: BundleImportOptions): boolean =>
  kinds?.includes(kind) === false || skip.includes(`${kind}/${id}`)

/** Conflicts that an earlier import answered with `take` or `both` are there under ids of their own: they count as the same. */
async function stateOf(source: MemorySource, item: PlannedItem, now: Date): Promise<PlannedItem['state']> {
  const { state, kind, line, events } = item
  if (state !== 'differs' || events.length === 0 || !kindOf(kind)) return state
  const own = await planItem(source, kind, underOwnId(line, sha256Of), now)
  return own.state === 'same' ? 'same' : state
}

/** Does what was looked at. Answers lines that were refused nevertheless. */
async function bringIn(
  space: StoredMemory,
  bundle: CheckedBundle,
  options: BundleImportOptions,
  { whole, fresh, apart, carried }: Look,
  spool: EventSpool,
): Promise<LeftLine[]> {
  const { now, note, onChange: getNotice = () => undefined } = options
  const source = memorySourceOf(space)
  const about = note && { ...note, format: BUNDLE_FORMAT, at: now.toISOString() }
  const carriedBy = ({ kind, id }: ItemRef): CarriedTrust | null => carried.get(`${kind}/${id}`) ?? null
  const commit: Commit = async (events) => {
    await space.commit(about ? [...events, ...sourceNotes(events, about, carriedBy)] : events)
    getNotice(...refsOf(events))
  }
  const refused: LeftLine[] = []
  if (whole) {
    for (let at = whole.first; at < whole.first + whole.count; at++) {
      const events = await spool.commit(at)
      await space.commit(events)
      getNotice(...refsOf(events))
    }
    // What is noted of a history comes behind it, so that nothing in it can take that back.
    if (about && !about.isHome)
      for await (const refs of arrivalsOf(spool, whole, about.distrust))
        await space.commit(notesOf(refs, about, carriedBy))
  } else {
    for (const [kind, places] of fresh)
      if (places.size > 0) {
        const lines = planLines(space, bundle, kind, now, (at) => places.has(at))
        refused.push(...(await commitLines(commit, dataFile(kind), lines)))
      }
    const evicted = evictedByDefault(space, now)
    if (evicted.length > 0) await commit(evicted)
  }
  for (const [kind, places] of apart) {
    if (places.size === 0) continue
    for await (const { item } of planLines(space, bundle, kind, now, (at) => places.has(at))) {
      if (item?.file === true && (item.state === 'new' || whole)) {
        await kindOf(kind)?.fromLine(source, item.line, changeAt(now))
        getNotice([{ kind, id: item.id }], [], 0)
        continue
      }
      const answer = item && answerOf(item, options)
      if (answer === 'take' || answer === 'both')
        await answered(
          { ...source, commit: (events) => commit(events.map(parseMemoryEvent)) },
          item as PlannedItem,
          // What waits for a person takes nobody's place yet.
          note?.distrust ? 'both' : answer,
          now,
        )
    }
  }
  return refused
}

/** What commits bring in, some at a time; what comes in twice may be told twice. */
async function* arrivalsOf(
  spool: EventSpool,
  { first, count }: NonNullable<Look['whole']>,
  distrust: Distrust | null,
): AsyncGenerator<ItemRef[]> {
  let refs = new Map<string, ItemRef>()
  for (let at = first; at < first + count; at++) {
    for (const ref of arrivalsIn(await spool.commit(at), distrust)) refs.set(`${ref.kind}/${ref.id}`, ref)
    if (refs.size < NOTED_AT_ONCE && at + 1 < first + count) continue
    if (refs.size > 0) yield [...refs.values()]
    refs = new Map()
  }
}

type Commit = (events: readonly MemoryEvent[]) => Promise<void>

/** Where an item of a bundle reads differently from the memory's own. */
async function partsOf(source: MemorySource, { kind, id, line }: PlannedItem): Promise<DifferingPart[]> {
  const own = await kindOf(kind)?.toLine(source, id)
  const { trust: _told, ...other } = line as Record<string, unknown>
  return own ? differingParts(own, other) : []
}

const changeAt = (now: Date) => ({ at: now.toISOString(), newId: randomBytes(12).toString('hex') })

/** Commits what is new. What is refused together is tried item by item, so that only the one at fault is left out. */
async function commitLines(
  commit: Commit,
  file: string,
  lines: AsyncIterable<PlannedLine>,
): Promise<LeftLine[]> {
  const rest: LeftLine[] = []
  let batch: { readonly at: number; readonly events: readonly MemoryEvent[] }[] = []
  const commitBatch = async (): Promise<void> => {
    const own = batch
    batch = []
    if (own.length === 0) return
    try {
      await commit(own.flatMap(({ events }) => events))
    } catch (error) {
      if (!isRefusal(error)) throw error
      for (const { at, events } of own)
        await commit(events).catch((alone: unknown) => {
          if (!isRefusal(alone)) throw alone
          rest.push({ file, line: at, why: alone.why })
        })
    }
  }
  for await (const { at, item, why } of lines) {
    if (!item) rest.push({ file, line: at, why })
    else if (item.events.length > 0) batch.push({ at, events: item.events })
    if (batch.length >= PER_COMMIT) await commitBatch()
  }
  await commitBatch()
  return rest
}

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
