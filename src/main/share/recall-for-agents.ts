import { isBareAnswer } from '../../core/memory/cases/case-answer'
import type { MemoryStore, Embedder } from '../../core/ground/ports'
import { quoted } from '../../core/ground/quote'
import { kindOf, MEMORY_KINDS } from '../../core/memory'
import { cases } from '../../core/memory/cases/kind'
import { experiences } from '../../core/memory/experiences/kind'
import type { Fact } from '../../core/memory/facts/fact'
import { facts } from '../../core/memory/facts/kind'
import type { MemoryKindModule, MemorySource } from '../../core/memory/items/kind'
import { trustOf } from '../../core/memory/items/trust'
import { passages } from '../../core/memory/passages/kind'
import { passageText } from '../../core/memory/passages/passage'
import { softPrompts } from '../../core/memory/soft-prompts/kind'
import { withPlacesForMeaning } from '../../core/retrieval/fuse'
import { guidanceText, type Experience } from '../../shared/domain/experience'
import { itemQuerySchema, type ItemRef } from '../../shared/domain/item'
import { isForeign, originWords } from '../../shared/domain/trust'
import { listItems } from '../items/list-items'

/** An item of a memory that fits what an agent is about. */
export interface FoundItem extends ItemRef {
  readonly title: string
  readonly text: string
  /** Reciprocal rank over the searches that found it; only good for comparing. */
  readonly score: number
  /** 1 where the attempt behind it solved its task, 0 where it did not, null where nobody knows. */
  readonly reward: number | null
}

/** What is searched, and for whom. */
export interface AgentQuery {
  readonly text: string
  /** Ids of kinds of memory. Default: all but soft prompts, which are no text. */
  readonly kinds?: readonly string[]
  readonly limit: number
  /** Of kinds that are found by words, only these items. Default: all. */
  readonly items?: readonly ItemRef[]
  readonly signal?: AbortSignal | undefined
  /** Whether an item may be shown. Default: all may. */
  readonly isSeen?: (ref: ItemRef) => boolean
}

/** Reciprocal rank fusion's constant (Cormack, Clarke, Buettcher 2009). */
const RRF_K = 60
/** Rows each search looks ahead per row that is wanted. */
const DEPTH = 3

/** Kinds that agents can be shown. */
export const shownKinds = (): MemoryKindModule[] => MEMORY_KINDS.filter((kind) => kind !== softPrompts)

/** Searches a memory as an agent outside asks: cases, experiences and passages by words and meaning, the other kinds by words. Best first. */
export async function searchForAgents(
  bank: MemoryStore,
  source: MemorySource,
  embedder: Embedder,
  { text, kinds, limit, items, signal, isSeen = () => true }: AgentQuery,
): Promise<FoundItem[]> {
  const modules = shownKinds().filter(({ info }) => kinds?.includes(info.id) ?? true)
  const options = { signal }
  const rankings: FoundItem[][] = []
  const ranked = (items: readonly Omit<FoundItem, 'score'>[]): void => {
    rankings.push(items.map((item, i) => ({ ...item, score: 1 / (RRF_K + i + 1) })))
  }
  if (modules.includes(cases)) {
    const depth = limit * DEPTH
    const [vector] = await embedder.embed([text], options)
    const hits = vector ? await bank.find(text, vector, depth) : []
    const foundCases = withPlacesForMeaning(hits, limit).slice(0, limit)
    ranked(
      foundCases.map(({ case: { id, state, plan, reward } }) => ({
        kind: cases.info.id,
        id,
        title: state,
        // Who reads a wrong answer may repeat it; what was done in a world that failed is worth knowing.
        text: `${reward === 1 ? 'Solved' : 'Failed'}: ${state}\n${reward !== 1 && isBareAnswer(plan) ? 'Its answer was wrong.' : plan}`,
        reward,
      })),
    )
  }
  if (modules.includes(experiences)) {
    const hits = await bank.experiences.search({ text, mode: 'hybrid', k: limit }, options)
    ranked(hits.map(({ experience }) => experienceItem(experience)))
  }
  if (modules.includes(passages)) {
    const hits = await bank.passages.search(text, limit, options)
    ranked(
      hits.map(({ passage }) => ({
        kind: passages.info.id,
        id: passage.id,
        title: `${passage.path}, line ${passage.from}`,
        text: passageText(passage),
        reward: null,
      })),
    )
  }
  for (const kind of modules) {
    if (kind === cases || kind === experiences || kind === passages) continue
    ranked((await wordHits(source, embedder, kind, { text, limit, items })).filter(isSeen).slice(0, limit))
  }
  const best = rankings
    .flat()
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
  return Promise.all(best.map((item) => withOrigin(item, source)))
}

