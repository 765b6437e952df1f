import { createHash } from 'node:crypto'
import { canonicalJson } from '../../core/ground/canonical-json'
import { addedBy } from '../../core/memory/added-by'
import type { MemoryEvent } from '../../core/memory/events'
import type { Found } from '../../core/memory/experiences/import/log'
import { redactAll } from '../../core/memory/experiences/import/redact'
import { ATTEMPTS, RUBRICS } from '../../core/memory/kind-words'
import { LoamError } from '../../shared/errors'

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** What events are like, without secrets: an attempt is like itself, and not looked through twice. */
export function cleanLike(match: Extract<Found, { kind: 'events' }>, clean: readonly MemoryEvent[]): unknown {
  const [before] = match.events
  const [event] = clean
  const isItself = before?.kind === 'trajectory-added' && before.trajectory === match.like
  return isItself && event?.kind === 'trajectory-added' ? event.trajectory : redactAll(match.like).value
}

/** A row as it is told of: its kind, its id, and what is read for a few words about it. */
export interface Row {
  readonly kind: string
  readonly id: string
  readonly said: unknown
  readonly rows?: number
}

/** A line as its kind wrote it. */
export const withoutTrust = (line: unknown): unknown => {
  const { trust: _told, project: _its, ...own } = line as Record<string, unknown>
  return own
}

/** What an item reads like, in few characters. */
export const printOf = (item: unknown): string => sha256(canonicalJson(item ?? null))

/** An event as the row that it stands for. */
export function rowOf(event: MemoryEvent): Row {
  const ref = addedBy(event)
  if (event.kind === 'trajectory-added')
    return { kind: ATTEMPTS, id: event.trajectory.id, said: event.trajectory.task }
  if (event.kind === 'rubrics-changed') return { kind: RUBRICS, id: event.environment, said: event }
  return { kind: ref?.kind ?? event.kind, id: ref?.id ?? '', said: event }
}

/** What an event adds, by kind and id; null where it is told in another way. */
export function keyOf(event: MemoryEvent): string | null {
  switch (event.kind) {
    case 'case-added':
      return `case ${event.case.id}`
    case 'trajectory-added':
      return `trajectory ${event.trajectory.id}`
    case 'memory-added':
      return `${event.memory.kind} ${event.memory.id}`
    default:
      return null
  }
}

/** Why a row stays out that a person left out. */
export const SKIPPED = 'it was not chosen'
/** Why a conversation stays out where nothing takes it in, and a row that says nothing. */
export const NOTHING = {
  taken: 'it is a conversation, and none is taken in here',
  said: 'it says nothing that a memory keeps',
}
/** Nothing here is overwritten by a file unless a person says so. */
export const DIFFERS = 'the memory holds one of this name already, and it reads differently'

/** Whether an error says that events cannot come in, and not that something broke. */
export const isRefusal = (error: unknown): error is LoamError =>
  error instanceof LoamError && ['CONFLICT', 'NOT_FOUND', 'BAD_INPUT'].includes(error.code)
