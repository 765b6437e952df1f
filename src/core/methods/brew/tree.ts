import type { TreeNode, TreeViewNode } from '../../../shared/domain/concept'
import type { SearchStrategy } from '../../../shared/domain/document-search'

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
  const found = new Map<string, Standing>()
  for (const node of tree)
    for (let at: TreeNode | undefined = node; at; at = at.parent === null ? undefined : byId.get(at.parent)) {
      const { visits, value } = found.get(at.id) ?? { visits: 0, value: 0 }
      found.set(at.id, { visits: visits + 1, value: value + node.reward.total })
    }
  return found
}

/** UCT of a child (Kocsis and Szepesvari 2006): its mean reward + c sqrt(ln N(parent) / N(child)). */
export const uct = (child: Standing, parentVisits: number, c: number): number =>
  child.value / child.visits + c * Math.sqrt(Math.log(parentVisits) / child.visits)

const childrenOf = (tree: SearchTree, id: string): TreeNode[] => tree.filter(({ parent }) => parent === id)

/** Rewards nearer than this are the same: sums of the same shares in another order. */
const SAME_REWARD = 1e-9

/** How far a document keeps to what is known: insights that it says, less words that stand in none. */
const fidelity = ({ said = 0, unsourced = 0 }: TreeNode): number => said - unsourced

/**
 * Whether a document is better than another of its tree. Rewards are shares of a few queries, so most nodes have the same; of those the one
 * that keeps to what is known is better, and of those the earlier one stays.
 */
const isBetter = (node: TreeNode, than: TreeNode): boolean => {
  const gain = node.reward.total - than.reward.total
  return Math.abs(gain) > SAME_REWARD ? gain > 0 : fidelity(node) > fidelity(than)
}

const bestOf = (nodes: readonly TreeNode[]): TreeNode | undefined =>
  nodes.reduce<TreeNode | undefined>(
    (best, node) => (best === undefined || isBetter(node, best) ? node : best),
    undefined,
  )

/** The node whose document is the concept's best so far. Iterative refinement has no choice: its newest. */
export function bestNode(tree: SearchTree, strategy: SearchStrategy): TreeNode | undefined {
  const written = tree.filter(({ versionId }) => versionId !== null)
  return strategy === 'iterative' ? written.at(-1) : bestOf(written)
}

export interface Selection {
  readonly strategy: SearchStrategy
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
        how.strategy === 'greedy' ? bestOf(childrenOf(tree, at.id)) : childrenOf(tree, at.id).at(-1)
      if (!next) return at
      at = next
    }
  }
  const found = standings(tree)
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
    const parentVisits = found.get(at.id)?.visits ?? 1
    const scored = open.map((node) => ({
      node,
      score: uct(found.get(node.id) ?? { visits: 1, value: 0 }, parentVisits, how.exploration),
    }))
    at = scored.reduce((best, one) => (one.score > best.score ? one : best)).node
  }
}

/** The nodes with what the search makes of them. */
export function viewTree(
  tree: SearchTree,
  strategy: SearchStrategy,
): { nodes: TreeViewNode[]; best: string | null } {
  const found = standings(tree)
  const byId = new Map(tree.map((node) => [node.id, node]))
  const best = bestNode(tree, strategy)
  const path = new Set<string>()
  for (let at = best; at; at = at.parent === null ? undefined : byId.get(at.parent)) path.add(at.id)
  const nodes = tree.map((node) => {
    const { visits, value } = found.get(node.id) ?? { visits: 0, value: 0 }
    return { ...node, visits, meanReward: visits === 0 ? 0 : value / visits, onBestPath: path.has(node.id) }
  })
  return { nodes, best: best?.id ?? null }
}
