import { randomBytes } from 'node:crypto'
import { defaultsOf } from '../../core/ground/settings'
import type { Clock, Embedder } from '../../core/ground/ports'
import { sift } from '../../core/retrieval/floor'
import { CASE_KIND } from '../../core/memory/cases/kind'
import { EXPERIENCE_KIND } from '../../core/memory/experiences/fold'
import { addedBy } from '../../core/memory/added-by'
import { kindOf } from '../../core/memory'
import type { MemoryEvent } from '../../core/memory/events'
import { experiences } from '../../core/memory/experiences/kind'
import type { Redactions } from '../../core/memory/experiences/import/redact'
import { SETTINGS as AGENT_KB } from '../../core/methods/agent-kb/settings'
import type { ItemDetails, ItemRef } from '../../shared/domain/item'
import { LoamError } from '../../shared/errors'
import type { StoredMemory } from '../memory-store/memory'
import type { MemorySource } from '../../core/memory/items/kind'
import { itemOf } from '../items/item-view'
import { memorySourceOf } from '../items/memory-items'
import { attemptEvents, type AttemptAdds, type HandedIn } from './attempt-events'
import {
  searchForAgents,
  shownKinds,
  withinTokens,
  type AgentQuery,
  type FoundItem,
} from './recall-for-agents'
import { eventsOf, openProposalLedger, type Proposal } from './proposal-ledger'

/** What an agent is given before or within a task, and under which name it can report how that went. */
export interface Guidance {
  readonly useId: string
  readonly text: string
  readonly items: readonly FoundItem[]
}

/** What became of something that a program wrote. */
export interface ProposalReceipt {
  readonly proposalId: string
  readonly state: Proposal['state']
  readonly adds: readonly ItemRef[]
  readonly redactions: Redactions
}

export interface AgentMemoryOptions {
  /** Whether programs may write. Default false. */
  readonly write?: boolean
  /** Whether what they write waits for a person. Default false. */
  readonly hold?: boolean
}

/** One memory as agents of other programs use it. Writes carry the name of the program. */
export type AgentMemory = ReturnType<typeof createAgentMemory>

/** Items looked through before the token budget decides. */
const LOOKED_AT = 12

export function createAgentMemory(
  memory: StoredMemory,
  { embedder, clock }: { readonly embedder: () => Promise<Embedder>; readonly clock: Clock },
  { write = false, hold = false }: AgentMemoryOptions = {},
) {
  const source = memorySourceOf(memory)
  const mayWrite = (): void => {
    if (write) return
    throw new LoamError('UNAUTHORIZED', 'This memory is served for reading only.', {
      suggestion: 'Start the server with --write to let programs add to it.',
    })
  }
  const search = async (query: AgentQuery): Promise<FoundItem[]> =>
    searchForAgents(memory, source, await embedder(), query)
  /** Of what was found, what the text is about: an agent is told nothing rather than something else. */
  const about = async (
    text: string,
    items: readonly FoundItem[],
    signal?: AbortSignal,
  ): Promise<FoundItem[]> => {
    const kinds = [...new Set(items.map(({ kind }) => kind))].map((kind) => ({
      items: items.flatMap((item) => (item.kind === kind ? [{ text: item.title, item }] : [])),
      total: liveItems(memory, kind),
    }))
    const verdicts = await sift(await embedder(), text, kinds, 'usual', signal)
    const passing = new Set(verdicts.flatMap(({ item: { item }, passes }) => (passes ? [item] : [])))
    return items.filter((item) => passing.has(item))
  }
  const kindNamed = (id: string) => {
    const kind = kindOf(id)
    if (kind && shownKinds().includes(kind)) return kind
    throw new LoamError('NOT_FOUND', `There is no kind of memory called "${id}".`, {
      suggestion: `The kinds are ${shownKinds()
        .map(({ info }) => info.id)
        .join(', ')}.`,
    })
  }
  const { keep, ...decisions } = proposalsOf(memory, source, clock, hold, mayWrite)

  return {
    memory,
    mayWrite: write,
    search,
    /** Before the first step: what fits a task. */
    async plan(task: string, tokens: number, signal?: AbortSignal): Promise<Guidance> {
      const items = await about(task, await search({ text: task, limit: LOOKED_AT, signal }), signal)
      return guide('From earlier work that is like this task:', items, tokens)
    },
    /** After an error: what fits it, failures of others before anything else. */
    async feedback(
      { task, error, tokens }: { readonly task: string; readonly error: string; readonly tokens: number },
      signal?: AbortSignal,
    ): Promise<Guidance> {
      const options = { limit: LOOKED_AT, signal }
      const text = `${error}\n${task}`
      const items = await about(text, await search({ text, ...options }), signal)
      // What failed before says most about an error.
      const failures = items.filter(({ reward }) => reward === 0)
      const others = items.filter(({ reward }) => reward !== 0)
      return guide('From earlier work that met something like this:', [...failures, ...others], tokens)
    },
    item: async ({ kind, id }: ItemRef): Promise<ItemDetails> => itemOf(kindNamed(kind), source, id),
    /** Live items of a kind, newest first. */
    async list(
      kind: string,
      limit: number,
    ): Promise<readonly { readonly id: string; readonly title: string }[]> {
      const module = kindNamed(kind)
      const heads = (await module.heads(source)).filter(({ gone, mark }) => gone === null && mark !== 'muted')
      return Promise.all(
        heads
          .slice(-limit)
          .reverse()
          .map(async ({ id }) => ({ id, title: (await module.read(source, id))?.title ?? id })),
      )
    },
    /** @throws LoamError `UNAUTHORIZED` where nothing may be written, as do all below */
    async record(attempt: HandedIn, client: string): Promise<ProposalReceipt> {
      mayWrite()
      return keep(
        client,
        `attempt (${attempt.outcome}): ${attempt.task.slice(0, 200)}`,
        attemptEvents(attempt, client, clock.now()),
      )
    },
    /** Says whether items helped; `useId` keeps the same report from counting twice. */
    async report(
      {
        items,
        helped,
        useId,
      }: { readonly items: readonly ItemRef[]; readonly helped: boolean; readonly useId: string },
      client: string,
    ): Promise<ProposalReceipt> {
      mayWrite()
      const at = clock.now().toISOString()
      const { eta } = defaultsOf(AGENT_KB)
      const events: MemoryEvent[] = []
      for (const { kind, id } of items) {
        await itemOf(kindNamed(kind), source, id)
        const use = { useId: `${client}/${useId}`, at }
        events.push({ kind: 'item-reported', of: kind, itemId: id, client, helped, ...use })
        if (kind === experiences.info.id)
          events.push({
            kind: 'experience-used',
            experienceId: id,
            framework: client,
            reward: helped ? 1 : 0,
            eta,
            ...use,
          })
      }
      const what = `${items.length} ${items.length === 1 ? 'item' : 'items'} ${helped ? 'helped' : 'did not help'}`
      return keep(client, what, { events, adds: [], redactions: {} })
    },
    ...decisions,
  }
}

