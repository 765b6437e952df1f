import { z } from 'zod'
import { count, integer } from './units'

/** A row of a file that was left out. */
const leftRowSchema = z.object({
  /** The file it stands in, where several were read; absent where it was one. */
  file: z.string().optional(),
  /** The line of the file it begins in, from 1. */
  line: integer,
  /** Its number in a JSON array or object, from 1; absent in files of one row per line. */
  entry: integer.optional(),
  why: z.string(),
})
export type LeftRow = z.infer<typeof leftRowSchema>

/** Where a row of a file stands; `file`: within an archive. */
export type RowPlace = Pick<LeftRow, 'file' | 'line' | 'entry'>

/**
 * What came of reading a file, whatever it holds. Every row is accounted for:
 * rows = imported + duplicates + left.length + moreLeft.
 */
export const readingReportSchema = z.object({
  /** Rows of the file: tasks, cases, attempts, entries. */
  rows: count,
  /** Rows that were taken in. */
  imported: count,
  /** Rows that were there already. */
  duplicates: count,
  /** Rows that were left out, in file order; the first `MOST_LEFT` of them. */
  left: z.array(leftRowSchema).readonly(),
  /** Rows left out beyond those listed. */
  moreLeft: integer,
  /** What is wrong with the file as a whole. */
  notes: z.array(z.string()).readonly(),
})
export type ReadingReport = z.infer<typeof readingReportSchema>

/** Rows left out that are listed one by one; a file with more of them is most likely of another format. */
export const MOST_LEFT = 1000

/** How many rows were left out. */
export const leftCount = ({ left, moreLeft }: Pick<ReadingReport, 'left' | 'moreLeft'>): number =>
  left.length + moreLeft

/** A report of rows that were taken in and rows that were left out, in any order. */
export const reading = (
  imported: number,
  rest: readonly LeftRow[],
  more: Partial<Pick<ReadingReport, 'duplicates' | 'notes'>> = {},
): ReadingReport => {
  const { duplicates = 0, notes = [] } = more
  const inOrder = [...rest].sort((a, b) => a.line - b.line || (a.entry ?? 0) - (b.entry ?? 0))
  return {
    rows: imported + duplicates + rest.length,
    imported,
    duplicates,
    left: inOrder.slice(0, MOST_LEFT),
    moreLeft: Math.max(0, rest.length - MOST_LEFT),
    notes: [...notes],
  }
}

/** Moves rows that turned out to be unusable later, such as tasks whose files are missing, to those left out. */
export const leaveOut = (report: ReadingReport, rows: readonly LeftRow[]): ReadingReport =>
  rows.length === 0
    ? report
    : {
        ...reading(report.imported - rows.length, [...report.left, ...rows], report),
        rows: report.rows,
        moreLeft: report.moreLeft + Math.max(0, report.left.length + rows.length - MOST_LEFT),
      }

/** "199 of 200 rows read, 1 left out", the same on every surface. */
export function readingWords(report: ReadingReport): string {
  const { rows, imported, duplicates } = report
  const remainingCount = leftCount(report)
  return [
    `${imported} of ${rows} ${rows === 1 ? 'row' : 'rows'} read`,
    ...(duplicates > 0 ? [`${duplicates} there already`] : []),
    ...(remainingCount > 0 ? [`${remainingCount} left out`] : []),
  ].join(', ')
}

/** Where a row stands: "Line 12", "Line 12, entry 3" in a JSON array, "a.jsonl, line 12" where several files were read. */
export const placeWords = ({ file, line, entry }: RowPlace): string => {
  const where = file === undefined ? `Line ${line}` : `${file}, line ${line}`
  return entry === undefined ? where : `${where}, entry ${entry}`
}

/** What is wrong with the file and its rows, a line each; at most `most` rows. */
export function leftLines(report: ReadingReport, most = MOST_LEFT): string[] {
  const { left, notes } = report
  const more = leftCount(report) - Math.min(left.length, most)
  return [
    ...left.slice(0, most).map((row) => `${placeWords(row)}: ${row.why}`),
    ...(more > 0 ? [`And ${more} more.`] : []),
    ...notes,
  ]
}

/** Counts what becomes of the rows of a file while it is read. */
export class ReadingTally {
  #imported = 0
  #duplicates = 0
  #moreLeft = 0
  readonly #left: LeftRow[] = []
  readonly #notes: string[] = []

  imported(rows = 1): void {
    this.#imported += rows
  }

  duplicate(rows = 1): void {
    this.#duplicates += rows
  }

  leftOut(place: RowPlace, why: string): void {
    if (this.#left.length < MOST_LEFT) this.#left.push({ ...place, why })
    else this.#moreLeft++
  }

  note(text: string): void {
    this.#notes.push(text)
  }

  report(): ReadingReport {
    const [rest, notes] = [[...this.#left], [...this.#notes]]
    const rows = this.#imported + this.#duplicates + rest.length + this.#moreLeft
    return {
      rows,
      imported: this.#imported,
      duplicates: this.#duplicates,
      left: rest,
      moreLeft: this.#moreLeft,
      notes,
    }
  }
}
