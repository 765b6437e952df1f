import type { Evaluation, TreeNode, TreeViewNode } from '../../../shared/domain/guide'
import type { SearchSettings } from '../../../shared/domain/guide-search'

/** A concept's search tree: nodes in the order in which they were made, the root first. Visits and values follow from them. */
export type SearchTree = readonly TreeNode[]

interface Standing {
  readonly visits: number
  /** Sum of the rewards of the node and everything below it. */
  readonly value: number
}

/** Backpropagation (algorithm 4, line 18): every node's reward counts once at itself and at each of its ancestors. */
export function standings(tree: SearchTree): Map<string, Standing> {
  const byId = new Map(tree.map((node) => [node.id, node]))
  const foundMap = new Map<string, Standing>()
  for (const node of tree)
    for (let at: TreeNode | undefined = node; at; at = at.parent === null ? undefined : byId.get(at.parent)) {
      const { visits, value } = foundMap.get(at.id) ?? { visits: 0, value: 0 }
      foundMap.set(at.id, { visits: visits + 1, value: value + node.reward.total })
    }
  return foundMap
}

/** UCT of a child (Kocsis and Szepesvari 2006): its mean reward + c sqrt(ln N(parent) / N(child)). */
export const uct = (child: Standing, parentVisits: number, c: number): number =>
  child.value / child.visits + c * Math.sqrt(Math.log(parentVisits) / child.visits)

const childrenOf = (tree: SearchTree, id: string): TreeNode[] => tree.filter(({ parent }) => parent === id)

/** Rewards nearer than this are the same: sums of the same shares in another order. */
const SAME_REWARD = 1e-9

/** How far a document keeps to what is known: insights that it says, less words that stand in none. */
const fidelity = ({ said = 0, unsourced = 0 }: TreeNode): number => said - unsourced

/** What decides between the nodes of a tree. */
export type Choice = Pick<SearchSettings, 'strategy' | 'lambda' | 'choose'>

/** The reward one document has more than another from each query that both were scored with; together the difference of their rewards on these. */
function gainsOf(scored: readonly Evaluation[], than: readonly Evaluation[], lambda: number): number[] {
  const other = new Map(than.map((evaluation) => [evaluation.taskId, evaluation]))
  const pairs = scored.flatMap((one) => {
    const two = other.get(one.taskId)
    return two ? [{ one, two }] : []
  })
  const foundCount = pairs.filter(({ one }) => one.reciprocalRank !== undefined).length
  return pairs.map(
    ({ one, two }) =>
      (lambda * (one.reward - two.reward)) / pairs.length +
      ((1 - lambda) * ((one.reciprocalRank ?? 0) - (two.reciprocalRank ?? 0))) / Math.max(1, foundCount),
  )
}

/** How far chance alone would bring these gains together: one standard error where every query gains or loses by the toss of a coin. */
const chanceOf = (gains: readonly number[]): number =>
  Math.sqrt(gains.reduce((sum, one) => sum + one * one, 0))

/**
 * Whether a node's reward is higher by more than chance: by more than one standard error of a difference that means nothing, in which
 * every query gains or loses as it does by the toss of a coin (z > 1 in McNemar's test, where only solving counts). One query alone never is.
 */
function isSurelyBetter(node: TreeNode, than: TreeNode, { lambda, choose }: Choice): boolean {
  const gain = node.reward.total - than.reward.total
  const chance = choose === 'highest' ? 0 : chanceOf(gainsOf(node.evaluations, than.evaluations, lambda))
  return gain > chance + SAME_REWARD
}

/** How many standard errors a document in a race may be behind: 5 % on one side. Three queries lost and none won are more. */
const FAR_BEHIND = 1.64

/** Whether a document is so far behind the best of its tree that more queries are hardly worth playing. */
export function isFarBehind(
  scored: readonly Evaluation[],
  best: readonly Evaluation[],
  lambda: number,
): boolean {
  const gains = gainsOf(best, scored, lambda)
  return gains.reduce((sum, one) => sum + one, 0) > FAR_BEHIND * chanceOf(gains) + SAME_REWARD
}

