import { memo } from 'react'
import type { CellInfo } from '../../../shared/domain/experiment'
import { classNames } from '../../components/class-names'
import { Hint, NamedButton } from '../../components/icon-button'
import { cellLabel, cellWords } from './cell-words'

const LOOKS: Record<CellInfo['status'], string> = {
  queued: 'border-dashed text-faint',
  running: 'border-accent text-ink',
  paused: 'border-line-strong text-muted',
  done: 'bg-sunken text-ink',
  oom: 'border-notice/40 bg-notice-soft text-notice',
  failed: 'border-danger/40 bg-danger-soft text-danger',
  cancelled: 'border-dashed text-muted',
}

export interface CellChipProps {
  cell: CellInfo
  /** Method and K in words. */
  title: string
  /** Reached by Tab; the others by the arrow keys. */
  first: boolean
  /** Only the share, for experiments with many cells. */
  compact: boolean
  onOpen(cell: CellInfo): void
}

/** One cell: its seed, its share of solved tasks, and how far it is. Drawn again only when its cell changed. */
export const CellChip = memo(function CellChip({ cell, title, first, compact, onOpen }: CellChipProps) {
  const words = cellWords(cell, title)
  return (
    <Hint text={words} side="top">
      <NamedButton
        data-chip
        tabIndex={first ? 0 : -1}
        aria-disabled={cell.status === 'queued'}
        onClick={() => onOpen(cell)}
        className={classNames(
          'relative flex h-7 items-center overflow-hidden rounded-md border transition-colors duration-100',
          compact ? 'w-12 justify-center text-2xs' : 'w-24 justify-between gap-2 px-2 text-sm',
          cell.status === 'queued' ? 'cursor-default' : 'hover:border-ink',
          LOOKS[cell.status],
        )}
      >
        <span className="sr-only">{words} </span>
        {compact ? null : <span className="text-2xs text-muted">{cell.seed}</span>}
        <span className={compact && cell.status === 'cancelled' ? 'tracking-tighter' : undefined}>
          {cellLabel(cell)}
        </span>
        {cell.status === 'running' || cell.status === 'paused' ? (
          <span
            aria-hidden
            className="absolute bottom-0 left-0 h-0.5 bg-accent"
            style={{ width: `${cell.total === 0 ? 0 : (100 * cell.done) / cell.total}%` }}
          />
        ) : null}
      </NamedButton>
    </Hint>
  )
})
