import { Radio } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { LoamErrorShape } from '../../../shared/errors'
import type { Trajectory } from '../../../shared/domain/trajectory'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { Loading } from '../../components/loading'
import { errorShape } from '../../stores/error-shape'
import { useServices } from '../../stores/use-services'
import { finishedStory, liveStory, Story } from './story'

/** The right pane: the task being worked on, or the finished one that was opened from the strip. */
export function StoryPanel({ runId }: { runId: string }) {
  const { runs } = useServices()
  const openTask = useStore(runs, (state) => state.openTask)
  return (
    <section aria-label="The current task" className="flex h-full flex-col">
      <header className="flex h-12 shrink-0 items-center gap-2 border-b px-4">
        <h2 className="flex-1 font-medium">{openTask === null ? 'Now' : 'Finished task'}</h2>
        {openTask === null ? null : (
          <Button size="small" icon={Radio} onClick={() => runs.getState().showTask(null)}>
            Follow the run
          </Button>
        )}
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto p-4">
        {openTask === null ? (
          <LiveStory runId={runId} />
        ) : (
          <PastStory key={`${runId}-${openTask}`} runId={runId} index={openTask} />
        )}
      </div>
    </section>
  )
}

function useOpenCase(runId: string) {
  const { runs, openCase } = useServices()
  return (item: { id: string }) => {
    const run = runs.getState().views[runId]?.run
    if (run) openCase(run.config.spaceId, item.id)
  }
}

function LiveStory({ runId }: { runId: string }) {
  const { runs } = useServices()
  const view = useStore(runs, (state) => state.views[runId])
  const openCase = useOpenCase(runId)
  if (view?.live) return <Story {...liveStory(view.live)} onOpenCase={openCase} />
  if (view?.last) return <Story {...finishedStory(view.last)} onOpenCase={openCase} />
  if (view && view.run.curve.length > 0) return <PastStory runId={runId} index={view.run.curve.length - 1} />
  return (
    <p className="text-muted">
      {view?.run.status === 'queued'
        ? 'Waiting for its turn.'
        : 'The first task shows up here as it is worked on.'}
    </p>
  )
}

function PastStory({ runId, index }: { runId: string; index: number }) {
  const { client } = useServices()
  const openCase = useOpenCase(runId)
  const [trajectory, setTrajectory] = useState<Trajectory | null>(null)
  const [problem, setProblem] = useState<LoamErrorShape | null>(null)
  const [attempt, setAttempt] = useState(1)
  useEffect(() => {
    let gone = false
    client.runs.trajectory({ runId, index }).then(
      (found) => {
        if (gone) return
        setTrajectory(found)
        setProblem(null)
      },
      (error: unknown) => {
        if (!gone) setProblem(errorShape(error))
      },
    )
    return () => {
      gone = true
    }
  }, [client, runId, index, attempt])
  if (problem) return <ErrorNotice problem={problem} alwaysRetry onRetry={() => setAttempt(attempt + 1)} />
  if (!trajectory) return <Loading what="the attempt" />
  return <Story {...finishedStory(trajectory)} onOpenCase={openCase} />
}
