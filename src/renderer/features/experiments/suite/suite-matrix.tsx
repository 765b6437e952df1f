import type { SuiteCell } from '../../../../shared/domain/suite'
import { Term } from '../../../components/term'
import { points } from '../figure-words'
import { meanMatrix } from './suite-lines'

/** How well what was learned in each stage went in every later one. */
export function SuiteMatrix({ lives, title }: { lives: readonly SuiteCell[]; title: string }) {
  const matrix = meanMatrix(lives)
  const groupedShownNumbers = matrix.map((row) => row.slice(0, -1))
  if (groupedShownNumbers.length < 2) return null
  return (
    <section aria-label={`Transfer of ${title}`} className="flex min-w-0 flex-col gap-2">
      <h3 className="font-medium">
        <Term name="transfer matrix">Transfer</Term>: {title}
      </h3>
      <div className="overflow-x-auto">
        <table className="border-separate border-spacing-0.5 text-sm">
          <caption className="sr-only">
            Success in percent, by the stage it was played in and the stage whose probes they are
          </caption>
          <thead>
            <tr className="text-xs text-muted">
              <th scope="col" className="pr-2 text-left font-normal">
                Played in
              </th>
              {groupedShownNumbers[0]?.map((_, j) => (
                <th key={j} scope="col" className="px-2 font-normal whitespace-nowrap">
                  Probes of {j + 1}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groupedShownNumbers.map((row, s) => (
              <tr key={s}>
                <th scope="row" className="pr-2 text-left text-xs font-normal whitespace-nowrap text-muted">
                  Stage {s + 1}
                </th>
                {row.map((rate, j) => (
                  <td key={j} className="relative h-7 min-w-16 rounded text-center">
                    {rate === null ? (
                      <span className="text-faint">{j > s ? '' : '–'}</span>
                    ) : (
                      <>
                        <span
                          aria-hidden
                          className="absolute inset-0 rounded bg-accent"
                          style={{ opacity: 0.08 + 0.3 * rate }}
                        />
                        <span className="relative">{points(rate)}</span>
                      </>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
