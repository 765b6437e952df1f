import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useEffectEvent, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { classNames } from '../components/class-names'
import { textScale } from './text-scale'

const ROW_PX = 56

export interface RecordListProps {
  /** What is listed. */
  label: string
  /** How many there are, whether read yet or not. */
  count: number
  /** The place of the open one; -1 while none of these is open. */
  at: number
  onOpen(index: number): void
  /** The Delete key on the open one. */
  onDelete?: (index: number) => void
  /** Which rows are looked at. */
  onLook?: (first: number, last: number) => void
  /** Goes back to the top when it changes. */
  topOn?: unknown
  /** One row, or null while it is not read. */
  row(index: number): ReactNode
}

/** Any number of records of which one is open: draws only what is visible; arrows, page keys, Home and End move. */
export function RecordList(props: RecordListProps) {
  const { label, count, at, onLook, topOn } = props
  const [rowPx] = useState(() => Math.round(ROW_PX * Math.max(1, textScale())))
  const base = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 8,
  })
  const visible = virtual.getVirtualItems()
  const first = visible[0]?.index ?? 0
  const last = visible.at(-1)?.index ?? 0
  const look = useEffectEvent(() => onLook?.(first, last))
  useEffect(() => look(), [first, last, count])
  useEffect(() => {
    scroller.current?.scrollTo({ top: 0 })
  }, [topOn])
  const open = (index: number) => {
    virtual.scrollToIndex(index)
    props.onOpen(index)
  }
  return (
    <div
      ref={scroller}
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={at >= 0 ? `${base}-${at}` : undefined}
      className="min-h-0 flex-1 overflow-y-auto -outline-offset-2"
      onKeyDown={(event) => {
        if (moveInList(event, { at, count, open })) return
        if (event.key !== 'Delete' || at < 0 || !props.onDelete) return
        props.onDelete(at)
        if (at + 1 < count) open(at + 1)
      }}
    >
      <div className="relative" style={{ height: virtual.getTotalSize() }}>
        {visible.map(({ index, start }) => (
          <RecordOption
            key={index}
            id={`${base}-${index}`}
            open={index === at}
            place={{ index, count }}
            className="absolute inset-x-0"
            style={{ height: rowPx, transform: `translateY(${start}px)` }}
            onOpen={() => props.onOpen(index)}
          >
            {props.row(index)}
          </RecordOption>
        ))}
      </div>
    </div>
  )
}

/** One record of a list box. */
export function RecordOption(props: {
  id: string
  open: boolean
  place?: { readonly index: number; readonly count: number }
  className?: string
  style?: { readonly height: number; readonly transform: string }
  onOpen(): void
  children: ReactNode
}) {
  const { place } = props
  return (
    <div
      id={props.id}
      role="option"
      aria-selected={props.open}
      aria-setsize={place?.count}
      aria-posinset={place && place.index + 1}
      onClick={props.onOpen}
      className={classNames(
        'flex cursor-pointer gap-2.5 border-b px-3 py-2',
        props.open ? 'bg-accent-soft' : 'hover:bg-hover',
        props.className,
      )}
      style={props.style}
    >
      {props.children}
    </div>
  )
}

/** Takes the keys that move in a list of `count` records; answers whether the key was one of them. */
export function moveInList(
  event: KeyboardEvent,
  list: { readonly at: number; readonly count: number; open(index: number): void },
): boolean {
  const { at, count } = list
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + 10,
    PageUp: at - 10,
    Home: 0,
    End: count - 1,
  }
  const next = moves[event.key]
  if (next === undefined) return false
  event.preventDefault()
  if (count > 0) list.open(Math.max(0, Math.min(count - 1, next)))
  return true
}

/** Words of a record: a line, and a smaller one below. */
export function RecordWords(props: { title: ReactNode; struck?: boolean; children?: ReactNode }) {
  return (
    <div className="min-w-0 flex-1">
      <p className={classNames('truncate text-sm', props.struck && 'line-through')}>{props.title}</p>
      {props.children ? <p className="truncate text-xs text-muted">{props.children}</p> : null}
    </div>
  )
}
