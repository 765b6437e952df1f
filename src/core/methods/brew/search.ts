import type { Concept, GuideText, GuideVersion, Insight, TreeNode } from '../../../shared/domain/guide'
import type { SearchSettings } from '../../../shared/domain/guide-search'
import { attribute, enforce, NO_CONSTRAINTS, wholeText } from '../../memory/guides/guide'
import { unsaidInsights, unsourcedWords } from '../../memory/guides/zero-loss'
import { conceptFor } from './concepts'
import { workOnAll } from './gate'
import type { IntegrationOrder } from './integrate'
import type { KbDocument } from './retrieve'
import { evaluate, rewardOf, tasksOf, type SearchInput } from './score'
import { bestNode, selectNode, type SearchTree } from './tree'
import type { BuildWork, Integration } from './work'

/** One concept's tree as it grows. */
export interface Growing {
  readonly concept: Concept
  readonly tree: TreeNode[]
  readonly versions: Map<string, GuideVersion>
  /** Insights that were ever mapped to the concept. */
  readonly insights: Insight[]
  readonly barren: Set<string>
}

/** What a step of the search brought, to be recorded together. */
export interface Grown {
  readonly nodes: readonly TreeNode[]
  readonly versions: readonly GuideVersion[]
  readonly insights: readonly Insight[]
}

/** A version as a knowledge base holds it. */
export const documentOf = (version: GuideVersion & Pick<KbDocument, 'pinned'>): KbDocument => ({
  id: version.id,
  conceptId: version.conceptId,
  concept: version.concept,
  text: version.text,
  ...(version.pinned && { pinned: true }),
})

/** The best document of each concept, in the concepts' order. */
export const bestGuides = (growing: readonly Growing[], settings: SearchSettings): KbDocument[] =>
  growing.flatMap(({ tree, versions }) => {
    const version = versions.get(bestNode(tree, settings)?.versionId ?? '')
    return version ? [documentOf(version)] : []
  })

/**
 * What the integrator reads, in batches: all that is new and all that the document does not say yet, each text once; what it says already
 * fills up the last batch.
 */
function reading(
  work: BuildWork,
  fresh: readonly Insight[],
  all: readonly Insight[],
  before: GuideText | null,
): string[][] {
  const texts = all.map(({ text }) => text)
  const unread = [
    ...new Set([...fresh.map(({ text }) => text), ...(before ? unsaidInsights(texts, before) : texts)]),
  ]
  return work.batches([...new Set([...unread, ...texts])]).slice(0, Math.max(1, work.batches(unread).length))
}

/** d_k <- IntegAgent(k, insights, d_k) over all insights, in batches; null when no call gave anything usable and there was nothing before. */
async function integrated(
  input: SearchInput,
  order: Omit<IntegrationOrder, 'key' | 'insights'> & { readonly id: string; readonly batches: string[][] },
  signal: AbortSignal,
): Promise<Integration | null> {
  const { id, batches, ...rest } = order
  const integrations: Integration[] = []
  for (const [n, insights] of batches.entries()) {
    const next = await input.work.integrate(
      {
        ...rest,
        key: `${id}/${n}`,
        seedName: `${rest.seedName}/${n}`,
        insights,
        before: integrations.at(-1)?.text ?? rest.before,
      },
      signal,
    )
    if (next) integrations.push(next)
  }
  const last = integrations.at(-1)
  if (!last) return null
  return {
    text: last.text,
    lost: integrations.flatMap(({ lost }) => lost),
    back: integrations.flatMap(({ back }) => back),
  }
}

const versionOf = (
  input: SearchInput,
  { concept, insights }: Growing,
  id: string,
  parent: GuideVersion | null,
  integration: Integration,
): GuideVersion => {
  const constraints = parent?.constraints ?? NO_CONSTRAINTS
  const { text, restored } = enforce(integration.text, constraints)
  const keptSet = new Set(constraints.keep.map((one) => one.text))
  return {
    id,
    conceptId: concept.id,
    concept: concept.name,
    environment: concept.environment,
    buildId: input.buildId,
    parent: parent?.id ?? null,
    text,
    sentences: attribute(text, insights, parent?.sentences ?? []).map((sentence) =>
      keptSet.has(sentence.text) ? { ...sentence, byHand: true } : sentence,
    ),
    lost: [...new Set(integration.lost)],
    ...(integration.back.length > 0 && { putBack: [...new Set(integration.back)] }),
    restored,
    constraints,
    createdAt: input.now().toISOString(),
  }
}