/**
 * The best of some nodes of a tree. Rewards are shares of a few queries, so most are the same, and those that differ by one query differ by
 * chance: of all that the highest is not surely better than, the one that keeps to what is known, then the higher reward, then the earlier one.
 */
function bestOf(all: readonly TreeNode[], choice: Choice): TreeNode | undefined {
  // What fell behind in a race was scored with fewer queries, so its reward is no measure beside the others.
  const arrived = all.filter(({ stopped }) => stopped !== true)
  const nodes = arrived.length > 0 ? arrived : all
  const first = (isBetter: (node: TreeNode, than: TreeNode) => boolean, among: readonly TreeNode[]) =>
    among.reduce<TreeNode | undefined>(
      (best, node) => (best === undefined || isBetter(node, best) ? node : best),
      undefined,
    )
  const isHigher = (node: TreeNode, than: TreeNode): boolean =>
    node.reward.total > than.reward.total + SAME_REWARD
  const highest = first(isHigher, nodes)
  if (!highest) return undefined
  return first(
    (node, than) =>
      fidelity(node) === fidelity(than) ? isHigher(node, than) : fidelity(node) > fidelity(than),
    nodes.filter((node) => !isSurelyBetter(highest, node, choice)),
  )
}

/** The node whose document is the concept's best so far. Iterative refinement has no choice: its newest. */
export function bestNode(tree: SearchTree, choice: Choice): TreeNode | undefined {
  const outputs = tree.filter(({ versionId }) => versionId !== null)
  return choice.strategy === 'iterative' ? outputs.at(-1) : bestOf(outputs, choice)
}

export interface Selection extends Choice {
  /** Most levels below the root. */
  readonly depth: number
  readonly exploration: number
  /** Nodes that were expanded without a single usable child. */
  readonly barren: ReadonlySet<string>
}

/**
 * SELECTBESTNODE (algorithm 1, line 11): the node to expand next; undefined when none is left.
 * MCTS goes down by UCT until it meets a node without children, passing by branches in which none is left; greedy search
 * goes on at the best child of the node it expanded last, iterative refinement at the newest node, both as deep as they are let.
 */
export function selectNode(tree: SearchTree, how: Selection): TreeNode | undefined {
  const [root] = tree
  if (!root) return undefined
  if (how.strategy !== 'mcts') {
    let at = root
    for (;;) {
      if (how.barren.has(at.id)) return undefined
      const next =
        how.strategy === 'greedy' ? bestOf(childrenOf(tree, at.id), how) : childrenOf(tree, at.id).at(-1)
      if (!next) return at
      at = next
    }
  }
  const foundMap = standings(tree)
  const isOpen = (node: TreeNode): boolean => {
    if (how.barren.has(node.id)) return false
    const children = childrenOf(tree, node.id)
    return children.length === 0 ? node.depth < how.depth : children.some(isOpen)
  }
  if (!isOpen(root)) return undefined
  let at = root
  for (;;) {
    const open = childrenOf(tree, at.id).filter(isOpen)
    if (open.length === 0) return at
    const parentVisits = foundMap.get(at.id)?.visits ?? 1
    const scored = open.map((node) => ({
      node,
      score: uct(foundMap.get(node.id) ?? { visits: 1, value: 0 }, parentVisits, how.exploration),
    }))
    at = scored.reduce((best, one) => (one.score > best.score ? one : best)).node
  }
}

/** The nodes with what the search makes of them. */
export function viewTree(tree: SearchTree, choice: Choice): { nodes: TreeViewNode[]; best: string | null } {
  const foundMap = standings(tree)
  const byId = new Map(tree.map((node) => [node.id, node]))
  const best = bestNode(tree, choice)
  const path = new Set<string>()
  for (let at = best; at; at = at.parent === null ? undefined : byId.get(at.parent)) path.add(at.id)
  const nodes = tree.map((node) => {
    const { visits, value } = foundMap.get(node.id) ?? { visits: 0, value: 0 }
    return { ...node, visits, meanReward: visits === 0 ? 0 : value / visits, onBestPath: path.has(node.id) }
  })
  return { nodes, best: best?.id ?? null }
}
