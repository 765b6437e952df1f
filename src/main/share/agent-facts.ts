import { randomBytes } from 'node:crypto'
import type { Clock } from '../../core/ground/ports'
import type { MemoryEvent } from '../../core/memory/events'
import type { Redactions } from '../../core/memory/experiences/import/redact'
import { redactAll } from '../../core/memory/experiences/import/redact'
import { FACT_KIND, type Fact, type FactNotes } from '../../core/memory/facts/fact'
import { facts } from '../../core/memory/facts/kind'
import { endsBefore, keepFact, toldFact } from '../../core/memory/facts/new-fact'
import { sharedRun } from '../../core/memory/items/features'
import type { MemorySource } from '../../core/memory/items/kind'
import { endedAt } from '../../core/memory/items/last-day'
import { intoProject, isOutside, projectOf } from '../../core/memory/items/projects'
import { scopedBank } from '../../core/memory/items/scoped-bank'
import type { ItemVersion } from '../../shared/domain/item'
import { LoamError } from '../../shared/errors'
import { createSerial } from '../../shared/serial'
import type { StoredMemory } from '../memory-store/memory'
import type { Changes, ProposalReceipt } from './proposals'

/** Where facts that programs tell are filed. */
const ENVIRONMENT = 'general'

/** A fact as programs read it. */
export interface KnownFact {
  readonly id: string
  readonly statement: string
  readonly about: string
  /** The program that told it; null for a person. */
  readonly by: string | null
  /** The project it belongs to; null where all projects share it. */
  readonly project: string | null
  /** ISO time. */
  readonly at: string
  readonly pinned: boolean
  readonly link: Fact['link']
  /** Its last day; null where it has no end. */
  readonly until: string | null
  /** What the program that told it noted beside it; null: nothing. */
  readonly notes: FactNotes | null
}

/** A fact that holds, and those whose place it took, the first one last. */
export interface HeldFact {
  readonly fact: KnownFact
  readonly earlier: readonly KnownFact[]
}

/** What a program tells. */
export interface FactTelling {
  readonly statement: string
  /** What it is about: `me` for the person, else a name; null: as the statement says. */
  readonly about?: string | null
  /** The part of the memory it belongs to; left out: the server's own, or what all projects share. */
  readonly project?: string | null
  readonly link?: Fact['link']
  /** Facts whose place it takes whatever they say. Default none. */
  readonly replaces?: readonly string[]
  /** Its last day, `2026-12-31`. Default: it has no end. */
  readonly until?: string | null
  /** What the program notes beside it. Default: nothing. */
  readonly notes?: FactNotes | null
}

/** What else of a fact changes with its statement; what is left out stays. */
export type FactChange = Partial<Pick<FactTelling, 'until' | 'notes'>>

/** What became of a fact that a program told. */
export interface FactReceipt extends ProposalReceipt {
  /** The fact that says so from here on, where it is kept. */
  readonly factId: string
  /** Those whose place it takes, or would take. */
  readonly replaced: readonly KnownFact[]
  /** Whether it waits since a person said otherwise. */
  readonly againstPerson: boolean
}

/** Tells of one memory are kept one after the other: each looks at what is there before it. */
const turns = new WeakMap<StoredMemory, ReturnType<typeof createSerial>>()

