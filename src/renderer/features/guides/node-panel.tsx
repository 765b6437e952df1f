import { useState } from 'react'
import type { ConceptTree, Evaluation, GuideVersion, TreeViewNode } from '../../../shared/domain/guide'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { plural } from '../../components/format'
import { Outcome } from '../../components/row-icons'
import { ScoreBar } from '../../components/score-bar'
import { Segmented } from '../../components/segmented'
import { Term } from '../../components/term'
import { DiffView, LossNotes } from './diff-view'
import { GuideReader } from './guide-reader'
import { TrajectoryDialog } from './trajectory-dialog'
import { DecideButton, useVersions } from './use-decide'
import { versionState } from './words'

/** A node of a tree: its reward, what its document changed, and the attempts that scored it. */
export function NodePanel({ node, name, tree }: { node: TreeViewNode; name: string; tree: ConceptTree }) {
  const { data: versions, unread } = useVersions(tree.concept.id, node.versionId ?? '')
  const view = versions?.find(({ version }) => version.id === node.versionId)
  const parentVersion = tree.nodes.find(({ id }) => id === node.parent)?.versionId ?? view?.version.parent
  const parent = versions?.find(({ version }) => version.id === parentVersion)?.version
  return (
    <section
      aria-label={`Guide ${name}`}
      className="flex flex-col gap-5 rounded-lg border p-4"
      data-testid="tree-node"
    >
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="flex min-w-40 flex-1 flex-wrap items-center gap-2 font-medium">
          {name === 'Root' ? 'The first guide' : `Guide ${name}`}
          {node.id === tree.best ? <Badge tone="accent">Best of the search</Badge> : null}
          {view ? <Badge tone={versionState(view.state).tone}>{versionState(view.state).words}</Badge> : null}
        </h2>
        {view ? <DecideButton view={view} accept="Accept" /> : null}
      </header>
      <div className="grid grid-cols-2 gap-x-8 gap-y-4 max-[1100px]:grid-cols-1">
        <div className="flex flex-col gap-1.5">
          <ScoreBar label={<Term name="guide reward">Reward</Term>} value={node.reward.total} tone="sum" />
          <ScoreBar label={<Term name="solving">Solves</Term>} value={node.reward.correctness} />
          <ScoreBar label={<Term name="finding">Is found</Term>} value={node.reward.retrieval} />
        </div>
        <p className="text-sm text-muted">
          {node.iteration === 0 ? 'Written before the search' : `Written in round ${node.iteration}`}.{' '}
          <Term name="visits">Visited</Term> {plural(node.visits, 'time')}; mean reward here and below it{' '}
          {node.meanReward.toFixed(2)}.
          {node.said === undefined
            ? ''
            : ` Insights it says: ${node.said}; words that stand in none: ${node.unsourced ?? 0}.`}
        </p>
      </div>
      {view ? (
        <Text view={view.version} before={parent} />
      ) : node.versionId === null ? (
        <p className="text-sm text-muted">The model wrote nothing usable, so there is no guide here.</p>
      ) : (
        unread('the guide')
      )}
      <Evaluations node={node} buildId={view?.version.buildId ?? null} />
    </section>
  )
}

function Text({ view, before }: { view: GuideVersion; before: GuideVersion | undefined }) {
  const [shows, setShows] = useState<'changes' | 'document'>('changes')
  return (
    <div className="flex flex-col gap-3">
      <LossNotes version={view} />
      {before ? (
        <div>
          <Segmented<'changes' | 'document'>
            label="Show"
            value={shows}
            options={[
              { value: 'changes', label: 'Changes to the one before' },
              { value: 'document', label: 'Guide' },
            ]}
            onChange={setShows}
          />
        </div>
      ) : null}
      {before && shows === 'changes' ? (
        <DiffView before={before.text} after={view.text} />
      ) : (
        <GuideReader version={view} />
      )}
    </div>
  )
}

function Evaluations({ node, buildId }: { node: TreeViewNode; buildId: string | null }) {
  const [reading, setReading] = useState<string | null>(null)
  if (node.evaluations.length === 0) return null
  return (
    <section aria-label="Attempts that scored it" className="flex flex-col gap-2">
      <h3 className="text-sm font-medium">Attempts that scored it</h3>
      <ul className="divide-y rounded-lg border text-sm">
        {node.evaluations.map((evaluation) => (
          <li
            key={evaluation.trajectoryId}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5"
          >
            <Outcome reward={evaluation.reward} />
            <span className="min-w-32 flex-1">{evaluation.taskId}</span>
            <span className="text-muted">{rankWords(evaluation)}</span>
            {buildId === null ? null : (
              <Button size="small" onClick={() => setReading(evaluation.trajectoryId)}>
                Read
              </Button>
            )}
          </li>
        ))}
      </ul>
      {reading !== null && buildId !== null ? (
        <TrajectoryDialog rollout={{ buildId, trajectoryId: reading }} onClose={() => setReading(null)} />
      ) : null}
    </section>
  )
}

const rankWords = ({ reciprocalRank }: Evaluation): string =>
  reciprocalRank === undefined
    ? 'nearer to another concept'
    : reciprocalRank === 0
      ? 'not found'
      : `found in place ${Math.round(1 / reciprocalRank)}`
