import type { Rng } from '../ground/random'

/** A Gaussian: what is believed of one number. */
interface Normal {
  mean: number
  precision: number
}

/** Weights and effects as they are kept in a checkpoint. */
export interface SavedModel {
  readonly base: readonly [number, number]
  readonly weights: readonly (readonly [string, number, number])[]
  readonly effects: readonly (readonly [string, number, number, number])[]
}

/** Features of an item for a task, by name; those that are 0 may be left out. */
export type Features = Readonly<Record<string, number>>

/** One item that an attempt was shown. */
export interface ShownItem {
  /** Its kind and id. */
  readonly key: string
  readonly features: Features
}

export interface ValueModel {
  /** The log-odds that an item's features and its own effect add to success. With `rng`, one draw of what they may be (Thompson). */
  value(item: ShownItem, draw?: { readonly rng: Rng; readonly scale: number }): number
  /** What each feature adds, and the item's own effect as `own`; those below 0.005 are left out. */
  parts(item: ShownItem): Record<string, number>
  /** The probability that an attempt succeeds that was shown these. */
  predict(items: readonly ShownItem[]): number
  /**
   * An attempt that was shown these ended so. One step of online Bayesian logistic regression; answers reward minus expectation.
   * @param weight how far that is sure, in [0, 1]. Default 1
   */
  learn(items: readonly ShownItem[], reward: 0 | 1, weight?: number): number
  /** The item's own effect: mean, standard deviation, and attempts it was learned from. */
  effect(key: string): { readonly mean: number; readonly deviation: number; readonly uses: number }
  /** Drift: what was learned of items counts less from here on. */
  widen(): void
  save(): SavedModel
}

/** How sure the first weights are: as sure as some dozens of attempts would make them. */
const WEIGHT_PRECISION = 60
const EFFECT_PRECISION = 4
/** What is left of the precision after each attempt: old evidence fades. */
const KEEP_WEIGHTS = 0.999
const KEEP_EFFECTS = 0.995
const AFTER_DRIFT = 0.5

/** Even with all that helps an attempt may fail, and with nothing it may succeed: an outcome that neither explains moves little. */
const MOST = 0.93
const LEAST = 0.05
/** The log-odds of success with nothing shown, at first. */
const UNAIDED = -0.7

const logistic = (x: number): number => 1 / (1 + Math.exp(-x))

const chance = (z: number): number => LEAST + (MOST - LEAST) * logistic(z)

/** A standard normal number (Box and Muller). */
function normal(rng: Rng): number {
  return Math.sqrt(-2 * Math.log(1 - rng.next())) * Math.cos(2 * Math.PI * rng.next())
}

/**
 * P(solved | what is shown) = LEAST + (MOST - LEAST) logistic(b + sum over items (w . features + own effect)): additive in the log-odds, so
 * that credit goes to each item as far as it made the difference. Gaussian beliefs with a diagonal Laplace approximation, one step per attempt. `prior` gives the first weights;
 * a feature it does not name begins at 0.
 */
export function createValueModel(prior: Features, saved?: SavedModel): ValueModel {
  const base: Normal = { mean: saved?.base[0] ?? UNAIDED, precision: saved?.base[1] ?? WEIGHT_PRECISION }
  const weights = new Map<string, Normal>(
    Object.entries(prior).map(([name, mean]) => [name, { mean, precision: WEIGHT_PRECISION }]),
  )
  for (const [name, mean, precision] of saved?.weights ?? []) weights.set(name, { mean, precision })
  const effects = new Map<string, Normal & { uses: number }>(
    saved?.effects.map(([key, mean, precision, uses]) => [key, { mean, precision, uses }]),
  )
  const weightOf = (name: string): Normal => weights.get(name) ?? { mean: 0, precision: WEIGHT_PRECISION }
  const effectOf = (key: string) => effects.get(key) ?? { mean: 0, precision: EFFECT_PRECISION, uses: 0 }
  const at = ({ mean, precision }: Normal, draw?: { readonly rng: Rng; readonly scale: number }): number =>
    draw === undefined || draw.scale === 0
      ? mean
      : mean + (draw.scale * normal(draw.rng)) / Math.sqrt(precision)
  const value: ValueModel['value'] = ({ key, features }, draw) =>
    Object.entries(features).reduce(
      (sum, [name, x]) => sum + at(weightOf(name), draw) * x,
      at(effectOf(key), draw),
    )
  const logit = (items: readonly ShownItem[]): number =>
    items.reduce((sum, item) => sum + value(item), base.mean)

  return {
    value,
    parts({ key, features }) {
      const all = Object.entries(features).map(([name, x]) => [name, weightOf(name).mean * x] as const)
      const own = [['own', effectOf(key).mean] as const]
      return Object.fromEntries([...all, ...own].filter(([, part]) => Math.abs(part) >= 0.005))
    },
    predict: (items) => chance(logit(items)),
    learn(items, reward, weight = 1) {
      const z = logit(items)
      const p = chance(z)
      const slope = (MOST - LEAST) * logistic(z) * (1 - logistic(z))
      // Gradient and Fisher information of the log-likelihood in z.
      const error = weight * (reward === 1 ? slope / p : -slope / (1 - p))
      const bend = weight * (slope ** 2 / (p * (1 - p)) + 0.01)
      const sums = new Map<string, number>()
      for (const { features } of items)
        for (const [name, x] of Object.entries(features)) sums.set(name, (sums.get(name) ?? 0) + x)
      const step = (belief: Normal, x: number, keep: number): void => {
        belief.precision = belief.precision * keep + bend * x * x
        belief.mean += (error * x) / belief.precision
      }
      step(base, 1, KEEP_WEIGHTS)
      for (const [name, x] of sums) {
        const weight = weightOf(name)
        weights.set(name, weight)
        step(weight, x, KEEP_WEIGHTS)
      }
      for (const { key } of items) {
        const effect = effectOf(key)
        effects.set(key, effect)
        step(effect, 1, KEEP_EFFECTS)
        effect.uses++
      }
      return weight * (reward - p)
    },
    effect(key) {
      const { mean, precision, uses } = effectOf(key)
      return { mean, deviation: 1 / Math.sqrt(precision), uses }
    },
    widen() {
      for (const each of effects.values()) each.precision = Math.max(1, each.precision * AFTER_DRIFT)
    },
    save: () => ({
      base: [base.mean, base.precision],
      weights: [...weights].map(([name, { mean, precision }]) => [name, mean, precision] as const),
      effects: [...effects].map(([key, { mean, precision, uses }]) => [key, mean, precision, uses] as const),
    }),
  }
}
