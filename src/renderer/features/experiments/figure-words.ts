import type { CellInfo, ExperimentRow } from '../../../shared/domain/experiment'
import { alikeNote } from '../../../shared/figures/estimate'
import { sum } from '../../../shared/figures/mean'
import { plural } from '../../components/format'
import { hasEnded } from '../../stores/experiment-feed'

type Interval = readonly [number, number]

/** A share in [0, 1] in percent with one digit, without the sign: `61.7`. */
export const points = (share: number): string => (share * 100).toFixed(1)

/** A difference of shares in percentage points with its sign: `+4.2`, `−1.0`, `0.0`. */
export function signedPoints(difference: number): string {
  const text = points(Math.abs(difference))
  if (Number(text) === 0) return text
  return `${difference > 0 ? '+' : '−'}${text}`
}

/** An interval as `58.3 to 65.0`; empty for none, which one seed alone gives. */
export function intervalWords(interval: Interval | null, show: (value: number) => string): string {
  return interval === null ? '' : `${show(interval[0])} to ${show(interval[1])}`
}

/** The mean success rate, or why there is none. */
export function meanWords({ mean, oom }: Pick<ExperimentRow, 'mean' | 'oom'>): string {
  if (mean !== null) return points(mean)
  return oom > 0 ? 'OOM' : 'none yet'
}

/** Whether an interval leaves out zero: the difference is more than the luck of these seeds. */
export function isClear(interval: Interval | null): boolean {
  return interval !== null && (interval[0] > 0 || interval[1] < 0)
}

/** What has to be said below the figures. */
export function figureNotes(
  rows: readonly ExperimentRow[],
  cells: readonly Pick<CellInfo, 'status'>[],
): string[] {
  const all = cells.length
  const endCount = cells.filter(({ status }) => hasEnded(status)).length
  const lostCount = cells.filter(({ status }) => status === 'failed' || status === 'cancelled').length
  const notes = ['n counts seeds; intervals are bootstraps over seeds.']
  const most = Math.max(0, ...rows.map(({ n }) => n))
  if (most === 1) notes.push('One seed alone says nothing about luck, so there is no interval.')
  else if (most > 1 && most < 5) notes.push('With so few seeds the intervals are too narrow.')
  const uniformFields = alikeNote(rows)
  if (uniformFields !== null) notes.push(uniformFields)
  const oom = sum(rows.map((row) => row.oom))
  if (oom > 0) notes.push(`OOM: ${oom} of ${all} cells had prompts too long for the model and are left out.`)
  if (lostCount > 0)
    notes.push(
      `${plural(lostCount, 'cell')} did not get to the end and ${lostCount === 1 ? 'is' : 'are'} left out.`,
    )
  if (endCount < all)
    notes.push(`${endCount} of ${all} cells have ended, so these figures will still change.`)
  return notes
}
