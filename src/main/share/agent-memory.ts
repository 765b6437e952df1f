import { plural } from '../../shared/figures/plural'
import { randomBytes } from 'node:crypto'
import { defaultsOf } from '../../core/ground/settings'
import type { Clock, Embedder } from '../../core/ground/ports'
import { toldCauses } from '../../core/recall/before-call'
import { beliefsOf, drawnBeliefs } from '../../core/recall/belief-fold'
import type { ToldCause } from '../../core/recall/told-cause'
import { aboutPassages } from '../../core/retrieval/about-passages'
import { sift } from '../../core/retrieval/floor'
import { rankByCosine } from '../../core/retrieval/rank'
import { FACT_KIND } from '../../core/memory/facts/fact'
import { DOCUMENT_KIND } from '../../core/memory/guides/fold'
import { PASSAGE_KIND } from '../../core/memory/passages/passage'
import { kindOf } from '../../core/memory'
import type { MemoryEvent } from '../../core/memory/events'
import { experiences } from '../../core/memory/experiences/kind'
import { rulesOfLogs } from '../../core/memory/experiences/log-rules'
import { SETTINGS as AGENT_KB } from '../../core/methods/agent-kb/settings'
import type { MemorySource } from '../../core/memory/items/kind'
import { liveItems } from '../../core/memory/items/live-items'
import { intoProject, isOutside } from '../../core/memory/items/projects'
import { scopedBank } from '../../core/memory/items/scoped-bank'
import type { ItemDetails, ItemRef } from '../../shared/domain/item'
import { LoamError } from '../../shared/errors'
import type { StoredMemory } from '../memory-store/memory'
import { itemOf } from '../items/item-view'
import { memorySourceOf } from '../items/memory-items'
import { createAgentFacts, type KnownFact } from './agent-facts'
import { attemptEvents, type AttemptAdds, type HandedIn } from './attempt-events'
import {
  factItem,
  searchForAgents,
  shownKinds,
  withinTokens,
  type AgentQuery,
  type FoundItem,
} from './recall-for-agents'
import { proposalsOf, type ProposalReceipt } from './proposals'

/** What an agent is given before or within a task, and under which name it can report how that went. */
export interface Guidance {
  readonly useId: string
  readonly text: string
  readonly items: readonly FoundItem[]
}

export interface AgentMemoryOptions {
  /** Whether programs may write. Default false. */
  readonly write?: boolean
  /** Whether what they write waits for a person. Default false. */
  readonly hold?: boolean
  /** The part of the memory that is served, beside what all projects share. Default null: all of it. */
  readonly project?: string | null
}

/** One memory as agents of other programs use it. Writes carry the name of the program. */
export type AgentMemory = ReturnType<typeof createAgentMemory>

/** Items looked through before the token budget decides. */
const LOOKED_AT = 12

/** What a program hears that may not write. */
export const readOnly = (): LoamError =>
  new LoamError('UNAUTHORIZED', 'This memory is served for reading only.', {
    suggestion: 'A person can start it with "loam mcp memory --write", or give a key that may write.',
  })

/** What was found, by kind, for the floor. */
const kindsIn = (memory: StoredMemory, items: readonly FoundItem[]) =>
  [...new Set(items.map(({ kind }) => kind))].map((kind) => ({
    items: items.flatMap((item) => (item.kind === kind ? [{ text: item.title, item }] : [])),
    total: liveItems(memory.memorySource.state, kind),
    ...(kind === FACT_KIND && { isStated: true, isForTask: true }),
  }))

/** Kinds whose items are named by a file or by a word: what they say tells what they are about. */
const NAMED_SHORTLY = [PASSAGE_KIND, DOCUMENT_KIND]

/** Of what was found, the items of such kinds that a text is about by what they say. */
async function aboutByContent(
  memory: StoredMemory,
  text: string,
  items: readonly FoundItem[],
  embedder: Embedder,
  signal?: AbortSignal,
): Promise<FoundItem[]> {
  const passing = NAMED_SHORTLY.map(async (kind) => {
    const own = items.filter((item) => item.kind === kind)
    const texts = own.map((item) => item.text)
    const total = liveItems(memory.memorySource.state, kind)
    const abouts = await aboutPassages(text, texts, embedder, total, signal)
    return own.filter((_, i) => abouts[i] === true)
  })
  return (await Promise.all(passing)).flat()
}

