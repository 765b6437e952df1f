import { basename } from 'node:path'
import { ZodError } from 'zod'
import type { MemoryStore } from '../../core/ground/ports'
import { addedBy } from '../../core/memory/added-by'
import { experiences } from '../../core/memory/experiences/kind'
import { differingParts } from '../../core/memory/items/differing-parts'
import { idOfLine, underOwnId } from '../../core/memory/items/line-ids'
import { evictedByDefault } from '../../core/methods/agent-kb/admit'
import { kindOf } from '../../core/memory'
import { parseMemoryEvent, type MemoryEvent } from '../../core/memory/events'
import { experienceOfLog, type AgentLog, type Found } from '../../core/memory/experiences/import/log'
import { shapeProblem } from '../../core/memory/experiences/import/records'
import type { Change, MemorySource } from '../../core/memory/items/kind'
import { carriedIn } from '../../core/memory/items/trust'
import { inItsProject } from '../../core/memory/items/projects'
import { addRedactions, redactAll, type Redactions } from '../../core/memory/experiences/import/redact'
import type { ItemRef } from '../../shared/domain/item'
import type { CarriedTrust } from '../../shared/domain/trust'
import type { ImportReport } from '../../shared/domain/format'
import { ReadingTally, type RowPlace } from '../../shared/domain/reading'
import { peek } from '../../core/ground/peek'
import type { Verdicts } from './import-files'
import {
  nothingSeen,
  refsOf,
  sourceNotes,
  waitersIn,
  type ImportOptions,
  type IntakeChoice,
  type OnChange,
  type SeenItems,
} from './intake-options'
import {
  cleanLike,
  DIFFERS,
  isRefusal,
  keyOf,
  NOTHING,
  printOf,
  rowOf,
  sha256,
  SKIPPED,
  withoutTrust,
  type Row,
} from './intake-rows'
import { ChatIntake } from './intake-chats'
import { FactReader } from './intake-facts'
import { heldOf } from './intake-standing'
import { KindTallies } from './kind-tallies'
import { formatOf, readFormat } from './read-format'
import { EarlierAttempts, replacing, type Replacement } from './same-attempt'
import type { TextFile } from './read-text'

/** Rows per commit, which is one write that is waited for. */
const PER_COMMIT = 128
/** Characters that a format is recognised by. */
const HEAD = 65_536

/**
 * Reads a file of any format into a memory, piece by piece. What is committed stays when it is cancelled; the next import of the
 * same file goes on behind it, since nothing is imported twice.
 * @throws LoamError `BAD_INPUT` for an unknown format, or an AbortError
 */
export async function importItems(
  bank: MemoryStore & { readonly id: string },
  memory: MemorySource,
  text: TextFile,
  options: ImportOptions,
): Promise<ImportReport> {
  const { file, now, signal, verdicts = () => null, choice = {}, onChange = () => undefined } = options
  const { head, pieces, close } = await peek(text.pieces, HEAD)
  const format = await formatOf(head, file, options.format).catch(async (error: unknown) => {
    await close()
    throw error
  })
  const source = { file: basename(file), client: choice.client ?? null, now, verdicts, format: format.id }
  const importer = new Importer(bank, memory, source, choice, onChange, options)
  const context = { memoryId: bank.id, now: now.toISOString(), hash: sha256 }
  if (!format.read) await close()
  const input = { name: file, pieces, bytes: (beside?: string) => text.bytes(beside) }
  const own = { ...input, ...(text.sibling && { sibling: text.sibling }) }
  const match = readFormat(format, own, context, signal)
  await importer.takeAll(match, signal)
  const problem = format.read ? text.problem() : null
  if (problem !== null) importer.tally.note(problem)
  return { ...importer.report(), format: format.id, writtenFor: format.writtenFor, file }
}

/** Takes what was found elsewhere, such as in what a peer published, into a memory. */
export async function takeIn(
  bank: MemoryStore & { readonly id: string },
  memory: MemorySource,
  match: AsyncIterable<Found>,
  options: Omit<ImportOptions, 'format' | 'verdicts'>,
): Promise<Omit<ImportReport, 'format' | 'writtenFor' | 'file'>> {
  const { file, now, signal, choice = {}, onChange = () => undefined } = options
  const source = { file, client: choice.client ?? null, now, verdicts: () => null, format: 'published' }
  const importer = new Importer(bank, memory, source, choice, onChange, { seen: options.seen })
  await importer.takeAll(match, signal)
  return importer.report()
}

