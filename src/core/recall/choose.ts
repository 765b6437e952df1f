import { BELIEF_KIND } from '../memory/beliefs/belief'
import type { Rng } from '../ground/random'
import { featuresBeside, isWorked, type Chosen, type Prepared } from './features'
import type { Features, ValueModel } from './value-model'

/** A candidate with what it adds to success. */
export interface Valued {
  readonly prepared: Prepared
  readonly features: Features
  /** Log-odds, as drawn, less the price of its tokens. */
  readonly value: number
}

export interface Choice {
  /** In the order in which they were chosen. */
  readonly chosen: readonly Valued[]
  /** The best of the others, as they last stood, best first. */
  readonly runnersUp: readonly Valued[]
}

export interface ChoiceOptions {
  /** Tokens that all of it may take. */
  readonly budget: number
  /** Log-odds that a token costs. */
  readonly price: number
  /** Most items. */
  readonly most: number
  /** Most of them that are past attempts. */
  readonly attempts: number
  /** Names of features that are left out. */
  readonly off: ReadonlySet<string>
  readonly explore: { readonly rng: Rng; readonly scale: number }
}

/** An item that adds less than this is not worth showing. */
const LEAST_VALUE = 0.05
/** Tokens that any item costs beside its own, when values are compared by what they cost. */
const OVERHEAD = 12
const RUNNERS_UP = 5
/** Beliefs that are shown with a task. */
const MOST_BELIEFS = 4

/**
 * Greedy choice under a budget: again and again the candidate with the most value per token beside what is chosen, until none is worth
 * its tokens. Pinned ones come first. Nothing is a valid choice.
 */
export function choose(prepared: readonly Prepared[], model: ValueModel, options: ChoiceOptions): Choice {
  const { budget, price, most, attempts, off, explore } = options
  const spoken = new Set<string>()
  const acted = new Set<string>()
  const items: Chosen['items'][number][] = []
  const choices: Valued[] = []
  let remainingCount = budget
  // One draw per candidate, so that exploring does not favour whoever is looked at more often.
  const luck = new Map(
    prepared.map((each) => {
      const item = { key: each.key, features: each.features }
      return [each, explore.scale === 0 ? 0 : model.value(item, explore) - model.value(item)] as const
    }),
  )
  const valued = (one: Prepared): Valued => {
    const features = featuresBeside(one, { said: spoken, acted, items }, off)
    const value =
      model.value({ key: one.key, features }) + (luck.get(one) ?? 0) - price * one.candidate.tokens
    return { prepared: one, features, value }
  }
  let shownCount = 0
  let believed = 0
  let open: Valued[] = prepared.map(valued)
  while (choices.length < most) {
    let best: Valued | null = null
    let bestWorth = 0
    for (const one of open) {
      const { candidate } = one.prepared
      if (candidate.place === 'attempt' && shownCount >= attempts) continue
      if (candidate.kind === BELIEF_KIND && believed >= MOST_BELIEFS) continue
      if (candidate.tokens > remainingCount || (one.value <= LEAST_VALUE && !candidate.pinned)) continue
      const worth = candidate.pinned ? Infinity : one.value / (candidate.tokens + OVERHEAD)
      if (best === null || worth > bestWorth) {
        best = one
        bestWorth = worth
      }
    }
    if (!best) break
    const { candidate, says } = best.prepared
    choices.push(best)
    remainingCount -= candidate.tokens
    if (candidate.place === 'attempt') shownCount++
    if (candidate.kind === BELIEF_KIND) believed++
    items.push(candidate)
    for (const { word } of says) {
      spoken.add(word)
      if (isWorked(candidate)) acted.add(word)
    }
    const news = new Set(says.map(({ word }) => word))
    // Only what speaks of the same has changed, and what is worth showing but for its likeness to what was chosen.
    const isChanged = (one: Valued): boolean =>
      one.prepared.says.length > 0
        ? one.prepared.says.some(({ word }) => news.has(word))
        : one.value > LEAST_VALUE
    open = open.filter((one) => one !== best).map((one) => (isChanged(one) ? valued(one.prepared) : one))
  }
  return { chosen: choices, runnersUp: open.sort((a, b) => b.value - a.value).slice(0, RUNNERS_UP) }
}
