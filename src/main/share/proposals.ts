import { randomBytes } from 'node:crypto'
import type { Clock } from '../../core/ground/ports'
import { addedBy } from '../../core/memory/added-by'
import { kindOf } from '../../core/memory'
import type { MemoryEvent } from '../../core/memory/events'
import type { Redactions } from '../../core/memory/experiences/import/redact'
import { FACT_KIND, type Fact } from '../../core/memory/facts/fact'
import { facts } from '../../core/memory/facts/kind'
import { keepFact } from '../../core/memory/facts/new-fact'
import type { MemorySource } from '../../core/memory/items/kind'
import { isWaiting } from '../../core/memory/items/trust'
import { scopedBank } from '../../core/memory/items/scoped-bank'
import { isInQuarantine, type ItemRef } from '../../shared/domain/item'
import { LoamError } from '../../shared/errors'
import type { StoredMemory } from '../memory-store/memory'
import type { AttemptAdds } from './attempt-events'
import { eventsOf, openProposalLedger, type Proposal } from './proposal-ledger'

/** What became of something that a program wrote. */
export interface ProposalReceipt {
  readonly proposalId: string
  readonly state: Proposal['state']
  readonly adds: readonly ItemRef[]
  readonly redactions: Redactions
  /** It is in quarantine, since that it succeeded is the program's claim. Default: it is not. */
  readonly waits?: true
}

/** What a program writes. */
export interface Changes extends AttemptAdds {
  /** Items it puts out of use. Default none. */
  readonly ends?: readonly ItemRef[]
  /** Whether it waits for a person although the server holds nothing. Default false. */
  readonly waits?: boolean
}

/** What was held, as it has to be committed now: a fact takes the place of what says otherwise today. */
async function asNow(events: readonly MemoryEvent[], memory: StoredMemory): Promise<MemoryEvent[]> {
  const news = events.flatMap((event) =>
    event.kind === 'memory-added' && event.memory.kind === facts.info.id ? [event.memory as Fact] : [],
  )
  if (news.length === 0) return [...events]
  const others = events.filter(({ kind }) => kind !== 'memory-added' && kind !== 'item-quarantined')
  const projects = new Map(
    events.flatMap((event) => (event.kind === 'item-scoped' ? [[event.itemId, event.project] as const] : [])),
  )
  const changes = await Promise.all(
    news.map(async (fact) =>
      keepFact(fact, await scopedBank(memory, projects.get(fact.id) ?? null).items(FACT_KIND)),
    ),
  )
  return [...changes.flatMap((one) => one.events), ...others]
}

/** Whether an event only notes whose word an item is, and that it waits. */
const isNote = (
  event: MemoryEvent,
): event is Extract<MemoryEvent, { kind: 'item-sourced' | 'item-quarantined' }> =>
  event.kind === 'item-sourced' || (event.kind === 'item-quarantined' && event.why === 'claimed')

