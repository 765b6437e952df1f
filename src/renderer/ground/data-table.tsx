import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, useState, type ReactNode } from 'react'
import { classNames } from '../components/class-names'
import { textScale } from './text-scale'

/** A column of figures, with a smaller line below its name. */
export interface DataColumn {
  readonly key: string
  readonly label: string
  readonly detail?: string
}

export interface DataTableProps {
  /** What the table holds, for those who do not see what stands around it. */
  caption: string
  /** What the rows are. */
  first: string
  columns: readonly DataColumn[]
  /** How many rows there are; of many, only those in view are in the page. */
  rows: number
  /** The name of a row. */
  nameOf(row: number): ReactNode
  cellOf(row: number, column: number): ReactNode
  /** A cell's words in full, where they are cut. */
  titleOf?: (row: number, column: number) => string
  /** Emphasised rows. */
  isStrong?: (row: number) => boolean
}

const ROW_PX = 30
/** Tables up to this long are in the page as a whole. */
const FEW = 60

/** Figures side by side: heads and row names stay in view, however many rows there are. */
export function DataTable(props: DataTableProps) {
  const { columns } = props
  const [rowPx] = useState(() => Math.round(ROW_PX * Math.max(1, textScale())))
  const box = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: props.rows,
    getScrollElement: () => box.current,
    estimateSize: () => rowPx,
    overscan: 12,
  })
  const few = props.rows <= FEW
  const hasDetail = columns.some(({ detail }) => detail)
  const items = few
    ? Array.from({ length: props.rows }, (_, index) => ({ index }))
    : virtual.getVirtualItems()
  const [before, after] = few ? [0, 0] : aroundOf(virtual.getVirtualItems(), virtual.getTotalSize())
  return (
    <div ref={box} className="min-h-0 flex-1 overflow-auto rounded-lg border">
      <table className="w-full text-sm [&_td]:pl-4 [&_th]:pl-4" aria-rowcount={props.rows + 1}>
        <caption className="sr-only">{props.caption}</caption>
        <thead>
          <tr>
            <th
              scope="col"
              className="sticky top-0 left-0 z-10 bg-surface py-2 text-left align-bottom font-medium"
            >
              {props.first}
            </th>
            {columns.map(({ key, label, detail }) => (
              <th
                key={key}
                scope="col"
                className="sticky top-0 bg-surface py-2 pr-4 text-left align-bottom font-medium whitespace-nowrap"
              >
                {label}
                {hasDetail ? (
                  <span className="block text-xs font-normal text-muted">{detail || '\u00a0'}</span>
                ) : null}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <StoredMemory height={before} />
          {items.map(({ index }) => (
            <tr key={index} aria-rowindex={index + 2} style={{ height: rowPx }} className="border-t">
              <th
                scope="row"
                className="sticky left-0 bg-surface pr-4 text-left font-normal whitespace-nowrap text-muted"
              >
                {props.nameOf(index)}
              </th>
              {columns.map(({ key }, column) => (
                <td
                  key={key}
                  title={props.titleOf?.(index, column)}
                  className={classNames(
                    'pr-4 whitespace-nowrap',
                    props.titleOf && 'max-w-64 truncate',
                    props.isStrong?.(index) && 'font-medium',
                  )}
                >
                  {props.cellOf(index, column)}
                </td>
              ))}
            </tr>
          ))}
          <StoredMemory height={after} />
        </tbody>
      </table>
    </div>
  )
}

/** The height of what is out of view above and below, in px. */
function aroundOf(items: readonly { start: number; end: number }[], total: number): [number, number] {
  return [items[0]?.start ?? 0, total - (items.at(-1)?.end ?? 0)]
}

/** The rows that are out of view. */
function StoredMemory({ height }: { height: number }) {
  return height > 0 ? (
    <tr aria-hidden>
      <td style={{ height }} />
    </tr>
  ) : null
}
