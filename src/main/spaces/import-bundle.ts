import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { z, ZodError } from 'zod'
import { readableFormats, readableFormat, recogniseFormat } from '../../core/formats'
import { canonicalJson } from '../../core/ground/canonical-json'
import type { CaseBank } from '../../core/ground/ports'
import { evictedByDefault } from '../../core/methods/agent-kb/admit'
import { kindOf } from '../../core/memory'
import { parseSpaceEvent, type SpaceEvent } from '../../core/memory/events'
import { experienceOfLog, type AgentLog, type Found } from '../../core/memory/experiences/import/log'
import { shapeProblem } from '../../core/memory/experiences/import/records'
import type { MemorySource } from '../../core/memory/items/kind'
import { intoProject, itemAdded } from '../../core/memory/items/projects'
import { addRedactions, redactAll, type Redactions } from '../../core/memory/experiences/import/redact'
import type { ImportReport } from '../../shared/domain/format'
import { ReadingTally, type RowPlace } from '../../shared/domain/reading'
import { LoamError } from '../../shared/errors'
import { peek } from '../../core/ground/peek'
import type { Verdicts } from './import-files'
import type { TextFile } from './read-text'

export interface ImportOptions {
  /** A format's id, or `auto`: as the file looks. */
  readonly format: string
  /** The file's name or path, for the report. */
  readonly file: string
  readonly now: Date
  readonly signal?: AbortSignal | undefined
  /** What reports beside the file say about its tasks. Default: nothing. */
  readonly verdicts?: Verdicts
}

/** Rows per commit: few, since reading one item reads its commit. */
const PER_COMMIT = 16
/** Characters that a format is recognised by. */
const HEAD = 65_536

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/**
 * Reads a file of any format into a memory, piece by piece. What is committed stays when it is cancelled; the next import of the
 * same file goes on behind it, since nothing is imported twice.
 * @throws LoamError `BAD_INPUT` for an unknown format, or an AbortError
 */
export async function importBundle(
  bank: CaseBank & { readonly id: string },
  memory: MemorySource,
  text: TextFile,
  options: ImportOptions,
): Promise<ImportReport> {
  const { file, now, signal, verdicts = () => null } = options
  const { head, pieces, close } = await peek(text.pieces, HEAD)
  const format =
    options.format === 'auto'
      ? recogniseFormat(head, file, readableFormats()).format
      : readableFormat(options.format)
  const importer = new Importer(bank, memory, { file: basename(file), client: null, now, verdicts })
  const context = { spaceId: bank.id, now: now.toISOString(), hash: sha256 }
  if (!format.read) await close()
  const found = format.read?.(pieces, context) ?? format.readBytes?.(await text.bytes(), context) ?? []
  for await (const one of found) {
    signal?.throwIfAborted()
    await importer.take(one)
  }
  await importer.flush()
  const evicted = evictedByDefault(bank, now)
  if (evicted.length > 0) {
    await bank.commit(evicted)
    importer.tally.note(`${evicted.length} of the least useful experiences left for want of room.`)
  }
  const problem = format.read ? text.problem() : null
  if (problem !== null) importer.tally.note(problem)
  const { id, writtenFor } = format
  const { tally, redactions } = importer
  return { ...tally.report(), format: id, writtenFor, file, redactions }
}

interface Waiting {
  readonly place: RowPlace
  readonly rows: number
  readonly events: readonly SpaceEvent[]
}

/** Sorts what a reader finds into new, known and unusable, and commits what is new. */
class Importer {
  readonly tally = new ReadingTally()
  redactions: Redactions = {}
  #waiting: Waiting[] = []
  /** Items of this file that were new, by kind and id, as they read. */
  readonly #added = new Map<string, string>()
  readonly #lines = new Set<string>()
  readonly #logs: Set<string>

  constructor(
    readonly bank: CaseBank,
    readonly memory: MemorySource,
    readonly source: {
      readonly file: string
      readonly client: null
      readonly now: Date
      readonly verdicts: Verdicts
    },
  ) {
    this.#logs = new Set(Array.from(bank.experiences.entries(), ({ contentHash }) => contentHash))
  }

  async take(found: Found): Promise<void> {
    switch (found.kind) {
      case 'left':
        this.tally.leftOut(found.place, found.why)
        return
      case 'log':
        return this.#takeLog(found)
      case 'item':
        return this.#takeItem(found)
      case 'events':
        return this.#takeEvents(found)
    }
  }

  /** Commits what waits. A commit that is refused is tried row by row, so that only the row at fault is left out. */
  async flush(): Promise<void> {
    const rows = this.#waiting
    this.#waiting = []
    if (rows.length === 0) return
    try {
      await this.bank.commit(rows.flatMap(({ events }) => events))
      for (const row of rows) this.tally.imported(row.rows)
    } catch (error) {
      if (!isRefusal(error)) throw error
      for (const row of rows) await this.#commitAlone(row)
    }
  }