/** The facts of a memory as programs read and write them. `project`: what a server is bound to; null: to none. */
export function createAgentFacts(
  memory: StoredMemory,
  source: MemorySource,
  clock: Clock,
  project: string | null,
  {
    mayWrite,
    keep,
  }: {
    readonly mayWrite: () => void
    readonly keep: (client: string, what: string, changes: Changes) => Promise<ProposalReceipt>
  },
) {
  const inTurn = turns.get(memory) ?? createSerial()
  turns.set(memory, inTurn)
  const { curated } = source.state
  const isSeen = (id: string): boolean => project === null || !isOutside(curated, FACT_KIND, id, project)
  const { knownOf, earlierOf } = viewsOf(source)
  const all = async (): Promise<Fact[]> => (await memory.items(FACT_KIND)).filter(({ id }) => isSeen(id))
  const liveFact = async (id: string): Promise<Fact> => {
    const fact = (await all()).find((one) => one.id === id)
    if (fact) return fact
    throw new LoamError('NOT_FOUND', `There is no fact ${id.slice(0, 80)} that holds.`, {
      suggestion: 'List or search facts to see their ids; a fact that was replaced has another id now.',
    })
  }
  const tell = (telling: FactTelling, client: string): Promise<FactReceipt> =>
    inTurn(async () => {
      const scope = scopeOf(telling.project, project)
      const at = clock.now().toISOString()
      const until = telling.until ?? null
      if (until !== null && endedAt(until, clock.now()) !== null) throw endsBefore(until)
      const { value, redactions } = redactAll({
        statement: telling.statement,
        about: telling.about ?? null,
        link: telling.link ?? null,
        notes: telling.notes ?? null,
      })
      const fact = toldFact({
        ...value,
        ...{ by: client, until, replaces: telling.replaces ?? [], environment: ENVIRONMENT, at },
        ...{ id: `fact-${randomBytes(9).toString('hex')}`, runId: sharedRun(client), trajectoryId: 'told' },
      })
      const { id, events, replaced } = keepFact(fact, await scopedBank(memory, scope).items(FACT_KIND))
      const scoped = scope === null ? [] : intoProject([{ kind: FACT_KIND, id }], scope, at)
      const isNew = events.length > 0
      const againstPerson = replaced.some(({ by }) => by === null)
      const receipt = await keep(client, `fact: ${fact.statement.slice(0, 200)}`, {
        events: isNew ? [...events, ...scoped] : [],
        adds: isNew ? [{ kind: FACT_KIND, id }] : [],
        redactions,
        waits: againstPerson,
      })
      return { ...receipt, factId: id, replaced: replaced.map(knownOf), againstPerson }
    })

  return {
    /**
     * Keeps a fact. One that says otherwise goes out of use and stays in its history; where a person said that one, this waits for a person.
     * @throws LoamError `UNAUTHORIZED` where nothing may be written, and for another project than the server's
     */
    async remember(telling: FactTelling, client: string): Promise<FactReceipt> {
      mayWrite()
      return tell(telling, client)
    },
    /** Puts another statement in the place of a fact. @throws LoamError `NOT_FOUND`, `UNAUTHORIZED` */
    async change(
      id: string,
      statement: string,
      client: string,
      others: FactChange = {},
    ): Promise<FactReceipt> {
      mayWrite()
      const { about, link, until, notes } = await liveFact(id)
      const scope = projectOf(curated, FACT_KIND, id)
      const telling = { statement, about, link, until, notes, ...others }
      return tell({ ...telling, project: scope, replaces: [id] }, client)
    },
    /** Puts facts out of use; what another program or a person told waits for a person. @throws LoamError `NOT_FOUND` */
    async forget(ids: readonly string[], client: string): Promise<ProposalReceipt> {
      mayWrite()
      const targets = await Promise.all(ids.map(liveFact))
      const at = clock.now().toISOString()
      const events: MemoryEvent[] = targets.map(({ id }) => ({
        kind: 'item-deleted',
        of: FACT_KIND,
        itemId: id,
        at,
      }))
      const [first] = targets
      const what =
        targets.length === 1
          ? `forget: ${first?.statement.slice(0, 200) ?? ''}`
          : `forget ${targets.length} facts`
      return keep(client, what, {
        events,
        adds: [],
        ends: targets.map(({ id }) => ({ kind: FACT_KIND, id })),
        redactions: {} as Redactions,
        waits: targets.some(({ by }) => by !== client),
      })
    },
    /** Facts that hold, newest first, pinned ones before all others; of one subject where it is named. */
    async facts(about: string | null = null): Promise<KnownFact[]> {
      const subject = about?.trim().toLowerCase() ?? ''
      return (await all())
        .map(knownOf)
        .filter((fact) => subject === '' || fact.about.toLowerCase() === subject)
        .reverse()
        .sort((a, b) => Number(b.pinned) - Number(a.pinned))
    },
    /** Facts that hold, newest first, each with those whose place it took. */
    async factsWithEarlier(): Promise<HeldFact[]> {
      const newest = (await all()).reverse()
      return Promise.all(
        newest.map(async (fact) => ({ fact: knownOf(fact), earlier: await earlierOf(fact) })),
      )
    },
    /** How a fact reads and read, oldest first, with those it took the place of. @throws LoamError `NOT_FOUND` */
    async factHistory(id: string): Promise<readonly ItemVersion[]> {
      const versions = isSeen(id) ? ((await facts.history?.(source, id)) ?? []) : []
      if (versions.length > 0) return versions
      throw new LoamError('NOT_FOUND', `There is no fact ${id.slice(0, 80)}.`, {
        suggestion: 'List or search facts to see their ids.',
      })
    },
  }
}

/** The project that a fact goes to, on a server that is bound to one, or to none (null). @throws LoamError `UNAUTHORIZED` for another one */
function scopeOf(wish: string | null | undefined, project: string | null): string | null {
  const name = wish?.trim() ?? ''
  if (name === '') return project
  if (project === null || name === project) return name
  throw new LoamError('UNAUTHORIZED', `This server is bound to the project "${project}".`, {
    suggestion: 'Leave the project out, or have a person start a server for the other one.',
  })
}

/** Facts of a memory as programs read them. */
function viewsOf(source: MemorySource) {
  const knownOf = (fact: Fact): KnownFact => ({
    id: fact.id,
    statement: fact.statement,
    about: fact.about,
    by: fact.by,
    project: projectOf(source.state.curated, FACT_KIND, fact.id),
    at: fact.createdAt,
    pinned: fact.pinned === true,
    link: fact.link,
    until: fact.until ?? null,
    notes: fact.notes ?? null,
  })
  return {
    knownOf,
    /** Those whose place a fact took, and those whose place they took: the first one last. */
    async earlierOf(fact: Fact): Promise<KnownFact[]> {
      const earlier: KnownFact[] = []
      const ids = [...fact.replaces]
      for (const id of ids) {
        const old = (await source.memory(id)) as Fact | null
        if (old === null) continue
        earlier.push(knownOf(old))
        ids.push(...old.replaces)
      }
      return earlier
    },
  }
}
