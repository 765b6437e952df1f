import { leftCount, placeWords, type ReadingReport } from '../../shared/domain/reading'
import { SmallFold } from './fold'
import { plural } from './format'

/** Rows named one by one. */
const MOST_SHOWN = 200

/** What was left out of a file, row by row, folded away; nothing when everything was read. */
export function SkippedRows({ report }: { readonly report: ReadingReport }) {
  const count = leftCount(report)
  const views = report.left.slice(0, MOST_SHOWN)
  return (
    <>
      {report.notes.map((note) => (
        <p key={note} className="text-sm text-notice">
          {note}
        </p>
      ))}
      {count > 0 ? (
        <SmallFold title={`${plural(count, 'row')} of ${report.rows} left out`} look="text-sm text-notice">
          <ul className="mt-2 max-h-48 overflow-y-auto rounded-md bg-sunken px-3 py-2 text-sm">
            {views.map((row, i) => (
              <li key={i}>
                <span className="text-muted">{placeWords(row)}:</span> {row.why}
              </li>
            ))}
            {count > views.length ? <li className="text-muted">and {count - views.length} more</li> : null}
          </ul>
        </SmallFold>
      ) : null}
    </>
  )
}
