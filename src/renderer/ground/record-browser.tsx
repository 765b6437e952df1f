import { type ReactNode } from 'react'
import { ErrorNotice } from '../components/error-notice'
import { formatMs, plural } from '../components/format'
import { Loading } from '../components/loading'
import type { ItemsState } from '../stores/items'
import type { PagedRows } from '../stores/paged-rows'
import { RecordList } from './record-list'
import { useOpenInView } from './use-open-in-view'

/** A searchable list of records at the left, and one of them in full beside it. */
export function RecordBrowser(props: {
  /** What the records are, as a heading: `Experiences`. */
  title: string
  /** One of them, in lower case: `experience`. */
  one: string
  list: Pick<ItemsState, 'total' | 'status' | 'problem' | 'openProblem' | 'reload'>
  /** Beside the heading. */
  action?: ReactNode
  /** Filters and what else stands above the list. */
  bar: ReactNode
  rows: ReactNode
  /** What is shown when nothing is listed. */
  nothing: ReactNode
  /** What stands above the open record. */
  openBar?: ReactNode
  /** The open record; null while none is. */
  open: ReactNode
  /** What choosing one shows. */
  invitation: string
}) {
  const { title, one, list, open } = props
  const { openProblem } = list
  const { pane, heard } = useOpenInView(open)
  return (
    <div className="flex h-full max-[700px]:flex-col max-[700px]:overflow-y-auto">
      <section
        aria-label={title}
        className={`flex w-110 shrink-0 flex-col border-r max-[1100px]:w-88 max-[700px]:w-full max-[700px]:border-r-0 max-[700px]:border-b ${props.open ? 'print:hidden' : ''}`}
      >
        <header className="flex min-h-12 shrink-0 flex-wrap items-center justify-between gap-x-2 px-3 py-1.5">
          <h1 className="font-semibold">{title}</h1>
          {props.action}
        </header>
        {props.bar}
        {list.status === 'failed' && list.problem ? (
          <ErrorNotice
            className="m-4"
            problem={list.problem}
            alwaysRetry
            onRetry={() => void list.reload()}
          />
        ) : list.total > 0 ? (
          // Below 700 px all of it scrolls, so that what stands above the rows leaves them their room.
          <div className="flex min-h-0 flex-1 flex-col max-[700px]:h-72 max-[700px]:flex-none" {...heard}>
            {props.rows}
          </div>
        ) : list.status === 'ready' ? (
          props.nothing
        ) : (
          <Loading what={`the ${title.toLowerCase()}`} />
        )}
      </section>
      <section
        ref={pane}
        aria-label={`The open ${one}`}
        className="min-w-0 flex-1 overflow-y-auto bg-surface max-[700px]:flex-none max-[700px]:overflow-visible"
      >
        {props.openBar ? <div className="flex border-b px-6 py-2.5">{props.openBar}</div> : null}
        {open ??
          (openProblem ? (
            <ErrorNotice className="m-6" problem={openProblem} />
          ) : list.total > 0 ? (
            <p className="p-12 text-center text-muted">{props.invitation}</p>
          ) : null)}
      </section>
    </div>
  )
}

/** The rows of such a list, however many: only what is looked at is read. Arrows move, Delete deletes. */
export function PagedRecords<Row>(props: {
  label: string
  list: Pick<PagedRows<Row>, 'rows' | 'total'> & { readonly filters: unknown }
  isOpen(row: Row): boolean
  onOpen(row: Row): void
  /** Which rows are looked at. */
  onLook(first: number, last: number): void
  /** The Delete key on the open one. */
  onDelete?(row: Row): void
  row(row: Row): ReactNode
}) {
  const { label, list, isOpen, onOpen, onLook, onDelete } = props
  const withRow = (act: (row: Row) => void) => (index: number) => {
    const row = list.rows.get(index)
    if (row) act(row)
  }
  return (
    <RecordList
      label={label}
      count={list.total}
      at={[...list.rows].find(([, row]) => isOpen(row))?.[0] ?? -1}
      topOn={list.filters}
      onOpen={withRow(onOpen)}
      {...(onDelete && { onDelete: withRow(onDelete) })}
      onLook={onLook}
      row={(index) => {
        const row = list.rows.get(index)
        return row ? props.row(row) : null
      }}
    />
  )
}

/** How many records pass the filters, and how long that took to find out. */
export function FoundCount(props: {
  list: Pick<PagedRows<unknown>, 'total' | 'ms' | 'status'>
  one: string
  /** Of a search, which puts the best first. Default false. */
  ranked?: boolean
}) {
  const { total, ms, status } = props.list
  return (
    <p role="status" className="flex-1 text-xs text-muted">
      {status === 'ready'
        ? `${plural(total, props.one)}${props.ranked ? ', best first' : ''}, ${formatMs(ms)}`
        : 'Searching…'}
    </p>
  )
}
