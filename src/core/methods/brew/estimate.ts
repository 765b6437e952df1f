import type { BuildEstimate, BuildOutcome } from '../../../shared/domain/guide-build'
import type { SearchSettings } from '../../../shared/domain/guide-search'
import { mean } from '../../../shared/figures/mean'
import type { Trajectory } from '../../../shared/domain/trajectory'
import type { BuildUnit } from '../../memory/guides/unit'

/** Training tasks that tell of one concept, as reckoned before there are any. */
const TASKS_PER_CONCEPT = 3
/** Texts per rollout that is learned from: rubric scores and insights. */
const TEXTS_PER_ROLLOUT = 2

/** What an attempt and a written text took the model before, in milliseconds; null where it made none. */
export interface Pace {
  readonly attempt: number | null
  readonly text: number | null
  /** Share of attempts and texts asked for that had to be made; 1 before anything was built. */
  readonly made: number
}

/** The pace of a model in attempts and an earlier build (none yet: null); texts are reckoned like attempts where none was written. */
export function paceOf(
  attempts: readonly Pick<Trajectory, 'usage'>[],
  units: readonly BuildUnit[],
  outcome: Pick<BuildOutcome, 'evaluations' | 'cacheHits'> | null,
): Pace {
  const played = units.flatMap((unit) => (unit.kind === 'rollout' ? [unit.trajectory] : []))
  const texts = units.flatMap((unit) => {
    if (unit.kind === 'rollout') return []
    return [unit.usage.ms / (unit.kind === 'findings' ? TEXTS_PER_ROLLOUT : 1)]
  })
  const attempt = mean([...attempts, ...played].map(({ usage }) => usage.ms))
  const madeCount = outcome && outcome.evaluations > 0 ? 1 - outcome.cacheHits / outcome.evaluations : 1
  return { attempt: attempt ?? null, text: mean(texts) ?? attempt ?? null, made: madeCount }
}

/** Nodes a search can expand per tree: all there are above the depth for tree search, one per round for the others. */
function expansions({ strategy, width, depth, iterations }: SearchSettings): number {
  if (strategy !== 'mcts') return iterations
  let nodes = 0
  for (let level = 0, wide = 1; level < depth && nodes < iterations; level++, wide *= width) nodes += wide
  return Math.min(iterations, nodes)
}

/**
 * What a build takes, from algorithm 1: rollouts of the training tasks, scores of the roots, and in every round rollouts of each concept's
 * training tasks and scores of each variant. Attempts that come again are counted; the time leaves out as large a share of them as an earlier
 * build knew already.
 */
export function estimateBuild(settings: SearchSettings, pace: Pace): Omit<BuildEstimate, 'fresh'> {
  const { train, evaluation, strategy, width, queries, concepts: most, fresh } = settings
  const variants = strategy === 'iterative' ? 1 : width
  const scored = Math.min(queries, evaluation)
  const rounds = expansions(settings)
  const reckon = (concepts: number, trained: number) => {
    const learnedCount = train + rounds * trained
    const triedAnewCount = fresh ? rounds * trained : 0
    const attempts =
      learnedCount + triedAnewCount + concepts * scored * (1 + rounds * variants) + 3 * evaluation
    const writings = TEXTS_PER_ROLLOUT * learnedCount + concepts * (1 + rounds * variants)
    const { attempt, text, made } = pace
    const minutes =
      attempt === null || text === null ? null : (made * (attempts * attempt + writings * text)) / 60_000
    return { attempts, writings, minutes }
  }
  const mostConcepts = Math.min(most, train)
  const concepts = Math.max(1, Math.min(mostConcepts, Math.round(train / TASKS_PER_CONCEPT)))
  // Each attempt tells of one concept as a rule, and of every one at worst.
  const usual = reckon(concepts, train)
  const worst = reckon(mostConcepts, mostConcepts * train)
  return {
    train,
    evaluation,
    concepts,
    mostConcepts,
    ...usual,
    mostAttempts: worst.attempts,
    mostWritings: worst.writings,
    mostMinutes: worst.minutes,
  }
}