interface Waiting {
  readonly place: RowPlace
  readonly rows: number
  readonly events: readonly MemoryEvent[]
}

/** Sorts what a reader finds into new, known, conflicting and unusable, and commits what is new. */
class Importer {
  readonly tally = new ReadingTally()
  redactions: Redactions = {}
  readonly #waiting: Waiting[] = []
  readonly #kinds = new KindTallies()
  readonly #skip: ReadonlySet<string>
  readonly #earlier: EarlierAttempts
  readonly #chats: ChatIntake | undefined
  readonly #facts: FactReader | undefined
  readonly seen: SeenItems
  #waitingCount = 0
  /** What lines say of the trust in their items, by kind and id. */
  readonly #carried = new Map<string, CarriedTrust>()

  constructor(
    readonly bank: MemoryStore & { readonly id: string },
    readonly memory: MemorySource,
    readonly source: {
      readonly file: string
      readonly client: string | null
      readonly now: Date
      readonly verdicts: Verdicts
      readonly format: string
    },
    readonly choice: IntakeChoice,
    readonly onChange: OnChange,
    { seen = nothingSeen(), asks, tells }: Pick<ImportOptions, 'seen' | 'asks' | 'tells'>,
  ) {
    this.seen = seen
    this.#facts = tells && new FactReader({ bank, source: memory }, tells, seen, choice.project ?? null)
    const isSkipped = this.#isSkipped.bind(this)
    const tallies = { tally: this.tally, kinds: this.#kinds, isSkipped, onChange, seen }
    this.#chats = asks && new ChatIntake(asks, bank.id, { ...choice, now: source.now.toISOString() }, tallies)
    for (const { contentHash } of bank.experiences.entries()) seen.logs.add(contentHash)
    this.#skip = new Set(choice.skip)
    this.#earlier = new EarlierAttempts(bank)
  }

  async takeAll(
    match: AsyncIterable<Found> | Iterable<Found>,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    for await (const one of match) {
      signal?.throwIfAborted()
      await this.#take(one)
    }
    await this.#flush()
    this.#chats?.end()
    const evicted = this.choice.preview === true ? [] : evictedByDefault(this.bank, this.source.now)
    if (evicted.length === 0) return
    await this.#commit(evicted)
    this.tally.note(`${evicted.length} of the least useful experiences left for want of room.`)
  }

  report(): Omit<ImportReport, 'format' | 'writtenFor' | 'file'> {
    const redactions = addRedactions(this.redactions, this.#chats?.redactions ?? {})
    return { ...this.tally.report(), redactions, waiting: this.#waitingCount, ...this.#kinds.report() }
  }

  async #take(match: Found): Promise<void> {
    switch (match.kind) {
      case 'left':
        return this.tally.leftOut(match.place, match.why)
      case 'chat':
        return this.#chats ? this.#chats.take(match) : this.tally.leftOut(match.place, NOTHING.taken)
      case 'log':
        return this.#takeLog(match)
      case 'item':
        return this.#takeItem(match)
      case 'events':
        return this.#takeEvents(match)
    }
  }

  async #commit(events: readonly MemoryEvent[]): Promise<void> {
    const { importId, distrust = null } = this.choice
    const { file: name, format, now } = this.source
    const about = { name, format, importId: importId ?? '', distrust, at: now.toISOString() }
    const carried = ({ kind, id }: ItemRef): CarriedTrust | null => this.#carried.get(`${kind}/${id}`) ?? null
    await this.bank.commit(
      importId === undefined ? events : [...events, ...sourceNotes(events, about, carried)],
    )
    this.onChange(...refsOf(events))
  }

  /** Commits what waits. A commit that is refused is tried row by row, so that only the row at fault is left out. */
  async #flush(): Promise<void> {
    const rows = this.#waiting.splice(0)
    if (rows.length === 0) return
    try {
      if (this.choice.preview !== true) await this.#commit(rows.flatMap(({ events }) => events))
      for (const row of rows) this.#count(row)
    } catch (error) {
      if (!isRefusal(error)) throw error
      for (const row of rows) await this.#commitAlone(row)
    }
  }

