import { Radio } from '../../components/icons'
import { useEffect, useRef, type ReactNode } from 'react'
import { useStore } from 'zustand'
import type { ItemRef } from '../../../shared/domain/item'
import { distillingWords, type Distilling, type LiveTask } from '../../../shared/domain/run'
import { Button } from '../../components/button'
import { formatDuration } from '../../components/format'
import { useServices } from '../../stores/use-services'
import { useConnected } from '../../ground/connected'
import { PastStory, WhyOfRun } from '../../ground/story/past-story'
import { finishedStory, liveStory, Story } from '../../ground/story/story'

/** The right pane: the task being worked on, or the finished one that was opened from the strip. */
export function StoryPanel({ runId }: { runId: string }) {
  const { runs } = useServices()
  const openCase = useOpenCase(runId)
  const openTask = useStore(runs, (state) => state.openTask)
  const connected = useConnected()
  const isGoing = useStore(runs, (state) => {
    const status = state.views[runId]?.run.status
    return status === 'running' || status === 'queued'
  })
  return (
    <section aria-label="The current task" className="flex h-full flex-col">
      <header className="flex h-12 shrink-0 items-center gap-2 border-b px-4">
        <h2 className="flex-1 font-medium">
          {openTask !== null
            ? 'Finished task'
            : !isGoing
              ? 'Last task'
              : connected
                ? 'Now'
                : 'When last heard'}
        </h2>
        {openTask === null ? null : (
          <Button size="small" icon={Radio} onClick={() => runs.getState().showTask(null)}>
            {isGoing ? 'Follow the run' : 'Back to the last'}
          </Button>
        )}
      </header>
      <div data-scrolls className="min-h-0 flex-1 overflow-y-auto p-4">
        {openTask === null ? (
          <LiveStory runId={runId} />
        ) : (
          <PastStory key={`${runId}-${openTask}`} runId={runId} index={openTask} onOpenCase={openCase} />
        )}
      </div>
    </section>
  )
}

function useOpenCase(runId: string) {
  const { runs, openItem } = useServices()
  return (item: ItemRef) => {
    const run = runs.getState().views[runId]?.run
    if (run) openItem(run.config.memoryId, item)
  }
}

function LiveStory({ runId }: { runId: string }) {
  const { runs, openItem } = useServices()
  const view = useStore(runs, (state) => state.views[runId])
  const openCase = useOpenCase(runId)
  const { last } = view ?? {}
  if (view?.live) {
    return (
      <KeepInView live={view.live}>
        {view.run.resting === undefined ? null : (
          <p className="mb-3 text-sm text-muted" role="status">
            It rests for {view.run.resting} and goes on afterwards.
          </p>
        )}
        {/* Another task is another story: nothing of the last one moves. */}
        <Story key={view.live.taskId} {...liveStory(view.live)} onOpenCase={openCase} />
      </KeepInView>
    )
  }
  if (view?.run.distilling) return <Training now={view.run.distilling} />
  if (last)
    return (
      <>
        <Story
          key={last.id}
          {...finishedStory(last)}
          onOpenCase={openCase}
          onOpenExperience={(id) => openItem(last.memoryId, { kind: 'experience', id })}
        />
        <WhyOfRun runId={runId} trajectory={last} />
      </>
    )
  if (view && view.run.rewards.length > 0)
    return <PastStory runId={runId} index={view.run.rewards.length - 1} onOpenCase={openCase} />
  return (
    <p className="text-muted">
      {view?.run.status === 'queued'
        ? 'Waiting for its turn.'
        : 'The first task shows up here as it is worked on.'}
    </p>
  )
}

/** The run has stopped between two tasks to train a soft prompt. */
function Training({ now }: { now: Distilling }) {
  const { done, total, etaMs } = now
  return (
    <div className="space-y-3">
      <p className="first-letter:uppercase">{distillingWords(now)}.</p>
      <div className="h-1.5 overflow-hidden rounded-full bg-sunken">
        <div className="h-full bg-accent" style={{ width: `${total === 0 ? 0 : (100 * done) / total}%` }} />
      </div>
      <p className="text-muted">
        What was solved so far is distilled into a few learned tokens, which go first in every prompt from the
        next task on.{etaMs === null ? '' : ` About ${formatDuration(etaMs)} left.`}
      </p>
    </div>
  )
}

/** A task shorter than this is over before anybody could read along. */
const READABLE_MS = 2_500
/** Nearer than this to the end counts as reading along. */
const NEAR_END_PX = 240

/** Keeps what is being written in view on slow tasks, until the reader scrolls up. */
function KeepInView({ live, children }: { live: LiveTask; children: ReactNode }) {
  const end = useRef<HTMLDivElement>(null)
  const since = useRef({ taskId: '', at: 0 })
  useEffect(() => {
    if (since.current.taskId !== live.taskId) since.current = { taskId: live.taskId, at: Date.now() }
    const pane = end.current?.closest('[data-scrolls]')
    if (!pane || Date.now() - since.current.at < READABLE_MS) return
    const below = pane.scrollHeight - pane.scrollTop - pane.clientHeight
    if (below < NEAR_END_PX) pane.scrollTop = pane.scrollHeight
  }, [live])
  return (
    <>
      {children}
      <div ref={end} />
    </>
  )
}