/** What others wrote is said to be theirs, and data; a fact names who told it anyway. */
async function withOrigin(item: FoundItem, source: MemorySource): Promise<FoundItem> {
  const kind = item.kind === facts.info.id ? undefined : kindOf(item.kind)
  const trust = kind && (await trustOf(kind, source, item.id))
  return trust && isForeign(trust) ? { ...item, text: quoted(item.text, originWords(trust)) } : item
}

const experienceItem = (experience: Experience): Omit<FoundItem, 'score'> => ({
  kind: experiences.info.id,
  id: experience.id,
  title: experience.question,
  text: [
    `${OUTCOMES[experience.meta.outcome]}, by ${experience.meta.framework}: ${experience.question}`,
    experience.agentPlan && `Plan:\n${experience.agentPlan}`,
    guidanceText(experience.agentExperience) && `Advice:\n${guidanceText(experience.agentExperience)}`,
  ]
    .filter((part) => part !== '')
    .join('\n'),
  reward: { success: 1, failure: 0, unknown: null }[experience.meta.outcome],
})

const OUTCOMES = { success: 'Solved', failure: 'Failed', unknown: 'Attempted' } as const

async function wordHits(
  source: MemorySource,
  embedder: Embedder,
  kind: MemoryKindModule,
  { text, limit, items }: Pick<AgentQuery, 'text' | 'limit' | 'items'>,
): Promise<Omit<FoundItem, 'score'>[]> {
  const { rows } = await listItems(
    source,
    {
      ...itemQuerySchema.parse({
        ...{ memoryId: '', kinds: [kind.info.id], text },
        // What another project holds is left out of what was found.
        limit: limit * DEPTH,
        // Facts are short: their meaning says more than their words.
        ...(kind === facts && { mode: 'hybrid', k: limit * DEPTH }),
      }),
      items: items ? [...items] : null,
    },
    { now: new Date(), embedder },
  )
  const views = rows.filter(({ mark }) => mark !== 'muted')
  return Promise.all(
    views.map(async ({ id, title, reward }) => ({
      kind: kind.info.id,
      id,
      title,
      text:
        kind === facts ? await factText(source, id, title) : ((await kind.read(source, id))?.text ?? title),
      reward,
    })),
  )
}

/** A fact with who told it and when, so that a reader can weigh it. */
export const factItem = ({ id, statement, by, at, until }: ToldBy) => ({
  kind: facts.info.id,
  id,
  title: statement,
  text: `${statement} (${by ?? 'the person'}, ${at.slice(0, 10)}${until ? `, until ${until}` : ''})`,
})

interface ToldBy {
  readonly id: string
  readonly statement: string
  readonly by: string | null
  readonly at: string
  readonly until?: string | null | undefined
}

async function factText(source: MemorySource, id: string, title: string): Promise<string> {
  const fact = (await source.memory(id)) as Fact | null
  return fact ? factItem({ ...fact, at: fact.createdAt }).text : title
}

/** Characters of English text per token, for budgets where no model is loaded. */
const CHARACTERS_PER_TOKEN = 4

/** The best items that fit into a number of tokens, whole ones only. */
export function withinTokens(items: readonly FoundItem[], tokens: number): FoundItem[] {
  let remainingCount = tokens * CHARACTERS_PER_TOKEN
  return items.filter(({ text }) => {
    if (text.length > remainingCount) return false
    remainingCount -= text.length
    return true
  })
}