/** What is written into a memory, and what becomes of it. */
function proposalsOf(
  memory: StoredMemory,
  source: MemorySource,
  clock: Clock,
  hold: boolean,
  mayWrite: () => void,
) {
  const ledger = openProposalLedger(memory.path)
  /** What came before under the same id is not added again, but taken out of the trash. */
  const commit = async (events: readonly MemoryEvent[]): Promise<void> => {
    const at = clock.now().toISOString()
    const fresh: MemoryEvent[] = []
    for (const event of events) {
      const ref = addedBy(event)
      const kind = ref && kindOf(ref.kind)
      const head = ref && kind ? await kind.head(source, ref.id) : null
      if (!ref || !kind || !head) fresh.push(event)
      else if (head.gone !== null) await kind.restore(source, ref.id, { at, newId: ref.id })
    }
    if (fresh.length > 0) await memory.commit(fresh)
  }
  const keep = async (
    client: string,
    what: string,
    { events, adds, redactions }: AttemptAdds,
  ): Promise<ProposalReceipt> => {
    const at = clock.now().toISOString()
    const id = `write-${randomBytes(9).toString('hex')}`
    const state = hold ? 'held' : 'kept'
    // What is there already was not added by this write, so that undoing it must not take it away.
    const fresh: ItemRef[] = []
    for (const ref of adds) if ((await kindOf(ref.kind)?.head(source, ref.id))?.gone !== null) fresh.push(ref)
    if (!hold) await commit(events)
    await ledger.add({ id, at, client, what, state, adds: fresh, events: hold ? [...events] : [] })
    return { proposalId: id, state, adds: fresh, redactions }
  }
  const remove = async (refs: readonly ItemRef[]): Promise<void> => {
    const at = clock.now().toISOString()
    for (const { kind, id } of refs) {
      const head = await kindOf(kind)?.head(source, id)
      if (head?.gone === null)
        await kindOf(kind)?.remove(source, id, { at, newId: randomBytes(12).toString('hex') })
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
      if (isKept) await commit(eventsOf(match))
      return ledger.settle(proposalId, isKept ? 'kept' : 'refused')
    },
    /** Puts what a write added into the trash. A program may undo its own only (`client`; null for a person). */
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
      if (match.adds.length === 0)
        throw new LoamError('CONFLICT', 'It added no item, and a report that was counted stays counted.', {
          suggestion: 'Hold reports for review where they should be looked at first.',
        })
      await remove(match.adds)
      return ledger.settle(proposalId, 'undone')
    },
  }
}

/** How many items of a kind a memory holds: the more, the likelier one is near by accident. */
function liveItems({ memorySource }: StoredMemory, kind: string): number {
  const { cases, experiences: ofExperiences, items } = memorySource.state
  if (kind === CASE_KIND) return cases.size
  if (kind === EXPERIENCE_KIND) return ofExperiences.size
  return [...items.values()].filter((entry) => entry.kind === kind && entry.droppedAt === null).length
}

/** What is shown of what was found, within so many tokens. */
const guide = (head: string, foundItems: readonly FoundItem[], tokens: number): Guidance => {
  const items = withinTokens(foundItems, tokens)
  const text =
    items.length === 0
      ? 'The memory holds nothing that fits.'
      : `${head}\n\n${items.map((item, i) => `[${i + 1}] ${item.text}`).join('\n\n')}`
  return { useId: `use-${randomBytes(9).toString('hex')}`, text, items }
}
