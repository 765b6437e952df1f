import { useRef, useState } from 'react'
import type { ConceptTree } from '../../../shared/domain/guide'
import { classNames } from '../../components/class-names'
import { plural } from '../../components/format'
import { Term } from '../../components/term'
import { neighbour, NODE, type PlacedNode, type TreeLayout, layoutTree } from './tree-layout'
import { NodePanel } from './node-panel'

/** Room for the outline of the chosen node. */
const MARGIN = 4
const BAR = { x: 12, width: NODE.width - 24, height: 4 } as const

export interface TreeViewProps {
  readonly layout: TreeLayout
  readonly label: string
  /** Id of the best node. */
  readonly best: string | null
  readonly chosen: string | null
  readonly onChoose: (id: string) => void
}

/** A search tree from left to right. Arrow keys walk along it. */
export function TreeView({ layout, label, best, chosen, onChoose }: TreeViewProps) {
  const drawing = useRef<SVGSVGElement>(null)
  const width = layout.width + 2 * MARGIN
  const height = layout.height + 2 * MARGIN
  return (
    <div className="max-h-160 overflow-auto rounded-lg border bg-canvas p-3">
      <svg
        ref={drawing}
        role="tree"
        aria-label={label}
        width={width}
        height={height}
        viewBox={`${-MARGIN} ${-MARGIN} ${width} ${height}`}
        className="block"
      >
        {layout.links.map(({ from, to }) => (
          <path
            key={to.node.id}
            d={curve(from, to)}
            className={classNames('fill-none', to.node.onBestPath ? 'stroke-accent' : 'stroke-line-strong')}
            strokeWidth={to.node.onBestPath ? 3 : 1}
          />
        ))}
        {layout.nodes.map((placed) => (
          <NodeBox
            key={placed.node.id}
            placed={placed}
            best={placed.node.id === best}
            chosen={placed.node.id === chosen}
            onChoose={onChoose}
            onMove={(key) => {
              const next = neighbour(layout, placed.node.id, key)
              if (!next) return false
              onChoose(next.node.id)
              drawing.current
                ?.querySelector<SVGGElement>(`[data-node="${CSS.escape(next.node.id)}"]`)
                ?.focus()
              return true
            }}
          />
        ))}
      </svg>
    </div>
  )
}

function NodeBox(props: {
  placed: PlacedNode
  best: boolean
  chosen: boolean
  onChoose: (id: string) => void
  onMove: (key: string) => boolean
}) {
  const { placed, best, chosen, onChoose } = props
  const { node, name, x, y } = placed
  const { reward, visits, onBestPath } = node
  return (
    <g
      role="treeitem"
      data-node={node.id}
      aria-level={node.depth + 1}
      aria-selected={chosen}
      aria-label={`${name}: reward ${reward.total.toFixed(2)}, solves ${reward.correctness.toFixed(2)}, found ${reward.retrieval.toFixed(2)}, ${plural(visits, 'visit')}${best ? ', the best' : onBestPath ? ', on the way to the best' : ''}`}
      tabIndex={chosen ? 0 : -1}
      transform={`translate(${x} ${y})`}
      className="cursor-pointer outline-none [&:focus-visible>rect:first-child]:stroke-ink"
      onClick={() => onChoose(node.id)}
      onKeyDown={(event) => {
        if (props.onMove(event.key)) event.preventDefault()
      }}
    >
      <rect
        width={NODE.width}
        height={NODE.height}
        rx={8}
        className={classNames(
          chosen ? 'fill-accent-soft' : 'fill-surface',
          onBestPath || chosen ? 'stroke-accent' : 'stroke-line-strong',
        )}
        strokeWidth={chosen ? 2.5 : onBestPath ? 1.5 : 1}
      />
      <text x={12} y={19} className="fill-ink text-sm font-semibold">
        {reward.total.toFixed(2)}
        {best ? ' ★' : ''}
      </text>
      <text x={NODE.width - 12} y={19} textAnchor="end" className="fill-muted text-2xs">
        {name === 'Root' ? 'first' : name} · {visits}×
      </text>
      <Bar y={28} share={reward.correctness} colour="fill-[var(--series-2)]" />
      <Bar y={36} share={reward.retrieval} colour="fill-[var(--series-3)]" />
    </g>
  )
}

