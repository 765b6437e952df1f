import type { Concept, GuideVersion, Evaluation, Insight, Reward } from '../../../shared/domain/guide'
import type { KbScore } from '../../../shared/domain/guide-build'
import type { SearchSettings } from '../../../shared/domain/guide-search'
import type { Task } from '../../../shared/domain/task'
import { mean } from '../../../shared/figures/mean'
import type { Embedder } from '../../ground/ports'
import { workOnAll } from './gate'
import { rankGuides, type KbDocument } from './retrieve'
import { isFarBehind } from './tree'
import type { BuildWork } from './work'

/** What a search works with. */
export interface SearchInput {
  readonly buildId: string
  readonly settings: SearchSettings
  readonly concepts: readonly Concept[]
  /** Documents that are there already, by concept: where its tree begins. */
  readonly documents: ReadonlyMap<string, GuideVersion>
  /** Documents of concepts that this search leaves alone: agents read them beside the others. */
  readonly beside: readonly KbDocument[]
  /** All tasks of the split, by id. */
  readonly tasks: ReadonlyMap<string, Task>
  /** Insights so far; those of expansions are added. */
  readonly insights: Map<string, Insight>
  readonly work: BuildWork
  readonly embedder: Embedder
  readonly now: () => Date
}

/** Those tasks that are known, in order. */
export const tasksOf = (ids: readonly string[], tasks: ReadonlyMap<string, Task>): Task[] =>
  ids.flatMap((id) => tasks.get(id) ?? [])

/** R = lambda R_corr + (1 - lambda) R_ret over the evaluated queries (BREW eq. 6 to 8); 0 without any. */
export function rewardOf(evaluations: readonly Evaluation[], lambda: number): Reward {
  const correctness = mean(evaluations.map(({ reward }) => reward)) ?? 0
  const retrieval = mean(evaluations.flatMap(({ reciprocalRank }) => reciprocalRank ?? [])) ?? 0
  return { correctness, retrieval, total: lambda * correctness + (1 - lambda) * retrieval }
}

/** A document's queries as they came out; `stopped` where it fell behind in a race and was played on no more of them. */
export interface Scored {
  readonly evaluations: readonly Evaluation[]
  readonly stopped?: true
}

/** Queries between two looks at a race. */
const LAP = 3

/**
 * Algorithm 5 without its mean: each held-out query played with the hybrid knowledge base, and the document's place in it. Against a rival,
 * where the settings say so, it is a race: a document that falls far behind is played no further.
 */
export async function evaluate(
  input: SearchInput,
  concept: Concept,
  hybrid: readonly KbDocument[],
  rival: readonly Evaluation[] | null,
  signal: AbortSignal,
): Promise<Scored> {
  const { race, lambda } = input.settings
  const queries = tasksOf(concept.evaluation, input.tasks)
  if (!race || rival === null) return { evaluations: await played(input, concept, hybrid, queries, signal) }
  const evaluations: Evaluation[] = []
  for (let at = 0; at < queries.length; at += LAP) {
    evaluations.push(...(await played(input, concept, hybrid, queries.slice(at, at + LAP), signal)))
    if (at + LAP < queries.length && isFarBehind(evaluations, rival, lambda))
      return { evaluations, stopped: true }
  }
  return { evaluations }
}

async function played(
  input: SearchInput,
  concept: Concept,
  hybrid: readonly KbDocument[],
  queries: readonly Task[],
  signal: AbortSignal,
): Promise<Evaluation[]> {
  const matches = await workOnAll(queries, signal, async (task, own) => {
    const trajectory = await input.work.rollout(task, hybrid, own)
    const ranked = await rankGuides(input.embedder, task.instruction, hybrid, own)
    const place = ranked.findIndex(({ document }) => document.conceptId === concept.id)
    const isAsked = input.settings.found === 'all' || (concept.nearest?.includes(task.id) ?? true)
    return {
      ungraded: trajectory.ungraded !== undefined,
      taskId: task.id,
      trajectoryId: trajectory.id,
      reward: trajectory.reward,
      ...(isAsked && { reciprocalRank: place < 0 ? 0 : 1 / (place + 1) }),
    }
  })
  return matches.flatMap(({ ungraded, ...evaluation }) => (ungraded ? [] : [evaluation]))
}

/** Correctness and MRR of a whole knowledge base over the held-out queries. */
export async function scoreKb(
  input: SearchInput,
  documents: readonly KbDocument[],
  holdings: readonly Task[],
  signal: AbortSignal,
): Promise<KbScore> {
  const rollouts = await workOnAll(holdings, signal, (task, own) => input.work.rollout(task, documents, own))
  const pairs = input.concepts.flatMap((concept) =>
    tasksOf(concept.nearest ?? concept.evaluation, input.tasks).map((task) => ({ concept, task })),
  )
  const ranks = await workOnAll(pairs, signal, async ({ concept, task }, own) => {
    const ranked = await rankGuides(input.embedder, task.instruction, documents, own)
    const place = ranked.findIndex(({ document }) => document.conceptId === concept.id)
    return place < 0 ? 0 : 1 / (place + 1)
  })
  const graded = rollouts.filter(({ ungraded }) => ungraded === undefined)
  return { correctness: mean(graded.map(({ reward }) => reward)) ?? 0, mrr: mean(ranks) ?? 0 }
}