/** What is written into a memory, and what becomes of it. */
export function proposalsOf(
  memory: StoredMemory,
  source: MemorySource,
  clock: Clock,
  hold: boolean,
  mayWrite: () => void,
) {
  const ledger = openProposalLedger(memory.path)
  /**
   * What came before under the same id is not added again, but taken out of the trash. What is in quarantine stays there, and what a person took out of
   * it does not go back: a program decides on neither by saying the same again.
   */
  const commit = async (events: readonly MemoryEvent[]): Promise<void> => {
    const at = clock.now().toISOString()
    const fresh: MemoryEvent[] = []
    const standing = new Set<string>()
    for (const event of events) {
      const ref = addedBy(event)
      const kind = ref && kindOf(ref.kind)
      const head = ref && kind ? await kind.head(source, ref.id) : null
      if (!ref || !kind || !head) fresh.push(event)
      else if (head.gone !== null && !isInQuarantine(head.gone))
        await kind.restore(source, ref.id, { at, newId: ref.id })
      else standing.add(`${ref.kind}/${ref.id}`)
    }
    const news = fresh.filter((event) => !(isNote(event) && standing.has(`${event.of}/${event.itemId}`)))
    if (news.length > 0) await memory.commit(news)
  }
  /** Takes out of quarantine what a person has just kept. */
  const release = async (refs: readonly ItemRef[]): Promise<void> => {
    const at = clock.now().toISOString()
    for (const { kind, id } of refs)
      if (isWaiting((await kindOf(kind)?.head(source, id))?.gone ?? null))
        await kindOf(kind)?.restore(source, id, { at, newId: id })
  }
  const keep = async (
    client: string,
    what: string,
    { events, adds, ends = [], redactions, waits = false }: Changes,
  ): Promise<ProposalReceipt> => {
    const at = clock.now().toISOString()
    const id = `write-${randomBytes(9).toString('hex')}`
    const isHeld = hold || waits
    const state = isHeld ? 'held' : 'kept'
    // What is there already was not added by this write, so that undoing it must not take it away.
    const fresh: ItemRef[] = []
    for (const ref of adds) {
      const retirement = (await kindOf(ref.kind)?.head(source, ref.id))?.gone
      if (retirement !== null && !(retirement && isInQuarantine(retirement))) fresh.push(ref)
    }
    if (!isHeld) await commit(events)
    // What is known already changes nothing that a person could look at or undo.
    if (events.length > 0)
      await ledger.add({
        ...{ id, at, client, what, state, adds: fresh, ends: [...ends] },
        events: isHeld ? [...events] : [],
      })
    const claims =
      !isHeld && events.some((event) => event.kind === 'item-quarantined' && event.why === 'claimed')
    return { proposalId: id, state, adds: fresh, redactions, ...(claims && { waits: true as const }) }
  }
  const remove = async (refs: readonly ItemRef[]): Promise<void> => {
    const at = clock.now().toISOString()
    for (const { kind, id } of refs) {
      const head = await kindOf(kind)?.head(source, id)
      if (head?.gone === null || (head && isInQuarantine(head.gone)))
        await kindOf(kind)?.remove(source, id, { at, newId: randomBytes(12).toString('hex') })
    }
  }
  const putBack = async (refs: readonly ItemRef[]): Promise<void> => {
    const at = clock.now().toISOString()
    for (const { kind, id } of refs) {
      const head = await kindOf(kind)?.head(source, id)
      if (head && head.gone !== null)
        await kindOf(kind)?.restore(source, id, { at, newId: randomBytes(12).toString('hex') })
    }
  }
  return {
    keep,
    /** What was written, newest first. */
    writes: async (): Promise<readonly Proposal[]> => (await ledger.list()).toReversed(),
    /** A person's word on one that waits. @throws LoamError `CONFLICT` when it does not wait */
    async decide(proposalId: string, isKept: boolean): Promise<Proposal> {
      const match = await ledger.get(proposalId)
      if (match.state !== 'held')
        throw new LoamError('CONFLICT', `That write is ${match.state} already.`, {
          suggestion: 'List the writes to see which of them wait.',
        })
      if (isKept) {
        await commit(await asNow(eventsOf(match), memory))
        await release(match.adds)
      }
      return ledger.settle(proposalId, isKept ? 'kept' : 'refused')
    },
    /** Puts what a write added into the trash, and back what it put out of use. A program may undo its own only (`client`; null for a person). */
    async undo(proposalId: string, client: string | null): Promise<Proposal> {
      if (client !== null) mayWrite()
      const match = await ledger.get(proposalId)
      if (client !== null && match.client !== client)
        throw new LoamError('UNAUTHORIZED', 'That was written by another program.', {
          suggestion: 'A person can undo it.',
        })
      if (match.state === 'held') return ledger.settle(proposalId, 'refused')
      if (match.state !== 'kept')
        throw new LoamError('CONFLICT', `That write is ${match.state} already.`, {
          suggestion: 'There is nothing left to undo.',
        })
      if (match.adds.length + match.ends.length === 0)
        throw new LoamError('CONFLICT', 'It added no item, and a report that was counted stays counted.', {
          suggestion: 'Hold reports for review where they should be looked at first.',
        })
      await remove(match.adds)
      await putBack(match.ends)
      return ledger.settle(proposalId, 'undone')
    },
  }
}