  async #commitAlone({ place, rows, events }: Waiting): Promise<void> {
    try {
      await this.bank.commit(events)
      this.tally.imported(rows)
    } catch (error) {
      if (!isRefusal(error)) throw error
      this.tally.leftOut(place, error.why)
    }
  }

  async #wait(place: RowPlace, events: readonly SpaceEvent[], rows = 1): Promise<void> {
    this.#waiting.push({ place, rows, events })
    if (this.#waiting.length >= PER_COMMIT) await this.flush()
  }

  /** A log that does not say how its attempt ended, as a report beside it says. */
  #judged(log: AgentLog): AgentLog {
    const { outcome = 'unknown', sourceId = null } = log
    const resolved = outcome === 'unknown' && sourceId !== null ? this.source.verdicts(sourceId) : null
    return resolved === null ? log : { ...log, outcome: resolved ? 'success' : 'failure' }
  }

  async #takeLog({ place, log }: Extract<Found, { kind: 'log' }>): Promise<void> {
    const { experience, redactions } = experienceOfLog(this.#judged(log), this.source, sha256)
    const { contentHash } = experience.meta
    if (this.#logs.has(contentHash)) {
      this.tally.duplicate()
      return
    }
    this.#logs.add(contentHash)
    this.redactions = addRedactions(this.redactions, redactions)
    await this.#wait(place, [{ kind: 'experience-added', experience }])
  }

  /** A kind decides itself what its line means; what it would commit waits with the rest. */
  async #takeItem({ place, of, line: given }: Extract<Found, { kind: 'item' }>): Promise<void> {
    const { value: line, redactions } = redactAll(given)
    this.redactions = addRedactions(this.redactions, redactions)
    const events: SpaceEvent[] = []
    const source: MemorySource = {
      ...this.memory,
      commit(given) {
        events.push(...given.map(parseSpaceEvent))
        return Promise.resolve()
      },
    }
    const text = printOf(line)
    try {
      const isNew =
        !this.#lines.has(text) &&
        (await kindOf(of)?.fromLine(source, line, {
          at: this.source.now.toISOString(),
          newId: text.slice(0, 24),
          onRedacted: (counts) => (this.redactions = addRedactions(this.redactions, counts)),
        })) === true
      this.#lines.add(text)
      const [first] = events
      if (!isNew) this.tally.duplicate()
      else if (first && (await this.#standing(first)) !== undefined) this.tally.leftOut(place, DIFFERS)
      else await this.#wait(place, [...events, ...inItsProject(line, events, this.source.now)])
    } catch (error) {
      if (!(error instanceof ZodError) && !isRefusal(error)) throw error
      this.tally.leftOut(place, error instanceof ZodError ? shapeProblem(error) : error.why)
    }
  }

  async #takeEvents(found: Extract<Found, { kind: 'events' }>): Promise<void> {
    const { place, rows = 1 } = found
    const { value: events, redactions } = redactAll(found.events)
    const like = redactAll(found.like).value
    const [first] = events
    const there = first ? await this.#standing(first) : undefined
    if (there !== undefined) {
      // What lies here already may hold what is taken out of files.
      if (like === undefined || there === printOf(like) || there === printOf(found.like))
        this.tally.duplicate(rows)
      else this.tally.leftOut(place, DIFFERS)
      return
    }
    this.redactions = addRedactions(this.redactions, redactions)
    const fresh: SpaceEvent[] = []
    for (const [i, event] of events.entries()) {
      // What an item brings along may be there without it.
      if (i > 0 && like === undefined && (await this.#standing(event)) !== undefined) continue
      fresh.push(event)
      const key = keyOf(event)
      if (key !== null) this.#added.set(key, printOf(like))
    }
    await this.#wait(place, fresh, rows)
  }

  /** The item that an event would add, as it reads now; undefined when it is not there. */
  async #standing(event: SpaceEvent): Promise<string | undefined> {
    const added = this.#added.get(keyOf(event) ?? '')
    if (added !== undefined) return added
    const item = await this.#held(event)
    return item === null || item === undefined ? undefined : typeof item === 'string' ? item : printOf(item)
  }

  async #held(event: SpaceEvent): Promise<unknown> {
    const { bank } = this
    switch (event.kind) {
      case 'case-added':
        return bank.get(event.case.id)
      case 'trajectory-added':
        return bank.trajectory(event.trajectory.id)
      case 'memory-added':
        return this.memory.memory(event.memory.id)
      case 'experience-added':
        return this.memory.experience(event.experience.id)
      case 'document-written':
        return bank.concepts.versions.get(event.version.id)
      case 'rubrics-changed':
        return bank.concepts.rubrics.get(event.environment)
      default:
        return null
    }
  }
}

/** What puts the items of a line into the project that it names. */
function inItsProject(line: unknown, events: readonly SpaceEvent[], now: Date): SpaceEvent[] {
  const read = z.object({ project: z.string().trim().min(1).max(100) }).safeParse(line)
  if (!read.success) return []
  return intoProject(
    events.flatMap((event) => itemAdded(event) ?? []),
    read.data.project,
    now.toISOString(),
  )
}

/** Nothing here is overwritten by a file. */
const DIFFERS = 'the memory holds one of this name already, and it reads differently'

/** What an item reads like, in few characters. */
const printOf = (item: unknown): string => sha256(canonicalJson(item ?? null))

const isRefusal = (error: unknown): error is LoamError =>
  error instanceof LoamError && ['CONFLICT', 'NOT_FOUND', 'BAD_INPUT'].includes(error.code)

function keyOf(event: SpaceEvent): string | null {
  switch (event.kind) {
    case 'case-added':
      return `case ${event.case.id}`
    case 'trajectory-added':
      return `trajectory ${event.trajectory.id}`
    default:
      return null
  }
}
