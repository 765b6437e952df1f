import { memo, useRef } from 'react'
import type { RunInfo } from '../../../shared/domain/run'
import { classNames } from '../../components/class-names'

export interface TaskStripProps {
  run: RunInfo
  /** Index of the task whose story is open; null follows the run. */
  open: number | null
  /** Index of the task being worked on. */
  live: number | null
  onOpen(index: number | null): void
}

/** Every task of the run as a small cell: filled square solved, hollow with a cross failed, dot still to come. */
export function TaskStrip({ run, open, live, onOpen }: TaskStripProps) {
  const strip = useRef<HTMLDivElement>(null)
  const reachable = open ?? Math.max(0, run.rewards.length - 1)
  const step = (index: number) => {
    const next = Math.max(0, Math.min(run.rewards.length - 1, index))
    onOpen(next)
    strip.current?.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus()
  }
  const isLive = live !== null && live >= run.rewards.length
  return (
    <div
      ref={strip}
      role="group"
      aria-label={`Tasks: ${run.solved} solved of ${run.done} finished, ${run.total} in all. Arrows move.`}
      className="max-h-24 shrink-0 overflow-y-auto p-0.5 leading-[18px]"
      onClick={({ target }) => {
        const cell = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null
        const index = Number(cell?.dataset['index'])
        if (cell) onOpen(index === open ? null : index)
      }}
      onKeyDown={(event) => {
        const move = {
          ArrowRight: 1,
          ArrowLeft: -1,
          ArrowDown: columns(strip.current),
          ArrowUp: -columns(strip.current),
        }[event.key]
        if (!move) return
        event.preventDefault()
        step(reachable + move)
      }}
    >
      {run.rewards.map((outcome, index) => (
        <Cell
          key={index}
          index={index}
          outcome={outcome}
          isOpen={index === open}
          isReachable={index === reachable}
        />
      ))}
      {isLive ? (
        <span aria-hidden className={CELL}>
          <span className="breathing size-2.5 rounded-full border-2 border-accent" />
        </span>
      ) : null}
      {/* One text, however many there are: as elements of their own they took most of the time in which the screen is drawn. */}
      <span
        aria-hidden
        className="font-mono text-[18px] leading-[inherit] tracking-[calc(18px-1ch)] break-all text-line-strong/50"
      >
        {'·'.repeat(Math.max(0, run.total - run.rewards.length - (isLive ? 1 : 0)))}
      </span>
    </div>
  )
}

const CELL = 'mr-0.5 inline-flex size-4 items-center justify-center align-top'

/** Cells per row: 16 px each, 2 px between them. */
function columns(strip: HTMLElement | null): number {
  return Math.max(1, Math.floor(((strip?.clientWidth ?? 0) - 4) / 18))
}

/** A finished task; drawn again only when something about it changes. */
const Cell = memo(function Cell(props: {
  index: number
  outcome: 0 | 1
  isOpen: boolean
  /** Whether Tab reaches it. */
  isReachable: boolean
}) {
  const { index, outcome, isOpen, isReachable } = props
  return (
    <button
      type="button"
      data-index={index}
      tabIndex={isReachable ? 0 : -1}
      aria-label={`Task ${index + 1}, ${outcome === 1 ? 'solved' : 'failed'}`}
      // Whoever listens meets one and moves by arrows; hundreds in a row would be read out.
      aria-hidden={!isReachable}
      aria-pressed={isOpen}
      className={classNames(
        CELL,
        'rounded-[3px] hover:bg-hover',
        outcome === 1 && "before:size-3 before:rounded-xs before:bg-solved before:content-['']",
        isOpen && 'ring-2 ring-ink',
      )}
    >
      {outcome === 1 ? null : (
        <svg aria-hidden width="12" height="12" viewBox="0 0 12 12" fill="none" className="stroke-failed">
          <rect x=".75" y=".75" width="10.5" height="10.5" rx="1.5" strokeWidth="1.5" />
          <path d="m3.5 3.5 5 5m0-5-5 5" strokeWidth="1.5" strokeLinecap="round" />
        </svg>
      )}
    </button>
  )
})
