import { agnes, type Cluster } from 'ml-hclust'
import type { Concept, ConceptEdit, Insight } from '../../../shared/domain/guide'
import type { SearchSettings } from '../../../shared/domain/guide-search'
import { LoamError } from '../../../shared/errors'
import { cosine } from '../../retrieval/cosine'
import { distanceOnScaleOf } from '../../retrieval/calibration'
import { rankByCosine, vectorsOf } from '../../retrieval/rank'
import type { Embedder } from '../../ground/ports'
import type { Task } from '../../../shared/domain/task'

/** A meta-concept before its queries are known. */
export type ConceptCore = Omit<Concept, 'train' | 'evaluation' | 'nearest'>

const sameName = (name: string): string => name.trim().toLowerCase().replace(/\s+/g, ' ')

/** Concepts a memory has already, so that a later search goes on with them. */
export type KnownConcept = Pick<Concept, 'id' | 'name' | 'members'>

/**
 * Algorithm 3, lines 1 to 3 and 7: names are embedded and clustered (agglomerative, average linkage, cosine distance, cut at
 * `mergeBelow`); the member nearest to the centre, each name counted as often as it was given, stands for the cluster.
 * A cluster with a concept that is known already is that concept. Order: by first insight. Where there are more than `most`, clusters go
 * on being merged by their names together with their insights, which is what they mean here, until there are `most`.
 */
export async function clusterConcepts(
  embedder: Embedder,
  insights: readonly Insight[],
  concepts: readonly KnownConcept[],
  options: {
    readonly environment: string
    readonly mergeBelow: number
    readonly most: number
    readonly idOf: (n: number) => string
  },
  signal?: AbortSignal,
): Promise<ConceptCore[]> {
  const names = new Map<string, { name: string; count: number }>()
  for (const { members, name } of concepts)
    for (const one of [name, ...members]) names.set(sameName(one), { name: one, count: 0 })
  for (const { concept } of insights) {
    const key = sameName(concept)
    const entry = names.get(key) ?? { name: concept, count: 0 }
    names.set(key, { ...entry, count: entry.count + 1 })
  }
  const keys = [...names.keys()]
  const vectors = await vectorsOf(embedder, keys, signal)
  const clusters = cutTree(vectors, distanceOnScaleOf(embedder, options.mergeBelow)).map((members) =>
    members.map((i) => keys[i] ?? ''),
  )
  const firstAt = (members: readonly string[]): number =>
    insights.findIndex(({ concept }) => members.includes(sameName(concept)))
  const insightsOf = (members: readonly string[]): Insight[] =>
    insights.filter(({ concept }) => members.includes(sameName(concept)))
  const groupedMatches = clusters.filter((members) => firstAt(members) >= 0)
  const meanings = groupedMatches.map((members) =>
    [...members, ...new Set(insightsOf(members).map(({ text }) => text))].join(' '),
  )
  const groups =
    groupedMatches.length <= options.most
      ? groupedMatches
      : joined(await vectorsOf(embedder, meanings, signal), options.most).map((group) =>
          group.flatMap((i) => groupedMatches[i] ?? []),
        )
  const groupedUses = groups.sort((a, b) => firstAt(a) - firstAt(b))
  const takenSet = new Set<string>()
  return groupedUses.map((members, n): ConceptCore => {
    const earlier = concepts.find(({ id, name }) => members.includes(sameName(name)) && !takenSet.has(id))
    if (earlier) takenSet.add(earlier.id)
    const centre = representative(
      members,
      (key) => vectors[keys.indexOf(key)],
      (key) => names.get(key)?.count ?? 0,
    )
    return {
      id: earlier?.id ?? options.idOf(n),
      name: earlier?.name ?? names.get(centre)?.name ?? centre,
      environment: options.environment,
      members: members.map((key) => names.get(key)?.name ?? key),
      insights: insightsOf(members).map(({ id }) => id),
    }
  })
}

const treeOf = (vectors: readonly Float32Array[]) =>
  agnes(
    vectors.map((a) => vectors.map((b) => Math.max(0, 1 - (cosine(a, b) ?? 0)))),
    { method: 'average', isDistanceMatrix: true },
  )

const rising = (cluster: Cluster): number[] => cluster.indices().sort((a, b) => a - b)

/** Clusters of indices, each in rising order. */
const cutTree = (vectors: readonly Float32Array[], threshold: number): number[][] =>
  vectors.length < 2 ? vectors.map((_, i) => [i]) : treeOf(vectors).cut(threshold).map(rising)

/** The same, as many as `most` at most. */
const joined = (vectors: readonly Float32Array[], most: number): number[][] =>
  treeOf(vectors).group(most).children.map(rising)

function representative(
  members: readonly string[],
  vectorOf: (key: string) => Float32Array | undefined,
  countOf: (key: string) => number,
): string {
  const centre = new Float32Array(vectorOf(members[0] ?? '')?.length ?? 0)
  for (const key of members)
    vectorOf(key)?.forEach((value, i) => (centre[i] = (centre[i] ?? 0) + value * Math.max(1, countOf(key))))
  const near = (key: string): number => cosine(vectorOf(key) ?? centre, centre) ?? -1
  return members.reduce((best, key) => (near(key) > near(best) ? key : best), members[0] ?? '')
}

