import { Plus } from '../../components/icons'
import { useRef, type KeyboardEvent } from 'react'
import { useStore } from 'zustand'
import type { ExperimentHead } from '../../../shared/domain/experiment'
import { Button } from '../../components/button'
import { classNames } from '../../components/class-names'
import { ErrorNotice } from '../../components/error-notice'
import { formatCount, formatDuration, formatWhen } from '../../components/format'
import { Loading } from '../../components/loading'
import { ProgressBar } from '../../components/progress-bar'
import { useServices } from '../../stores/use-services'
import { statusWords } from '../../components/status-words'

/** All experiments, newest first, and the way to a new one. */
export function ExperimentList() {
  const { experiments } = useServices()
  const { heads, status, problem, openId, load, open } = useStore(experiments)
  const list = useRef<HTMLUListElement>(null)
  return (
    <>
      <Button
        icon={Plus}
        look={openId === null ? 'secondary' : 'primary'}
        aria-pressed={openId === null}
        onClick={() => open(null)}
      >
        New experiment
      </Button>
      {problem ? <ErrorNotice problem={problem} alwaysRetry onRetry={() => void load()} /> : null}
      {heads.length === 0 && status !== 'ready' && !problem ? <Loading what="your experiments" /> : null}
      {heads.length === 0 && status === 'ready' ? (
        <p className="text-sm text-muted">
          Experiments that you start are listed here, with all their cells and figures.
        </p>
      ) : null}
      <ul ref={list} className="-mx-2 flex flex-col gap-0.5" onKeyDown={(event) => move(event, list.current)}>
        {heads.map((head) => (
          <li key={head.id}>
            <Entry head={head} current={head.id === openId} onOpen={() => open(head.id)} />
          </li>
        ))}
      </ul>
    </>
  )
}

function Entry({ head, current, onOpen }: { head: ExperimentHead; current: boolean; onOpen: () => void }) {
  return (
    <button
      type="button"
      aria-pressed={current}
      onClick={onOpen}
      className={classNames(
        'flex w-full flex-col gap-0.5 rounded-md px-2 py-1.5 text-left hover:bg-hover',
        current && 'bg-hover',
      )}
    >
      <span className={classNames('line-clamp-2', current && 'font-medium')}>{head.name}</span>
      <span className="text-xs text-muted">
        {statusWords(head)}
        {head.status === 'running' || head.status === 'paused'
          ? `, ${formatCount(head.done)} of ${formatCount(head.total)} tasks`
          : ` · ${formatWhen(head.finishedAt ?? head.createdAt)}`}
        {head.status === 'running' && head.etaMs !== null ? `, ${formatDuration(head.etaMs)} left` : ''}
      </span>
      {head.status === 'running' || head.status === 'paused' ? (
        <span className="mt-1 block w-full">
          <ProgressBar label={`Progress of ${head.name}`} done={head.done} total={head.total} />
        </span>
      ) : null}
    </button>
  )
}

function move(event: KeyboardEvent, list: HTMLElement | null) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step || !list) return
  const entries = [...list.querySelectorAll('button')]
  const here = entries.findIndex((entry) => entry === document.activeElement)
  if (here < 0) return
  event.preventDefault()
  entries[here + step]?.focus()
}
