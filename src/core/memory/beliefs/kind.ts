import type { ItemRetirement, ItemValues } from '../../../shared/domain/item'
import { quarantineOf, type Curated } from '../items/curated'
import { experiences } from '../experiences/kind'
import { featuresOf, originOfAttempt } from '../items/features'
import { text, textOf, truth } from '../items/field'
import type { ItemHead, LearnedPart, MemoryKindModule, MemorySource, ItemText } from '../items/kind'
import { learnedKind } from '../items/learned-kind'
import { trustOf } from '../items/trust'
import { BELIEF_KIND, beliefSchema, statementOf, type Belief } from './belief'

const KIND = BELIEF_KIND

const SIDES = { action: 'what the agent did', observation: 'what came back', said: 'what the agent said' }

/** With what a person says of it. */
export const editedBelief = (belief: Belief, values: ItemValues): Belief => ({
  ...belief,
  holds: values['holds'] === 0 ? 0 : values['holds'] === 1 ? 1 : belief.holds,
  note: textOf(values, 'note', belief.note),
})

/** What speaks for a belief and against it, and its quotations, each with where it stands. */
function factsOf(belief: Belief): ItemText['facts'] {
  const { about, tool, place, tasks, attempts, confirmed, contradicted, believed, cause, quotes } = belief
  const own =
    about === 'refusal'
      ? [
          { label: 'Tool', value: tool === '' ? 'unknown' : tool },
          { label: 'Met', value: `in ${attempts} attempts at ${tasks} tasks` },
          ...(cause.length === 0
            ? []
            : [{ label: 'Since its cause is known', value: `met ${confirmed} times, ran ${contradicted}` }]),
        ]
      : [
          ...(place === '' ? [] : [{ label: 'Place', value: place }]),
          { label: 'Attempts that went by it', value: `${confirmed} solved, ${contradicted} failed` },
        ]
  return [
    { label: 'State', value: stateOf(belief) },
    ...own,
    ...(about === 'line' || cause.length > 0 ? [{ label: 'Believed', value: believed.toFixed(2) }] : []),
    ...quotes.map((quote) => ({
      label: `Round ${quote.round + 1}, ${SIDES[quote.of]}`,
      value: quote.text,
    })),
  ]
}

const view = (belief: Belief): ItemText => ({
  title: statementOf(belief),
  text: statementOf(belief),
  values: { holds: belief.holds, note: belief.note },
  trajectoryIds: belief.trajectoryIds,
  facts: factsOf(belief),
})

/** Beliefs that came from elsewhere are kept as texts. */
const base = learnedKind<Belief>({
  info: {
    id: KIND,
    title: 'Belief',
    titleMany: 'Beliefs',
    help: 'What a tool refuses, or a line that proved right: quoted from attempts, no model wrote it.',
    fields: [truth('holds', 'Does it hold?'), text('note', 'Note', { optional: true })],
    facets: [
      { key: 'state', label: 'State' },
      { key: 'about', label: 'About' },
      { key: 'tool', label: 'Tool' },
    ],
  },
  schema: beliefSchema,
  view,
  edited: editedBelief,
  // Recall weighs beliefs by what was seen of them.
  shownAs: 'apart',
})

const curatedOf = ({ state }: MemorySource, id: string): Curated | undefined =>
  state.curated.get(KIND)?.get(id)

/** Why a belief is told to no agent; null where nothing speaks against that but a mark. */
export function retirementOf(belief: Belief, curated: Curated | undefined): ItemRetirement | null {
  if (curated?.deletedAt) return { why: 'deleted', at: curated.deletedAt, by: null }
  if (belief.holds === 0) return { why: 'wrong', at: curated?.editedAt ?? belief.createdAt, by: null }
  if (curated?.quarantined) return quarantineOf(curated)
  const isKept = curated !== undefined && (curated.restoredAt !== null || curated.mark === 'pinned')
  return belief.rests && !isKept ? { why: 'contradicted', at: belief.lastAt, by: null } : null
}

const stateOf = ({ rests, holds, reminder }: Belief): string =>
  rests || holds === 0 ? 'retired' : reminder ? 'reminder' : 'active'

function headOf(source: MemorySource, belief: Belief): ItemHead {
  const curated = curatedOf(source, belief.id)
  return {
    id: belief.id,
    environment: belief.environment,
    createdAt: belief.createdAt,
    reward: null,
    mark: curated?.mark ?? null,
    gone: retirementOf(belief, curated),
    editedAt: curated?.editedAt ?? null,
    labels: {
      state: [stateOf(belief)],
      about: [belief.about === 'refusal' ? 'what a tool refuses' : 'line that proved right'],
      tool: belief.tool === '' ? [] : [belief.tool],
    },
  }
}

/** A belief that attempts of this memory or logs in it teach, with what a person says of it; null where none do. */
async function drawnBelief(source: MemorySource, id: string): Promise<Belief | null> {
  const belief = (await source.beliefs()).get(id)?.belief
  return belief ? editedBelief(belief, curatedOf(source, id)?.values ?? {}) : null
}