/** Algorithm 1, lines 4 to 8: a root document per concept, integrated from all its insights, then scored among all roots. */
export async function plantTrees(
  input: SearchInput,
  signal: AbortSignal,
): Promise<{ growing: Growing[]; grown: Grown }> {
  const growing = await workOnAll(input.concepts, signal, async (concept, own): Promise<Growing> => {
    const insights = concept.insights.flatMap((id) => input.insights.get(id) ?? [])
    const start = input.documents.get(concept.id) ?? null
    const tree: Growing = { concept, tree: [], versions: new Map(), insights, barren: new Set() }
    const id = nodeId(input.buildId, concept.id, [])
    const document = await integrated(
      input,
      {
        id,
        seedName: `${concept.name}/root`,
        concept: concept.name,
        batches: reading(input.work, [], insights, start?.text ?? null),
        before: start?.text ?? null,
        keep: start?.constraints.keep ?? [],
      },
      own,
    )
    const integration = document ?? (start && { text: start.text, lost: [], back: [] })
    if (integration) tree.versions.set(id, versionOf(input, tree, id, start, integration))
    return tree
  })
  const roots = growing.flatMap(({ versions }) => [...versions.values()])
  const all = [...roots.map(documentOf), ...input.beside]
  const scored = await workOnAll(growing, signal, async (one, own) => ({
    one,
    version: [...one.versions.values()][0] ?? null,
    ...(await evaluate(input, one.concept, all, null, own)),
  }))
  const nodes = scored.map(({ one, version, evaluations }): TreeNode => ({
    id: nodeId(input.buildId, one.concept.id, []),
    conceptId: one.concept.id,
    parent: null,
    depth: 0,
    iteration: 0,
    versionId: version?.id ?? null,
    reward: rewardOf(evaluations, input.settings.lambda),
    evaluations: [...evaluations],
    ...fidelityOf(input, one, version),
    at: input.now().toISOString(),
  }))
  growing.forEach(({ tree }, i) => tree.push(...nodes.slice(i, i + 1)))
  return { growing, grown: { nodes, versions: roots, insights: [] } }
}

/** How far a version keeps to what is known of its concept: insights it says, words that nobody said. */
function fidelityOf(
  input: SearchInput,
  { concept, insights }: Growing,
  version: GuideVersion | null,
): Pick<TreeNode, 'said' | 'unsourced'> {
  if (version === null) return {}
  const texts = [...new Set(insights.map(({ text }) => text))]
  const start = input.documents.get(concept.id)
  const sources = [
    ...texts,
    ...[concept.name, ...concept.members],
    ...(start ? [wholeText(start.text)] : []),
    ...version.constraints.keep.map(({ text }) => text),
  ]
  return {
    said: texts.length - unsaidInsights(texts, version.text).length,
    unsourced: unsourcedWords(version.text, sources).length,
  }
}

/** `<build>/<concept>:` for a root, `<build>/<concept>:0.2` for the third child of its first child. */
const nodeId = (buildId: string, conceptId: string, path: readonly number[]): string =>
  `${buildId}/${conceptId}:${path.join('.')}`
const pathOf = (id: string): number[] =>
  id
    .slice(id.lastIndexOf(':') + 1)
    .split('.')
    .filter((part) => part !== '')
    .map(Number)

/**
 * One iteration (algorithm 1, lines 10 to 18): in every tree the chosen node is expanded, all against the best documents that the
 * last gather phase handed out; then the trees grow, and with them what the next gather finds. Null when no tree can grow.
 */
export async function iterate(
  input: SearchInput,
  growing: readonly Growing[],
  iteration: number,
  signal: AbortSignal,
  expanded: () => void,
): Promise<Grown | null> {
  const gathered = bestGuides(growing, input.settings)
  const choices = growing.flatMap((one) => {
    const node = selectNode(one.tree, { ...input.settings, barren: one.barren })
    return node ? [{ one, node }] : []
  })
  if (choices.length === 0) return null
  const results = await workOnAll(choices, signal, async ({ one, node }, own) => {
    const child = await expand(input, one, node, gathered, iteration, own)
    expanded()
    return child
  })
  results.forEach(({ nodes, versions, insights }, i) => {
    const { one, node } = choices[i] as (typeof choices)[number]
    if (nodes.length === 0) one.barren.add(node.id)
    one.tree.push(...nodes)
    for (const version of versions) one.versions.set(version.id, version)
    for (const insight of insights) input.insights.set(insight.id, insight)
  })
  return {
    nodes: results.flatMap(({ nodes }) => nodes),
    versions: results.flatMap(({ versions }) => versions),
    insights: results.flatMap(({ insights }) => insights),
  }
}

