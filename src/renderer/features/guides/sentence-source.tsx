import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { Sentence } from '../../../shared/domain/guide'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { plural } from '../../components/format'
import { Outcome } from '../../components/outcome'
import { Term } from '../../components/term'
import type { KnownInsight } from '../../stores/guides'
import { useServices } from '../../stores/use-services'
import { TrajectoryDialog, type TrajectoryRef } from './trajectory-dialog'

/** What a sentence rests on: the insights it was written from, and the attempts they were drawn from. */
export function SentenceSource({ sentence }: { sentence: Sentence }) {
  const { guides } = useServices()
  const { insights, insightsProblem } = useStore(guides)
  const [reading, setReading] = useState<TrajectoryRef | null>(null)
  useEffect(() => {
    void guides.getState().loadInsights()
  }, [guides, insights])
  const foundInsights = sentence.insights.flatMap((id) => insights?.get(id) ?? [])
  return (
    <aside
      aria-label="Where the sentence comes from"
      className="mb-1 rounded-lg border bg-sunken p-3 text-sm leading-5"
    >
      {sentence.byHand ? (
        <p>Written by a person. Every later build keeps it word for word.</p>
      ) : sentence.insights.length === 0 ? (
        <p>No insight has most of its words in this sentence, so where it comes from is not known.</p>
      ) : null}
      {insightsProblem ? <ErrorNotice problem={insightsProblem} /> : null}
      {foundInsights.length > 0 ? (
        <>
          <p className="text-muted">
            Rests on {plural(foundInsights.length, 'insight')} (<Term name="insight">what is that?</Term>)
          </p>
          <ul className="mt-2 flex flex-col gap-2">
            {foundInsights.map((insight) => (
              <InsightRow key={insight.id} insight={insight} onRead={setReading} />
            ))}
          </ul>
        </>
      ) : null}
      {reading ? <TrajectoryDialog rollout={reading} onClose={() => setReading(null)} /> : null}
    </aside>
  )
}

function InsightRow({
  insight,
  onRead,
}: {
  insight: KnownInsight
  onRead: (rollout: TrajectoryRef) => void
}) {
  const { buildId, trajectoryId, taskId, text, reward } = insight
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-md border bg-surface px-2.5 py-2">
      <p className="min-w-56 flex-1 [overflow-wrap:anywhere]">{text}</p>
      <div className="flex items-center gap-2">
        <Outcome reward={reward} />
        <span className="text-xs text-muted">{taskId}</span>
        <Button size="small" onClick={() => onRead({ buildId, trajectoryId })}>
          Read the attempt
        </Button>
      </div>
    </li>
  )
}