  async #commitAlone(row: Waiting): Promise<void> {
    try {
      await this.#commit(row.events)
      this.#count(row)
    } catch (error) {
      if (!isRefusal(error)) throw error
      this.tally.leftOut(row.place, error.why)
    }
  }

  #count({ rows, events }: Waiting): void {
    this.tally.imported(rows)
    this.#waitingCount += waitersIn(events, this.choice.distrust)
  }

  async #wait(place: RowPlace, events: readonly MemoryEvent[], rows = 1): Promise<void> {
    this.#waiting.push({ place, rows, events })
    if (this.#waiting.length >= PER_COMMIT) await this.#flush()
  }

  /** Whether a person left a row out; then it is counted as such. */
  #isSkipped(place: RowPlace, row: Row): boolean {
    const { kind, id } = row
    if (this.choice.kinds?.includes(kind) !== false && !this.#skip.has(`${kind}/${id}`)) return false
    this.#kinds.count(row, 'skipped')
    for (let n = 0; n < (row.rows ?? 1); n++) this.tally.leftOut(place, SKIPPED)
    return true
  }

  #duplicate(row: Row): void {
    this.#kinds.count(row, 'duplicates')
    this.tally.duplicate(row.rows)
  }

  /** A log that does not say how its attempt ended, as a report beside it says. */
  #judged(log: AgentLog): AgentLog {
    const { outcome = 'unknown', sourceId = null } = log
    const resolved = outcome === 'unknown' && sourceId !== null ? this.source.verdicts(sourceId) : null
    return resolved === null ? log : { ...log, outcome: resolved ? 'success' : 'failure' }
  }

  async #takeLog({ place, log }: Extract<Found, { kind: 'log' }>): Promise<void> {
    for (const events of (await this.#facts?.read(log, this.source.now.toISOString())) ?? [])
      await this.#takeEvents({ kind: 'events', place, events })
    const rules = this.#earlier.rules(log.framework)
    const { experience, redactions } = experienceOfLog(this.#judged(log), this.source, sha256, rules)
    const { contentHash } = experience.meta
    const row = { kind: experiences.info.id, id: experience.id, said: experience }
    if (this.#isSkipped(place, row)) return
    const later = await this.#earlier.replacementFor(experience, log.outcome === undefined)
    if (later === 'taken-out') return this.#duplicate(row)
    if (later && !this.seen.logs.has(later.experience.meta.contentHash)) {
      this.redactions = addRedactions(this.redactions, redactions)
      return this.#replace(place, later)
    }
    if (this.seen.logs.has(contentHash)) return this.#duplicate(row)
    this.seen.logs.add(contentHash)
    this.#kinds.count(row, 'fresh')
    this.redactions = addRedactions(this.redactions, redactions)
    await this.#wait(place, [{ kind: 'experience-added', experience }])
  }

  /** An attempt that went on since it came in takes the place of what is there of it. */
  async #replace(place: RowPlace, later: Replacement): Promise<void> {
    const { experience } = later
    const kind = experiences.info.id
    this.seen.logs.add(experience.meta.contentHash)
    this.#kinds.count({ kind, id: experience.id, said: experience }, 'fresh')
    await this.#wait(place, replacing(this.memory, later, this.source.now.toISOString()))
    if (this.choice.preview !== true) this.onChange([], [{ kind, id: later.id }], 0)
  }

  /** A kind decides itself what its line means; what it would commit waits with the rest. */
  async #takeItem({ place, of, line: input }: Extract<Found, { kind: 'item' }>): Promise<void> {
    const { value: line, redactions } = redactAll(input)
    this.redactions = addRedactions(this.redactions, redactions)
    const text = printOf(line)
    try {
      const row = { kind: of, id: idOfLine(line), said: line }
      if (this.#isSkipped(place, row)) return
      const events: MemoryEvent[] = []
      const isNew = !this.seen.lines.has(text) && (await this.#asked(of, line, events))
      this.seen.lines.add(text)
      const [first] = events
      if (!isNew) return this.#duplicate(row)
      this.#carry(line, events)
      if (first && (await this.#standing(first)) !== undefined) return await this.#differs(place, row, line)
      this.#kinds.count(row, 'fresh')
      if (first) await this.#wait(place, [...events, ...inItsProject(line, events, this.source.now)])
      else await this.#takeFile(row, line)
    } catch (error) {
      if (!(error instanceof ZodError) && !isRefusal(error)) throw error
      this.tally.leftOut(place, error instanceof ZodError ? shapeProblem(error) : error.why)
    }
  }

  /** Keeps what a line says of the trust in what it would add. */
  #carry(line: unknown, events: readonly MemoryEvent[]): void {
    const carried = carriedIn(line)
    if (carried === null) return
    for (const event of events) {
      const ref = addedBy(event)
      if (ref) this.#carried.set(`${ref.kind}/${ref.id}`, carried)
    }
  }

  #change(line: unknown): Change {
    return {
      at: this.source.now.toISOString(),
      newId: printOf(line).slice(0, 24),
      onRedacted: (counts) => (this.redactions = addRedactions(this.redactions, counts)),
    }
  }

  /** What a kind would commit for a line, without committing it, and whether that is anything new. */
  async #asked(kind: string, line: unknown, events: MemoryEvent[]): Promise<boolean> {
    const { memory } = this
    const source: MemorySource = {
      ...memory,
      commit(givenEvents) {
        events.push(...givenEvents.map(parseMemoryEvent))
        return Promise.resolve()
      },
      softPrompts: { ...memory.softPrompts, add: () => Promise.resolve(), mark: () => Promise.resolve() },
    }
    return (await kindOf(kind)?.fromLine(source, line, this.#change(line))) === true
  }

  /** What no commit brings in: soft prompts are files. */
  async #takeFile({ kind, id }: Row, line: unknown): Promise<void> {
    if (this.choice.preview !== true) {
      await kindOf(kind)?.fromLine(this.memory, line, this.#change(line))
      this.onChange([{ kind, id }], [], 0)
    }
    this.tally.imported()
  }

  /** An item of this id that reads differently. `both` takes the other in under an id of its own; `take` also ends the memory's own. */
  async #differs(place: RowPlace, row: Row, line: unknown): Promise<void> {
    const other = underOwnId(line, sha256)
    const events: MemoryEvent[] = []
    // An earlier import may have brought it in so.
    if (!(await this.#asked(row.kind, other, events))) return this.#duplicate(row)
    const answer = this.choice.answers?.[`${row.kind}/${row.id}`] ?? this.choice.onConflict ?? 'keep'
    const own = await kindOf(row.kind)?.toLine(this.memory, row.id)
    this.#carry(line, events)
    this.#kinds.conflict(row, answer, own ? differingParts(own, withoutTrust(line)) : [])
    if (answer === 'keep') return this.tally.leftOut(place, DIFFERS)
    if (answer === 'take' && this.choice.preview !== true) {
      await kindOf(row.kind)?.remove(this.memory, row.id, this.#change(line))
      this.onChange([], [{ kind: row.kind, id: row.id }], 0)
    }
    await this.#wait(place, [...events, ...inItsProject(line, events, this.source.now)])
  }

  async #takeEvents(match: Extract<Found, { kind: 'events' }>): Promise<void> {
    const { place, rows = 1 } = match
    const { value: events, redactions } = redactAll(match.events)
    const [first] = events
    const like = cleanLike(match, events)
    if (!first) return this.tally.leftOut(place, NOTHING.said)
    const row = { ...rowOf(first), rows }
    if (this.#isSkipped(place, row)) return
    const there = await this.#standing(first)
    if (there !== undefined) {
      // What lies here already may hold what is taken out of files.
      if (like === undefined || there === printOf(like) || there === printOf(match.like))
        return this.#duplicate(row)
      // Attempts and rubrics are no items that could stand twice.
      this.#kinds.conflict(row, 'keep', [])
      return this.tally.leftOut(place, DIFFERS)
    }
    this.redactions = addRedactions(this.redactions, redactions)
    this.#kinds.count(row, 'fresh')
    const fresh: MemoryEvent[] = []
    for (const [i, event] of events.entries()) {
      // What an item brings along may be there without it.
      if (i > 0 && like === undefined && (await this.#standing(event)) !== undefined) continue
      fresh.push(event)
      const key = keyOf(event)
      if (key !== null) this.seen.added.set(key, printOf(like))
    }
    await this.#wait(place, fresh, rows)
  }

  /** The item that an event would add, as it reads now; undefined when it is not there. */
  async #standing(event: MemoryEvent): Promise<string | undefined> {
    const addition = this.seen.added.get(keyOf(event) ?? '')
    if (addition !== undefined) return addition
    const item = await heldOf(event, this.bank, this.memory)
    return item === null || item === undefined ? undefined : typeof item === 'string' ? item : printOf(item)
  }
}
