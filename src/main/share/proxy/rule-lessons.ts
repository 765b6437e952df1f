import { randomBytes } from 'node:crypto'
import { addedBy, endedBy } from '../../../core/memory/added-by'
import type { MemoryEvent } from '../../../core/memory/events'
import { redactAll } from '../../../core/memory/experiences/import/redact'
import { reasonsOf } from '../../../shared/domain/verdict'
import type { StoredMemory } from '../../memory-store/memory'
import { openProposalLedger } from '../proposal-ledger'
import { LONGEST } from './attempt-record'
import type { OpenAttempt } from './open-attempts'
import type { SettledAttempt } from './request'

/** A lesson that nobody asked for. */
interface Lesson {
  readonly attempt: OpenAttempt
  readonly by: SettledAttempt['by']
  readonly outcome: SettledAttempt['outcome']
  /** What the person wrote next; null for nothing. */
  readonly next: string | null
  /** What was learned. */
  readonly events: readonly MemoryEvent[]
  /** ISO time. */
  readonly at: string
}

/**
 * Notes what rules, or a judging model, had a memory learn, with the request and the signs it was drawn from, beside what programs wrote: a person sees
 * it in one list, traces it and takes it back. Nothing is noted where nothing was learned.
 */
export async function noteLesson(
  memory: StoredMemory,
  { attempt, by, outcome, next, events, at }: Lesson,
): Promise<void> {
  const adds = events.flatMap((event) => addedBy(event) ?? [])
  const ends = events.flatMap((event) => endedBy(event) ?? [])
  if (adds.length + ends.length === 0) return
  const { ruled } = attempt
  const reasons = ruled === null ? '' : reasonsOf(ruled)
  const why = by === 'rule' && reasons !== '' ? `the rules, because ${reasons}` : 'a judging model'
  const { value } = redactAll({
    request: attempt.instruction.slice(0, LONGEST),
    next: next === null ? null : next.slice(0, LONGEST),
  })
  await openProposalLedger(memory.path).add({
    id: `write-${randomBytes(9).toString('hex')}`,
    at,
    // No program's own: a program cannot take it back.
    client: `memory proxy for ${attempt.client}`,
    what: `${outcome} by ${why}: ${value.request.slice(0, 200)}`,
    state: 'kept',
    adds,
    ends,
    drawnFrom: { attempt: attempt.id, ...value, evidence: [...(ruled?.evidence ?? [])] },
    events: [],
  })
}
