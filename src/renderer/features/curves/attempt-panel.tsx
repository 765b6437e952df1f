import { ArrowLeft, ArrowRight, X } from '../../components/icons'
import type { RecalledItem } from '../../../shared/domain/trajectory'
import { IconButton } from '../../components/icon-button'
import { Outcome } from '../../components/row-icons'
import { Segmented } from '../../components/segmented'
import type { OpenAttempt } from '../../stores/curves'
import { useServices } from '../../stores/use-services'
import { PastStory } from '../../ground/story/past-story'
import type { Series } from './series'
import { stepAt, type Track } from './track'

const MOST_SEGMENTS = 5

/** The attempt behind a point: what the task was, what was recalled and why, and how it went; per seed of the series. */
export function AttemptPanel({ open, series }: { open: OpenAttempt; series: Series }) {
  const { curves, openItem } = useServices()
  const track = series.tracks.find(({ parts }) => parts.some(({ run }) => run.runId === open.runId))
  const part = track?.parts.find(({ run }) => run.runId === open.runId)
  if (!track || !part) return null
  const step = part.from + open.index
  const show = (next: Track, place: number) => {
    const match = stepAt(next, Math.min(place, next.rewards.length - 1))
    if (match) curves.getState().show({ seriesKey: series.key, runId: match.run.runId, index: match.index })
  }
  const openRecalled = (item: RecalledItem) => openItem(part.run.memoryId, item)
  const outcome = track.rewards[step]
  return (
    <section aria-label="The attempt behind the point" className="flex h-full flex-col">
      <header className="flex shrink-0 flex-col gap-2 border-b px-4 py-3">
        <div className="flex items-start gap-1">
          <h2 className="min-w-0 flex-1 font-medium">
            Task {step + 1}
            <span className="block truncate text-sm font-normal text-muted">
              {[series.label, series.detail].filter(Boolean).join(', ')}
            </span>
          </h2>
          <IconButton
            icon={ArrowLeft}
            label="The task before"
            disabled={step === 0}
            onClick={() => show(track, step - 1)}
          />
          <IconButton
            icon={ArrowRight}
            label="The next task"
            disabled={step >= track.rewards.length - 1}
            onClick={() => show(track, step + 1)}
          />
          <IconButton icon={X} label="Close" onClick={() => curves.getState().show(null)} />
        </div>
        {series.tracks.length > 1 ? (
          <div className="flex flex-wrap items-center gap-2">
            {series.tracks.length <= MOST_SEGMENTS ? (
              <Segmented
                label="Seed"
                value={track.id}
                options={series.tracks.map((other) => ({
                  value: other.id,
                  label: `Seed ${other.seed} ${mark(other.rewards[step])}`,
                }))}
                onChange={(id) => {
                  const next = series.tracks.find((other) => other.id === id)
                  if (next) show(next, step)
                }}
              />
            ) : (
              <SeedStepper tracks={series.tracks} track={track} onChange={(next) => show(next, step)} />
            )}
            {outcome === undefined ? null : <Outcome reward={outcome} />}
          </div>
        ) : null}
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto p-4">
        <PastStory
          key={`${open.runId}-${open.index}`}
          runId={open.runId}
          index={open.index}
          onOpenCase={openRecalled}
        />
      </div>
    </section>
  )
}

const mark = (outcome: 0 | 1 | undefined) => (outcome === undefined ? '' : outcome === 1 ? '✓' : '✗')

/** For many seeds: one at a time. */
function SeedStepper(props: { tracks: readonly Track[]; track: Track; onChange(track: Track): void }) {
  const at = props.tracks.indexOf(props.track)
  const before = props.tracks[at - 1]
  const after = props.tracks[at + 1]
  return (
    <div className="flex items-center gap-1">
      <IconButton
        icon={ArrowLeft}
        label="The seed before"
        disabled={!before}
        onClick={() => before && props.onChange(before)}
      />
      <span>
        Seed {props.track.seed} ({at + 1} of {props.tracks.length})
      </span>
      <IconButton
        icon={ArrowRight}
        label="The next seed"
        disabled={!after}
        onClick={() => after && props.onChange(after)}
      />
    </div>
  )
}
