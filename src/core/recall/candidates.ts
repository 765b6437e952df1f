import type { RecallInput } from '../ground/method'
import type { MemoryStore, Embedder } from '../ground/ports'
import type { ItemHead, MemoryKindModule, MemorySource, RecallPlace } from '../memory/items/kind'
import type { ItemOrigin } from '../memory/items/item-features'
import { recallsOf } from '../memory/items/recalls'
import { MEMORY_KINDS } from '../memory'
import { cosine } from '../retrieval/cosine'
import { vectorsOf } from '../retrieval/rank'
import { termsOf, TERM_WEIGHTS } from '../retrieval/terms'

/** Something that may be recalled, whatever its kind. */
export interface Candidate {
  readonly kind: string
  readonly id: string
  readonly title: string
  readonly text: string
  readonly trajectoryId: string | null
  readonly reward: 0 | 1 | null
  readonly environment: string
  readonly createdAt: string
  readonly origin: ItemOrigin
  readonly pinned: boolean
  readonly byPerson: boolean
  /** Of the task it is from where it is from one, else of its text. */
  readonly vector: Float32Array
  readonly terms: ReadonlyMap<string, number>
  /** What it says, sentence by sentence: words without endings, and how far that is believed. */
  readonly sayings: readonly Saying[]
  readonly judged: number
  readonly helped: number
  /** Of its kind: where it stands in a prompt. */
  readonly place: RecallPlace
  readonly tokens: number
  /** Cosine of the task and `vector`. */
  readonly meaning: number
}

/** What a candidate says in one sentence. */
export interface Saying {
  readonly words: ReadonlySet<string>
  readonly p: number
}

/** What of a candidate does not change from task to task. */
export type Still = Omit<Candidate, 'sayings' | 'judged' | 'helped' | 'meaning' | 'pinned' | 'vector'> & {
  readonly key: string
}

/** Candidates of a kind that are looked at closely: those most like the task, and those that say something of it. */
const MOST_PER_KIND = 24
/** What all that a task needs to be told counts beside likeness when candidates are looked for. */
const NEED_WORTH = 0.3

/** What an item of another environment loses there. */
const ELSEWHERE = 0.3

/** Soft prompts are chosen where they are served. */
export const NO_SOFT_PROMPTS: MemorySource['softPrompts'] = {
  list: () => Promise.resolve([]),
  mark: () => Promise.resolve(),
  label: () => Promise.resolve(),
  remove: () => Promise.resolve(),
  restore: () => Promise.resolve(),
  read: () => Promise.resolve(new Uint8Array()),
  add: () => Promise.resolve(),
}

/** By fold, then by kind and id; `version` is when it was last edited. */
const still = new WeakMap<object, Map<string, { readonly version: string; readonly still: Still }>>()

const termsIn = (text: string): ReadonlyMap<string, number> =>
  new Map(termsOf(text).map(({ term, kind }) => [term, TERM_WEIGHTS[kind]]))

/** What of an item does not change from task to task, read once; null when there is none of that id. */
export async function stillOf(
  kind: MemoryKindModule,
  source: MemorySource,
  id: string,
  version: string,
): Promise<Still | null> {
  const before = knownStill(kind, source, id, version)
  if (before) return before
  const features = await kind.features(source, id)
  const text = features && (await kind.read(source, id))
  if (!features || !text) return null
  const { environment, createdAt, origin, reward, tokens, key } = features
  const madeStill: Still = {
    kind: kind.info.id,
    id,
    title: text.title,
    text: text.text,
    trajectoryId: text.trajectoryIds[0] ?? null,
    ...{ reward, environment, createdAt, origin, tokens, key },
    byPerson: features.editedAt !== null || origin.from === 'person',
    terms: termsIn(`${key}\n${text.text}`),
    place: (await kind.place?.(source, id)) ?? 'advice',
  }
  const knownMap = still.get(source.state) ?? new Map<string, { version: string; still: Still }>()
  still.set(source.state, knownMap)
  knownMap.set(nameOf(kind, id), { version, still: madeStill })
  return madeStill
}

const nameOf = (kind: MemoryKindModule, id: string): string => `${kind.info.id} ${id}`

function knownStill(
  kind: MemoryKindModule,
  { state }: MemorySource,
  id: string,
  version: string,
): Still | null {
  const record = still.get(state)?.get(nameOf(kind, id))
  return record?.version === version ? record.still : null
}

/** Everything live that may help with a task: of each kind what is most like it or says what it needs; pinned items always. */
export async function gatherCandidates(
  { task }: RecallInput,
  /** What an item says, and what that is worth to the task. */
  read: (of: Still) => { readonly sayings: readonly Saying[]; readonly worth: number },
  target: Float32Array,
  bank: Pick<MemoryStore, 'memorySource' | 'recalls'>,
  embedder: Embedder,
  kinds: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<Candidate[]> {
  if (!bank.memorySource) return []
  const source: MemorySource = { ...bank.memorySource, softPrompts: NO_SOFT_PROMPTS }
  const candidates: Candidate[] = []
  for (const kind of MEMORY_KINDS as readonly MemoryKindModule[]) {
    const of = kind.info.id
    if (!kinds.has(of)) continue
    const heads = [...(await kind.heads(source))].filter(
      ({ id, gone, mark }) => gone === null && mark !== 'muted' && (bank.recalls?.({ kind: of, id }) ?? true),
    )
    const items: { readonly head: ItemHead; readonly one: Still }[] = []
    for (const head of heads) {
      const version = head.editedAt ?? ''
      const one =
        knownStill(kind, source, head.id, version) ?? (await stillOf(kind, source, head.id, version))
      if (one) items.push({ head, one })
    }
    const vectors = await vectorsOf(
      embedder,
      items.map(({ one }) => one.key),
      signal,
    )
    const ranked = items
      .map(({ head, one }, i) => {
        const vector = vectors[i] ?? new Float32Array()
        const meaning = cosine(target, vector) ?? 0
        const { sayings, worth } = read(one)
        const away = one.environment === task.environment ? 0 : ELSEWHERE
        return { head, one, vector, meaning, sayings, rank: meaning + NEED_WORTH * worth - away, at: i }
      })
      .sort(
        (a, b) =>
          Number(b.head.mark === 'pinned') - Number(a.head.mark === 'pinned') ||
          b.rank - a.rank ||
          b.at - a.at,
      )
      .slice(0, MOST_PER_KIND)
    for (const { head, one, vector, meaning, sayings } of ranked) {
      const { judged, helped, tokens } = recallsOf(
        source.state.recalls,
        of,
        kind.recallIds?.(source, one.id) ?? [one.id],
      )
      candidates.push({
        ...one,
        ...{ vector, meaning, sayings, judged, helped },
        tokens: tokens ?? one.tokens,
        pinned: head.mark === 'pinned',
      })
    }
  }
  return candidates
}
