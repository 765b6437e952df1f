import { hierarchy, tree } from 'd3-hierarchy'
import type { TreeViewNode } from '../../../shared/domain/guide'

/** A node's box, in px. */
export const NODE = { width: 128, height: 46 } as const
const GAP = { across: 40, down: 10 } as const

export interface PlacedNode {
  readonly node: TreeViewNode
  /** `Root`, else its place among its siblings, and theirs: `2.1`. */
  readonly name: string
  /** Top left corner, in px. */
  readonly x: number
  readonly y: number
}

export interface TreeLayout {
  /** From the top of each column down, the root first. */
  readonly nodes: readonly PlacedNode[]
  readonly links: readonly { readonly from: PlacedNode; readonly to: PlacedNode }[]
  /** Both in px. */
  readonly width: number
  readonly height: number
}

/** Places a search tree from left to right: a column per depth, a parent in the middle of its children, as tight as boxes allow. */
export function layoutTree(nodes: readonly TreeViewNode[]): TreeLayout {
  const roots = nodes.filter(({ parent }) => parent === null)
  const placed: PlacedNode[] = []
  const links: { from: PlacedNode; to: PlacedNode }[] = []
  let below = 0
  for (const root of roots) {
    const pointNode = tree<TreeViewNode>()
      .nodeSize([NODE.height + GAP.down, NODE.width + GAP.across])
      .separation(() => 1)(hierarchy(root, ({ id }) => nodes.filter(({ parent }) => parent === id)))
    // The library draws from the top down and round 0: its x is our y.
    const top = Math.min(...pointNode.descendants().map(({ x }) => x))
    const own = new Map<string, PlacedNode>()
    pointNode.eachBefore(({ data, parent, x, y }) => {
      const place = (parent?.children ?? []).findIndex((one) => one.data.id === data.id) + 1
      const above = parent && own.get(parent.data.id)
      const name = !parent ? 'Root' : above?.name === 'Root' ? `${place}` : `${above?.name}.${place}`
      const at = { node: data, name, x: y, y: x - top + below }
      own.set(data.id, at)
      if (above) links.push({ from: above, to: at })
    })
    placed.push(...own.values())
    below = Math.max(...[...own.values()].map(({ y }) => y)) + NODE.height + GAP.down
  }
  return {
    nodes: placed.sort((a, b) => a.x - b.x || a.y - b.y),
    links,
    width: Math.max(0, ...placed.map(({ x }) => x)) + NODE.width,
    height: Math.max(NODE.height, below - GAP.down),
  }
}

/** Where an arrow key leads: left to the parent, right to the child on the best path or the first, up and down in the column. */
export function neighbour(layout: TreeLayout, id: string, key: string): PlacedNode | undefined {
  const at = layout.nodes.find(({ node }) => node.id === id)
  if (!at) return undefined
  if (key === 'ArrowLeft') return layout.nodes.find(({ node }) => node.id === at.node.parent)
  if (key === 'ArrowRight') {
    const children = layout.nodes.filter(({ node }) => node.parent === id)
    return children.find(({ node }) => node.onBestPath) ?? children[0]
  }
  const column = layout.nodes.filter(({ node }) => node.depth === at.node.depth)
  if (key === 'ArrowDown') return column[column.indexOf(at) + 1]
  if (key === 'ArrowUp') return column[column.indexOf(at) - 1]
  return undefined
}