/** The hybrid knowledge base of eq. 5: the others' best documents and, in its place, this concept's own; then those no tree is grown for. */
const hybridOf = (
  { concepts, beside }: SearchInput,
  gathered: readonly KbDocument[],
  own: GuideVersion | undefined,
): KbDocument[] => [
  ...concepts.flatMap(({ id }) => {
    const document =
      own?.conceptId === id ? documentOf(own) : gathered.find(({ conceptId }) => conceptId === id)
    return document ? [document] : []
  }),
  ...beside,
]

/**
 * ExpandNode (algorithm 4). Insights come from rollouts with the hybrid knowledge base around the node's own document, as eq. 5
 * has it (the algorithm's D_current would show the best document instead of the one being improved).
 */
async function expand(
  input: SearchInput,
  one: Growing,
  node: TreeNode,
  gathered: readonly KbDocument[],
  iteration: number,
  signal: AbortSignal,
): Promise<Grown> {
  const { concept } = one
  const parent = one.versions.get(node.versionId ?? '') ?? null
  const others = gathered.filter(({ conceptId }) => conceptId !== concept.id)
  const around = hybridOf(input, others, parent ?? undefined)
  const groupedMatches = await workOnAll(tasksOf(concept.train, input.tasks), signal, async (task, own) => {
    const rollout = await input.work.rollout(task, around, own)
    const isTriedAnew = input.settings.fresh && rollout.reward !== 1 && rollout.ungraded === undefined
    const trajectory = isTriedAnew ? await input.work.rollout(task, around, own, iteration) : rollout
    if (trajectory.ungraded !== undefined) return []
    const { insights } = await input.work.findings(trajectory, own)
    const mapped = await Promise.all(
      insights.map(({ concept: name }) => conceptFor(input.embedder, name, input.concepts, own)),
    )
    return insights.filter((_, i) => mapped[i]?.id === concept.id)
  })
  const knownSet = new Set(one.insights.map(({ id }) => id))
  const fresh = groupedMatches.flat().filter(({ id }) => !knownSet.has(id))
  one.insights.push(...fresh)
  const batches = reading(input.work, fresh, one.insights, parent?.text ?? null)
  const width = input.settings.strategy === 'iterative' ? 1 : input.settings.width
  // Iterative refinement keeps its newest document whatever it scores.
  const rival =
    input.settings.strategy === 'iterative' ? undefined : bestNode(one.tree, input.settings)?.evaluations
  const variants = Array.from({ length: width }, (_, j) => [...pathOf(node.id), j])
  const children = await workOnAll(variants, signal, async (path, own) => {
    const id = nodeId(input.buildId, concept.id, path)
    const integration = await integrated(
      input,
      {
        id,
        seedName: `${concept.name}/${path.join('.')}`,
        concept: concept.name,
        batches,
        before: parent?.text ?? null,
        keep: parent?.constraints.keep ?? [],
      },
      own,
    )
    if (!integration) return null
    const version = versionOf(input, one, id, parent, integration)
    const hybrid = hybridOf(input, others, version)
    const outcome = await evaluate(input, concept, hybrid, rival ?? null, own)
    const evaluations = [...outcome.evaluations]
    const scored: TreeNode = {
      id,
      conceptId: concept.id,
      parent: node.id,
      depth: node.depth + 1,
      iteration,
      versionId: id,
      reward: rewardOf(evaluations, input.settings.lambda),
      evaluations,
      ...(outcome.stopped && { stopped: outcome.stopped }),
      ...fidelityOf(input, one, version),
      at: input.now().toISOString(),
    }
    return { version, scored }
  })
  const products = children.flatMap((child) => child ?? [])
  return {
    nodes: products.map(({ scored }) => scored),
    versions: products.map(({ version }) => version),
    insights: fresh,
  }
}

/** The winners: the best version of each tree. */
export const winners = (growing: readonly Growing[], settings: SearchSettings): GuideVersion[] =>
  growing.flatMap(
    ({ tree, versions }) => versions.get(bestNode(tree as SearchTree, settings)?.versionId ?? '') ?? [],
  )