export function createAgentMemory(
  memory: StoredMemory,
  { embedder, clock }: { readonly embedder: () => Promise<Embedder>; readonly clock: Clock },
  { write = false, hold = false, project = null }: AgentMemoryOptions = {},
) {
  const bank = project === null ? memory : scopedBank(memory, project)
  // What only another project's attempts teach is not there.
  const source: MemorySource = { ...memorySourceOf(memory), beliefs: () => drawnBeliefs(bank) }
  const isSeen = ({ kind, id }: ItemRef): boolean =>
    project === null || !isOutside(source.state.curated, kind, id, project)
  const mayWrite = (): void => {
    if (!write) throw readOnly()
  }
  const search = async (query: AgentQuery): Promise<FoundItem[]> =>
    searchForAgents(bank, source, await embedder(), { ...query, isSeen })
  /** Of what was found, what the text is about: an agent is told nothing rather than something else. */
  const about = async (
    text: string,
    items: readonly FoundItem[],
    signal?: AbortSignal,
  ): Promise<FoundItem[]> => {
    // A file's name is no evidence of what a passage says.
    const others = items.filter(({ kind }) => kind !== PASSAGE_KIND)
    const verdicts = await sift(await embedder(), text, kindsIn(memory, others), 'usual', signal)
    const passing = new Set(verdicts.flatMap(({ item: { item }, passes }) => (passes ? [item] : [])))
    const byContent = await aboutByContent(memory, text, items, await embedder(), signal)
    return items.filter((item) => byContent.includes(item) || passing.has(item))
  }
  const { keep, ...decisions } = proposalsOf(memory, source, clock, hold, mayWrite)
  const intoOwn = (changes: AttemptAdds): AttemptAdds => inProject(changes, project, clock.now())
  const factCalls = createAgentFacts(memory, source, clock, project, { mayWrite, keep })

  return {
    memory,
    mayWrite: write,
    /** What is nearest to a text of all kinds: first what the text is about, then the rest, best first each. */
    async search(query: AgentQuery): Promise<FoundItem[]> {
      const items = await search(query)
      const near = await about(query.text, items, query.signal)
      return [...near, ...items.filter((item) => !near.includes(item))]
    },
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
      const text = `${error}\n${task}`
      const items = await about(text, await search({ text, limit: LOOKED_AT, signal }), signal)
      const failures = items.filter(({ reward }) => reward === 0)
      const others = items.filter(({ reward }) => reward !== 0)
      return guide('From earlier work that met something like this:', [...failures, ...others], tokens)
    },
    /** Of some facts those nearest to a text, best first, and how alike in meaning each is to it, from 0 to 1. */
    rankFacts: async (text: string, among: readonly KnownFact[], limit: number, signal: AbortSignal) =>
      withLikeness(
        await embedder(),
        text,
        (await search({ text, kinds: [FACT_KIND], limit, items: factRefs(among), signal })).flatMap(
          ({ id }) => among.find((fact) => fact.id === id) ?? [],
        ),
        signal,
      ),
    /** At the beginning of a session: what is known, pinned and newest first, within a number of tokens. */
    async overview(tokens: number): Promise<Guidance> {
      const facts = (await factCalls.facts()).map((fact) => ({ ...factItem(fact), score: 0, reward: null }))
      return guide('What is known:', facts, tokens)
    },
    /** What is known to make calls of tools fail, as it is told before such a call. */
    causes: async (signal?: AbortSignal): Promise<ToldCause[]> => toldCauses(await beliefsOf(bank, signal)),
    /** @throws LoamError `NOT_FOUND` for an item that is not there, or of another project */
    async item(ref: ItemRef): Promise<ItemDetails> {
      const kind = kindNamed(ref.kind)
      if (isSeen(ref)) return itemOf(kind, source, ref.id)
      throw new LoamError('NOT_FOUND', `There is no ${ref.kind} ${ref.id} here.`, {
        suggestion: 'It belongs to a project that this server does not serve.',
      })
    },
    /** Live items of a kind, newest first. */
    async list(
      kind: string,
      limit: number,
    ): Promise<readonly { readonly id: string; readonly title: string }[]> {
      const module = kindNamed(kind)
      const heads = [...(await module.heads(source))].filter(
        ({ id, gone, mark }) => gone === null && mark !== 'muted' && isSeen({ kind, id }),
      )
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
        intoOwn(attemptEvents(attempt, client, clock.now(), rulesOfLogs(bank)(client))),
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
      for (const { kind, id } of items) await itemOf(kindNamed(kind), source, id)
      const events = reportEvents(items, {
        helped,
        useId: `${client}/${useId}`,
        client,
        at: clock.now().toISOString(),
      })
      const what = `${plural(items.length, 'item')} ${helped ? 'helped' : 'did not help'}`
      return keep(client, what, { events, adds: [], redactions: {} })
    },
    ...factCalls,
    ...decisions,
  }
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

const factRefs = (facts: readonly KnownFact[]): ItemRef[] => facts.map(({ id }) => ({ kind: FACT_KIND, id }))

async function withLikeness(
  embedder: Embedder,
  text: string,
  facts: readonly KnownFact[],
  signal: AbortSignal,
): Promise<{ readonly fact: KnownFact; readonly likeness: number }[]> {
  const ranked = await rankByCosine(embedder, text, facts, ({ statement }) => statement, signal)
  const scores = new Map(ranked.map(({ item, score }) => [item.id, Math.max(0, score)]))
  return facts.map((fact) => ({ fact, likeness: scores.get(fact.id) ?? 0 }))
}

/** What is written, as a part of a project; null: all projects share it. */
const inProject = (changes: AttemptAdds, project: string | null, now: Date): AttemptAdds =>
  project === null
    ? changes
    : {
        ...changes,
        events: [...changes.events, ...intoProject(changes.adds, project, now.toISOString())],
      }

/** What says that items helped or did not; an experience's utility moves with it. */
function reportEvents(
  items: readonly ItemRef[],
  {
    helped,
    client,
    ...use
  }: { readonly helped: boolean; readonly useId: string; readonly client: string; readonly at: string },
): MemoryEvent[] {
  const { eta } = defaultsOf(AGENT_KB)
  return items.flatMap(({ kind, id }): MemoryEvent[] => [
    { kind: 'item-reported', of: kind, itemId: id, client, helped, ...use },
    ...(kind === experiences.info.id
      ? [
          {
            ...{ kind: 'experience-used' as const, experienceId: id, framework: client },
            ...{ reward: helped ? (1 as const) : (0 as const), eta, ...use },
          },
        ]
      : []),
  ])
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