/** One that came from elsewhere; null where there is none of that id. */
async function keptBelief(source: MemorySource, id: string): Promise<Belief | null> {
  if (source.state.items.get(id)?.kind !== KIND) return null
  return (await source.memory(id)) as Belief | null
}

const beliefOf = async (source: MemorySource, id: string): Promise<Belief | null> =>
  (await drawnBelief(source, id)) ?? (await keptBelief(source, id))

/** Beliefs that came from elsewhere and that nothing here teaches too, oldest first. */
export async function keptBeliefs(
  source: Pick<MemorySource, 'state' | 'memory'>,
  ownBeliefs: ReadonlyMap<string, unknown>,
): Promise<Belief[]> {
  const texts: Belief[] = []
  for (const { id, kind } of source.state.items.values())
    if (kind === KIND && !ownBeliefs.has(id)) texts.push((await source.memory(id)) as Belief)
  return texts
}

/**
 * What attempts taught. Beliefs that attempts and logs of the memory teach are drawn from them each time; what a person decides about one is an
 * event under its id. One from elsewhere is kept as it came, until something here teaches it too.
 */
export const beliefs: MemoryKindModule & { readonly learned: LearnedPart<Belief> } = {
  ...base,
  async heads(source) {
    const ownBeliefs = await source.beliefs()
    const all = [
      ...[...ownBeliefs.values()].map(({ belief }) =>
        editedBelief(belief, curatedOf(source, belief.id)?.values ?? {}),
      ),
      ...(await keptBeliefs(source, ownBeliefs)),
    ]
    return all
      .sort((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0))
      .map((one) => headOf(source, one))
  },
  drawnFrom: async (source, id) => (await source.beliefs()).get(id)?.from ?? [],
  async head(source, id) {
    const belief = await beliefOf(source, id)
    return belief && headOf(source, belief)
  },
  async read(source, id) {
    const belief = await beliefOf(source, id)
    return belief && view(belief)
  },
  async history(source, id) {
    const first = (await source.beliefs()).get(id)?.belief
    if (!first) return (await base.history?.(source, id)) ?? []
    const edits = [...(curatedOf(source, id)?.edits.values() ?? [])]
    let belief = first
    const versions = [{ belief, at: first.createdAt, note: 'As attempts taught it' }]
    for (const { at, values } of edits)
      versions.push({ belief: (belief = editedBelief(belief, values)), at, note: 'Edited' })
    return versions.map(({ belief: { holds, note: remark }, at, note }, i) => ({
      ref: { kind: KIND, id },
      ...{ at, note, title: statementOf(first), values: { holds, note: remark } },
      ...{ current: i === versions.length - 1, ranking: null },
    }))
  },
  features: (source, id) =>
    featuresOf(beliefs, source, id, {
      async origin() {
        const own = await drawnBelief(source, id)
        if (own) return { from: own.log === null ? 'attempt' : 'elsewhere', by: null }
        const { runId = '', trajectoryIds: [first] = [] } = (await keptBelief(source, id)) ?? {}
        return originOfAttempt(source, runId, first)
      },
    }),
  /** What it was told of a call before it made it. */
  alsoShown: ({ rounds, cycles = [] }) => [
    ...new Set([
      ...rounds.flatMap(({ heldBy = [] }) => heldBy),
      ...cycles.flatMap(({ subtasks }) =>
        subtasks.flatMap(({ calls }) => calls.flatMap(({ answer }) => answer?.heldBy ?? [])),
      ),
    ]),
  ],
  async teller(source, id) {
    const log = (await drawnBelief(source, id))?.log ?? null
    if (log === null) return null
    const trust = await trustOf(experiences, source, log)
    return trust
      ? { origin: trust.origin, by: trust.by, signer: trust.signer }
      : { origin: 'unknown', by: null }
  },
  async madeFrom(source, id) {
    const log = (await beliefOf(source, id))?.log ?? null
    return log === null ? [] : [log]
  },
  isDrawn: async (source, id) => (await source.beliefs()).has(id),
  /** What a person took for wrong holds again. */
  async restore(source, itemId, { at, newId: id }) {
    const belief = await beliefOf(source, itemId)
    await source.commit([
      { kind: 'item-restored', of: KIND, itemId, at },
      ...(belief?.holds === 0
        ? [{ kind: 'item-edited', id, of: KIND, itemId, values: { holds: 1 }, at } as const]
        : []),
    ])
  },
  async toLine(source, id) {
    const item = await drawnBelief(source, id)
    if (!item) return base.toLine(source, id)
    const { mark, gone } = headOf(source, item)
    return {
      ...{ kind: KIND, item },
      ...(mark && { mark }),
      ...(gone?.why === 'deleted' && { deletedAt: gone.at }),
    }
  },
  /** What is taught here already stays as it is taught here. */
  async fromLine(source, line, change) {
    const { item } = line as { readonly item?: { readonly id?: unknown } }
    const isTaught = typeof item?.id === 'string' && (await source.beliefs()).has(item.id)
    return isTaught ? false : base.fromLine(source, line, change)
  },
}
