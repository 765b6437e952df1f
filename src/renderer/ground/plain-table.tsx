import type { ReactNode } from 'react'
import { classNames } from '../components/class-names'

/** A column of a small table. */
export interface PlainColumn<Row> {
  readonly head: ReactNode
  readonly cell: (row: Row) => ReactNode
  /** What stands below the last row. Default: nothing. */
  readonly foot?: ReactNode
  /** Words begin at the left, figures end at the right. Default: figures; the first column has words. */
  readonly words?: boolean
  /** Its width, such as `w-26`. Default: what is in it. */
  readonly width?: string
}

/** A few rows side by side, each under its name in the first column. */
export function PlainTable<Row>(props: {
  /** What it holds, for those who do not see what stands around it. */
  caption: string
  columns: readonly PlainColumn<Row>[]
  rows: readonly Row[]
  keyOf(row: Row): string
  /** Faint rows. */
  isFaint?: (row: Row) => boolean
  /** Columns keep their widths, and what is too long is cut. Default false. */
  fixed?: boolean
}) {
  const { columns, rows } = props
  const lookOf = ({ words, width }: PlainColumn<Row>, index: number) =>
    classNames(
      'py-1.5 font-normal',
      index > 0 && 'pl-3',
      index > 0 && !words ? 'text-right' : 'text-left',
      width,
    )
  const hasFoot = columns.some(({ foot }) => foot !== undefined)
  return (
    <div className="overflow-x-auto">
      <table className={classNames('w-full text-sm', props.fixed && 'table-fixed')}>
        <caption className="sr-only">{props.caption}</caption>
        <thead className="text-xs text-muted">
          <tr className="border-b">
            {columns.map((column, index) => (
              <th key={index} scope="col" className={lookOf(column, index)}>
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={props.keyOf(row)}
              className={classNames('border-b', props.isFaint?.(row) && 'opacity-60')}
            >
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={index} scope="row" className={lookOf(column, index)}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={index} className={lookOf(column, index)}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
        {hasFoot ? (
          <tfoot>
            <tr>
              {columns.map((column, index) => (
                <td key={index} className={classNames(lookOf(column, index), 'font-medium')}>
                  {column.foot}
                </td>
              ))}
            </tr>
          </tfoot>
        ) : null}
      </table>
    </div>
  )
}
