import type { RowPlace } from '../../shared/domain/reading'
import type { Found, ReadContext } from '../memory/experiences/import/log'
import type { Fact } from '../memory/facts/fact'
import { toldFact } from '../memory/facts/new-fact'
import { daySchema } from '../memory/items/last-day'

/** A sentence that another program's memory holds. */
export interface ForeignFact {
  readonly statement: string
  /** What it is about; null: as the statement says. */
  readonly about: string | null
  /** The program. */
  readonly by: string
  readonly createdAt?: unknown
  readonly link?: Fact['link']
  /** Its last day; what is none is left out. Default: it has no end. */
  readonly until?: unknown
}

/** Characters of a fact; longer texts are notes. */
export const LONGEST_FACT = 2000

/** A sentence of another program's memory as a fact; the same sentence is the same fact. */
export function foundFact(
  { createdAt, link = null, until, ...sentence }: ForeignFact,
  place: RowPlace,
  { now, hash }: ReadContext,
): Found {
  const time = typeof createdAt === 'string' ? new Date(createdAt) : new Date(NaN)
  const { statement, about } = sentence
  const memory = toldFact({
    ...sentence,
    ...{ until: daySchema.safeParse(until).data ?? null, notes: null },
    ...{ link, replaces: [], runId: 'imported', trajectoryId: 'imported', environment: 'general' },
    id: `imported-${hash(JSON.stringify([statement, about, link])).slice(0, 20)}`,
    at: Number.isNaN(time.getTime()) ? now : time.toISOString(),
  })
  return { kind: 'events', place, events: [{ kind: 'memory-added', memory }] }
}