const unknownConcept = (id: string): LoamError =>
  new LoamError('NOT_FOUND', `There is no concept ${id} in this build.`, {
    suggestion: 'Reload the concepts.',
  })

/** What a person's rename, merge or split makes of the concepts. @throws LoamError `NOT_FOUND`, `BAD_INPUT` */
export function editConcepts(
  concepts: readonly ConceptCore[],
  edit: ConceptEdit,
  insights: readonly Insight[],
): ConceptCore[] {
  const find = (id: string): ConceptCore => {
    const core = concepts.find((concept) => concept.id === id)
    if (core) return core
    throw unknownConcept(id)
  }
  switch (edit.kind) {
    case 'rename': {
      const target = find(edit.conceptId)
      return concepts.map((concept) => (concept === target ? { ...target, name: edit.name } : concept))
    }
    case 'merge': {
      const into = find(edit.into)
      const from = find(edit.from)
      if (into === from)
        throw new LoamError('BAD_INPUT', 'A concept cannot be merged with itself.', {
          suggestion: 'Choose two different concepts.',
        })
      const merged = {
        ...into,
        members: [...new Set([...into.members, ...from.members])],
        insights: [...into.insights, ...from.insights],
      }
      return concepts
        .filter((concept) => concept !== from)
        .map((concept) => (concept === into ? merged : concept))
    }
    case 'split': {
      const target = find(edit.conceptId)
      const out = new Set(edit.members.map(sameName))
      const members = target.members.filter((name) => out.has(sameName(name)))
      const leftRest = target.members.filter((name) => !out.has(sameName(name)))
      if (members.length !== out.size || leftRest.length === 0)
        throw new LoamError('BAD_INPUT', 'Choose some of the names of this concept, not all of them.', {
          suggestion: 'Reload the concepts and choose again.',
        })
      const conceptOf = new Map(insights.map(({ id, concept }) => [id, sameName(concept)]))
      const moves = (id: string): boolean => out.has(conceptOf.get(id) ?? '')
      const apart = {
        ...target,
        id: `${target.id}-${concepts.length}`,
        name: edit.name,
        members,
        insights: target.insights.filter(moves),
      }
      const rest = { ...target, members: leftRest, insights: target.insights.filter((id) => !moves(id)) }
      return concepts.flatMap((concept) => (concept === target ? [rest, apart] : [concept]))
    }
  }
}

/**
 * Algorithm 3, lines 5 and 6. Q_train: the queries that gave a concept its insights. Q_eval: of the held-out queries whose prompt would show
 * its document (it is among the `shown` nearest concepts by names and insights), the `queries` nearest to it; the nearest one alone where no
 * prompt would. Nothing that was learned from scores a document. That it is found is asked of those queries it is the nearest concept for:
 * elsewhere the place of another concept's document is before it.
 */
export async function assignQueries(
  embedder: Embedder,
  concepts: readonly ConceptCore[],
  insights: readonly Insight[],
  holdings: readonly Task[],
  { queries, shown }: Pick<SearchSettings, 'queries' | 'shown'>,
  signal?: AbortSignal,
): Promise<Concept[]> {
  const byId = new Map(insights.map((insight) => [insight.id, insight]))
  const insightsOf = (concept: ConceptCore): Insight[] => concept.insights.flatMap((id) => byId.get(id) ?? [])
  const textOf = (concept: ConceptCore): string =>
    [concept.name, ...concept.members, ...new Set(insightsOf(concept).map(({ text }) => text))].join(' ')
  const near = new Map<string, { taskId: string; score: number; place: number }[]>()
  for (const task of holdings) {
    const ranked = await rankByCosine(embedder, task.instruction, concepts, textOf, signal)
    ranked.forEach(({ item, score }, place) => {
      near.set(item.id, [...(near.get(item.id) ?? []), { taskId: task.id, score, place }])
    })
  }
  return concepts.map((concept) => {
    const best = (near.get(concept.id) ?? []).sort((a, b) => b.score - a.score)
    const visits = best.filter(({ place }) => place < shown).slice(0, queries)
    const own = visits.filter(({ place }) => place === 0)
    return {
      ...concept,
      train: [...new Set(insightsOf(concept).map(({ taskId }) => taskId))],
      evaluation: (visits.length > 0 ? visits : best.slice(0, 1)).map(({ taskId }) => taskId),
      ...(own.length > 0 && { nearest: own.map(({ taskId }) => taskId) }),
    }
  })
}

/** The concept a name maps to (algorithm 4, line 6): one that bears it, else the nearest. */
export async function conceptFor(
  embedder: Embedder,
  name: string,
  concepts: readonly Concept[],
  signal?: AbortSignal,
): Promise<Concept | undefined> {
  const bears = concepts.find((concept) =>
    [concept.name, ...concept.members].some((one) => sameName(one) === sameName(name)),
  )
  if (bears) return bears
  const [nearest] = await rankByCosine(
    embedder,
    sameName(name),
    concepts,
    (concept) => sameName(concept.name),
    signal,
  )
  return nearest?.item
}