function Bar({ y, share, colour }: { y: number; share: number; colour: string }) {
  return (
    <>
      <rect x={BAR.x} y={y} width={BAR.width} height={BAR.height} rx={2} className="fill-hover" />
      <rect x={BAR.x} y={y} width={BAR.width * share} height={BAR.height} rx={2} className={colour} />
    </>
  )
}

/** From the right edge of the parent to the left edge of the child. */
function curve(from: PlacedNode, to: PlacedNode): string {
  const [x1, y1] = [from.x + NODE.width, from.y + NODE.height / 2]
  const [x2, y2] = [to.x, to.y + NODE.height / 2]
  const middle = (x1 + x2) / 2
  return `M ${x1} ${y1} C ${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`
}

/** A tree per concept: which one is looked at, the tree itself, and the chosen node. */
export function TreesView({ trees, running }: { trees: readonly ConceptTree[]; running: boolean }) {
  const [conceptId, setConceptId] = useState<string | null>(null)
  const [nodeId, setNodeId] = useState<string | null>(null)
  const tree = trees.find(({ concept }) => concept.id === conceptId) ?? trees[0]
  if (!tree) return null
  const { concept, nodes, best } = tree
  const node = nodes.find(({ id }) => id === nodeId) ?? nodes.find(({ id }) => id === best) ?? nodes[0]
  const layout = layoutTree(nodes)
  const name = layout.nodes.find((placed) => placed.node.id === node?.id)?.name ?? ''
  return (
    <section aria-label="Search trees" className="flex flex-col gap-4">
      <div role="radiogroup" aria-label="Concept" className="flex flex-wrap gap-1.5">
        {trees.map((one) => {
          const won = one.nodes.find(({ id }) => id === one.best)
          const on = one === tree
          return (
            <button
              key={one.concept.id}
              type="button"
              role="radio"
              aria-checked={on}
              onClick={() => {
                setConceptId(one.concept.id)
                setNodeId(null)
              }}
              className={classNames(
                'flex h-8 items-center gap-2 rounded-md border px-2.5 text-sm',
                on ? 'border-accent bg-accent-soft' : 'border-line hover:bg-hover',
              )}
            >
              <span className="max-w-48 truncate">{one.concept.name}</span>
              <span className="text-muted">{won ? won.reward.total.toFixed(2) : '–'}</span>
            </button>
          )
        })}
      </div>
      <div>
        <p className="mb-2 text-sm text-muted">
          {plural(nodes.length, 'guide')}
          {running ? ' so far' : ''}, scored with {plural(concept.evaluation.length, 'held-out task')}. The
          thick line leads to the best. <Key />
        </p>
        <TreeView
          layout={layout}
          label={`Search tree of ${concept.name}`}
          best={best}
          chosen={node?.id ?? null}
          onChoose={setNodeId}
        />
      </div>
      {node ? <NodePanel key={node.id} node={node} name={name} tree={tree} /> : null}
    </section>
  )
}

function Key() {
  return (
    <span className="whitespace-nowrap">
      Bars:{' '}
      <span
        aria-hidden
        className="mr-1 inline-block h-1.5 w-4 rounded-full bg-[var(--series-2)] align-middle"
      />
      <Term name="solving">solves</Term>,{' '}
      <span
        aria-hidden
        className="mr-1 inline-block h-1.5 w-4 rounded-full bg-[var(--series-3)] align-middle"
      />
      <Term name="finding">is found</Term>
    </span>
  )
}
