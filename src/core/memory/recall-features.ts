import type { MemoryRef } from '../../shared/domain/memory-item'
import type { Embedder } from '../ground/ports'
import { kindOf } from './index'
import type { ItemFeatures } from './items/item-features'
import type { MemorySource } from './items/kind'
import { cosine } from './retrieval/cosine'
import { vectorsOf } from './retrieval/rank'
import { termsOf, TERM_WEIGHTS } from './retrieval/terms'

/** What something is to be recalled for. */
export interface RecallTask {
  /** In words. */
  readonly text: string
  readonly environment: string
  /** When, as an ISO time: ages count up to here. */
  readonly at: string
}

/** What recall can know of an item for a task. All but `item`, `vector` and `terms` are numbers for a model to weigh, in the ranges given. */
export interface RecallFeatures {
  readonly item: ItemFeatures
  /** Share of the task's words that the item's key or text says, each word by its weight: in [0, 1]. */
  readonly words: number
  /** Cosine of task and key by the space's encoder, in [-1, 1]; 0 where one of them has no direction. */
  readonly meaning: number
  /** 1 where it is of the task's environment, else 0. */
  readonly sameEnvironment: 0 | 1
  /** +1: from a success, -1: from a failure, 0: from neither. */
  readonly outcome: -1 | 0 | 1
  /** ln(1 + attempts it was shown to): from 0. */
  readonly shown: number
  /** How often it helped, shrunk to how often the candidates helped: in (0, 1). */
  readonly helped: number
  /** Days since it was made, and since it was last shown (0 where it never was): from 0. */
  readonly ageDays: number
  readonly idleDays: number
  /** 1 where a newer candidate for the same task says that it ended the other way, else 0. */
  readonly contradicted: 0 | 1
  /** How often the candidates of its origin helped, shrunk alike: in (0, 1). */
  readonly trust: number
  /** 1 where a person wrote, edited or pinned it, else 0. */
  readonly byPerson: 0 | 1
  /** Tokens it takes: from 0. */
  readonly tokens: number
  /** For `redundancy`. */
  readonly vector: Float32Array
  readonly terms: ReadonlyMap<string, number>
}

/** Judged uses that the shrunken rates count as if they had been seen already. */
const PRIOR_USES = 4
/** Share of words from which two keys name the same task. */
const SAME_TASK = 0.9
const DAY_MS = 86_400_000

/**
 * The features of candidates for a task, in their order; those that are muted, gone or unknown are left out. Deterministic: it depends on
 * the space, the encoder, the task and the candidates alone. Contradictions are looked for among the candidates, which a search for
 * the task has found: what is about the same task is among them.
 */
export async function recallFeatures(
  source: MemorySource,
  embedder: Embedder,
  task: RecallTask,
  candidates: readonly MemoryRef[],
  signal?: AbortSignal,
): Promise<RecallFeatures[]> {
  const items: ItemFeatures[] = []
  for (const { kind, id } of candidates) {
    const found = await kindOf(kind)?.features(source, id)
    if (found?.live === true) items.push(found)
  }
  const [target = new Float32Array(), ...vectors] = await vectorsOf(
    embedder,
    [task.text, ...items.map(({ key }) => key)],
    signal,
  )
  const wanted = weighed(task.text)
  const keys = items.map(({ key }) => weighed(key))
  const base = rateOf(items, 0.5)
  const trusts = trustOf(items, base)
  return items.map((item, i) => {
    const terms = weighed(`${item.key}\n${item.text}`)
    const vector = vectors[i] ?? new Float32Array()
    return {
      item,
      words: covered(wanted, terms),
      meaning: cosine(target, vector) ?? 0,
      sameEnvironment: item.environment === task.environment ? 1 : 0,
      outcome: item.reward === null ? 0 : item.reward === 1 ? 1 : -1,
      shown: Math.log1p(item.recalled),
      helped: shrunk(item.helped, item.judged, base),
      ageDays: daysBetween(item.createdAt, task.at),
      idleDays: item.lastAt === null ? 0 : daysBetween(item.lastAt, task.at),
      contradicted: isContradicted(i, items, keys) ? 1 : 0,
      trust: trusts.get(originKey(item)) ?? base,
      byPerson: item.pinned || item.editedAt !== null || item.origin.from === 'person' ? 1 : 0,
      tokens: item.tokens,
      vector,
      terms,
    }
  })
}

/**
 * How much of a candidate is said already by what was chosen, in [0, 1]: the larger of the share of its words that one of them has and of their cosine.
 * 0 where nothing was chosen.
 */
export const redundancy = (
  { vector, terms }: Pick<RecallFeatures, 'vector' | 'terms'>,
  chosen: readonly Pick<RecallFeatures, 'vector' | 'terms'>[],
): number =>
  chosen.reduce((most, one) => Math.max(most, covered(terms, one.terms), cosine(vector, one.vector) ?? 0), 0)

/** The different terms of a text with the weight that word search gives them. */
const weighed = (text: string): ReadonlyMap<string, number> =>
  new Map(termsOf(text).map(({ term, kind }) => [term, TERM_WEIGHTS[kind]]))

/** The share of `wanted`, by weight, that `found` has; 0 where nothing is wanted. */
function covered(wanted: ReadonlyMap<string, number>, found: ReadonlyMap<string, number>): number {
  let all = 0
  let there = 0
  for (const [term, weight] of wanted) {
    all += weight
    if (found.has(term)) there += weight
  }
  return all === 0 ? 0 : there / all
}

const shrunk = (helped: number, judged: number, base: number): number =>
  (helped + PRIOR_USES * base) / (judged + PRIOR_USES)

const rateOf = (items: readonly ItemFeatures[], base: number): number =>
  shrunk(
    items.reduce((sum, { helped }) => sum + helped, 0),
    items.reduce((sum, { judged }) => sum + judged, 0),
    base,
  )

const originKey = ({ origin: { from, by } }: ItemFeatures): string => `${from} ${by ?? ''}`

function trustOf(items: readonly ItemFeatures[], base: number): ReadonlyMap<string, number> {
  const groups = new Map<string, ItemFeatures[]>()
  for (const item of items) groups.set(originKey(item), [...(groups.get(originKey(item)) ?? []), item])
  return new Map(Array.from(groups, ([key, group]) => [key, rateOf(group, base)]))
}

const daysBetween = (from: string, to: string): number => {
  const ms = Date.parse(to) - Date.parse(from)
  return Number.isFinite(ms) ? Math.max(0, ms / DAY_MS) : 0
}

function isContradicted(
  at: number,
  items: readonly ItemFeatures[],
  keys: readonly ReadonlyMap<string, number>[],
): boolean {
  const item = items[at]
  const key = keys[at]
  if (item === undefined || key === undefined || item.reward === null) return false
  return items.some(
    (other, i) =>
      other.reward === (item.reward === 1 ? 0 : 1) &&
      other.environment === item.environment &&
      other.createdAt > item.createdAt &&
      covered(key, keys[i] ?? new Map()) >= SAME_TASK &&
      covered(keys[i] ?? new Map(), key) >= SAME_TASK,
  )
}
