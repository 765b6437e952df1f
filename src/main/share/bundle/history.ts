import { createHash } from 'node:crypto'
import type { MemoryState } from '../../../core/memory/entries'
import { parseMemoryEvent, type MemoryEvent } from '../../../core/memory/events'
import { applyEvents, emptyMemoryState } from '../../../core/memory/memory-state'
import { newEvents } from '../../../core/memory/new-events'
import { LoamError } from '../../../shared/errors'
import { HISTORY, type CheckedBundle } from '../../bundle/manifest'
import type { StoredMemory } from '../../memory-store/memory'
import type { EventSpool } from './event-spool'
import { isRefusal } from '../../memories/intake-rows'
import { eachCommit } from './write-bundle'

/** A bundle's history, spooled: whether it goes on behind the memory's own commits, which of the spooled ones are its own, and what all come to. */
export interface History {
  readonly fits: boolean
  readonly first: number
  readonly count: number
  readonly state: MemoryState
}

/**
 * Spools the bundle's commits; null where it has none, or goes on behind another bundle that this memory does not hold. It `fits` when the memory is
 * empty, or stands where an earlier bundle left it. Every event is checked, and every commit tried on a state of its own.
 * @throws LoamError `BAD_INPUT` for a history that cannot be
 */
export async function historyOf(
  space: StoredMemory,
  bundle: CheckedBundle,
  isImport: (importId: string) => boolean,
  spool: EventSpool,
): Promise<History | null> {
  const { commits, since } = bundle.manifest
  if (commits === null) return null
  const state = emptyMemoryState()
  const apply = async (events: readonly MemoryEvent[]): Promise<void> => {
    applyEvents(state, events, spool.events())
    await spool.add(events)
  }
  const hash = createHash('sha256')
  let ownCount = 0
  await eachCommit(space, async (events) => {
    if (isNote(events, isImport)) return
    if (since) {
      hash.update(`${ownCount === 0 ? '' : '\n'}${JSON.stringify(events)}`)
      await apply(events)
    }
    ownCount++
  })
  if (since && !(ownCount === since.commits && hash.digest('hex') === since.sha256)) return null
  const first = spool.count()
  let count = 0
  for await (const { value } of bundle.values(HISTORY)) {
    const events = eventsIn(value, count)
    const fresh = await newEvents(events, state, spool.readOne).catch((error: unknown) => {
      throw isRefusal(error) ? unusable(count, error.why) : error
    })
    // What is dropped as known already is no part of a journal that Loam wrote.
    if (fresh.length !== events.length) throw unusable(count, 'it repeats what came before')
    await apply(events)
    count++
  }
  return { fits: since !== undefined || ownCount === 0, first, count, state }
}

function eventsIn(value: unknown, i: number): MemoryEvent[] {
  try {
    if (!Array.isArray(value)) throw new TypeError('no list of events')
    return value.map(parseMemoryEvent)
  } catch (error) {
    if (error instanceof LoamError && error.code === 'DATA_FORMAT_NEWER') throw error
    throw unusable(i, 'it cannot be read')
  }
}

/** Whether a commit only notes where an import of this memory is from. */
const isNote = (events: readonly MemoryEvent[], isImport: (importId: string) => boolean): boolean =>
  events.every(
    (event) =>
      (event.kind === 'item-sourced' && isImport(event.source.importId ?? '')) ||
      (event.kind === 'item-quarantined' && event.why === 'stranger'),
  ) && events.some(({ kind }) => kind === 'item-sourced')

const unusable = (i: number, why: string): LoamError =>
  new LoamError('BAD_INPUT', `Commit ${i + 1} of the bundle's history cannot be used: ${why}.`, {
    suggestion: 'Nothing was changed. Have the bundle written again.',
  })
