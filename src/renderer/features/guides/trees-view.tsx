import { useState } from 'react'
import type { ConceptTree } from '../../../shared/domain/guide'
import { classNames } from '../../components/class-names'
import { plural } from '../../components/format'
import { Term } from '../../components/term'
import { NodePanel } from './node-panel'
import { TreeView } from './tree-view'
import { layoutTree } from './tree-layout'

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
