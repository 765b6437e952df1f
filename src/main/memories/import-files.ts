import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, relative } from 'node:path'
import { isSibling } from '../../core/formats'
import { OF_SIBLING } from '../../core/formats/archive'
import { resolvedIn } from '../../core/memory/experiences/import/report'
import { addRedactions, type Redactions } from '../../core/memory/experiences/import/redact'
import { isRecord } from '../../core/ground/record'
import type { ImportReport } from '../../shared/domain/format'
import { MOST_LEFT, type LeftRow } from '../../shared/domain/reading'
import { LoamError } from '../../shared/errors'
import { readForeignText } from '../ground/isolate/foreign-text'
import { KindTallies } from './kind-tallies'
import type { ReadOptions } from './read-text'

/** Says whether a task was resolved; null where no report knows it. */
export type Verdicts = (taskId: string) => boolean | null

/** What is done with each file. */
export interface EachFile {
  /** Reads one file into the memory. */
  readonly read: (path: string, verdicts: Verdicts, options: ReadOptions) => Promise<ImportReport>
}

/** Names of the files in which harnesses say which tasks were resolved. */
const REPORT = /(?:report|results)/i
/** Larger ones are no reports. */
const LARGEST_REPORT = 16 * 1024 * 1024
const USED = 'it is a report of which tasks were resolved; what it says went to the attempts beside it'
const EMPTY = 'the file holds nothing'
/** What SQLite keeps beside a database. */
const BESIDE = /-(?:wal|shm|journal)$/
const OF_DATABASE = 'it belongs to the database beside it, and is read with it'

/**
 * Reads many files as one. Each file that is none of a format that Loam reads is a row of its own that is left out, with the reason. Reports of a
 * harness that lie among the files say how the attempts of their tasks ended.
 */
export async function importFiles(
  files: readonly string[],
  { read }: EachFile,
  reference: { readonly file: string; readonly format: string } & ReadOptions,
): Promise<ImportReport> {
  const { signal, onProgress } = reference
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const reports = await readReports(files, sizes)
  const verdicts: Verdicts = (id) => {
    for (const report of reports.values()) {
      const resolved = resolvedIn(report, id)
      if (resolved !== null) return resolved
    }
    return null
  }
  const folder = commonFolder(files)
  const sum = new Sum()
  let before = 0
  for (const [i, file] of files.entries()) {
    signal?.throwIfAborted()
    const within = relative(folder, file)
    if (reports.has(file)) sum.leave({ file: within, line: 1, why: USED })
    else if (isSibling(basename(file)) && files.some((one) => one !== file && dirname(one) === dirname(file)))
      sum.leave({ file: within, line: 1, why: OF_SIBLING })
    else if (BESIDE.test(file) && files.includes(file.replace(BESIDE, '')))
      sum.leave({ file: within, line: 1, why: OF_DATABASE })
    else {
      const doneCount = before
      const options = { signal, onProgress: (at: number) => onProgress?.(doneCount + at, total) }
      await sum.add(within, () => read(file, verdicts, options))
    }
    before += sizes[i] ?? 0
    onProgress?.(before, total)
  }
  return { ...sum.report(), file: reference.file }
}

/** Reports by file. */
async function readReports(
  files: readonly string[],
  sizes: readonly number[],
): Promise<Map<string, unknown>> {
  const reports = new Map<string, unknown>()
  for (const [i, file] of files.entries()) {
    if (
      !REPORT.test(basename(file)) ||
      !file.toLowerCase().endsWith('.json') ||
      (sizes[i] ?? 0) > LARGEST_REPORT
    )
      continue
    // A file by such a name that cannot be read so is read like any other.
    const value = await readForeignText(await readFile(file, 'utf8'), file, 'json', LARGEST_REPORT).catch(
      (error: unknown) => {
        if (error instanceof LoamError && error.code === 'BAD_INPUT') return null
        throw error
      },
    )
    if (isReport(value)) reports.set(file, value)
  }
  return reports
}

const isReport = (value: unknown): boolean =>
  isRecord(value) &&
  (Array.isArray(value['resolved_ids']) ||
    Array.isArray(value['resolved']) ||
    (Object.keys(value).length > 0 &&
      Object.values(value).every((one) => isRecord(one) && typeof one['resolved'] === 'boolean')))

function commonFolder(files: readonly string[]): string {
  let folder = dirname(files[0] ?? '')
  for (const file of files)
    while (relative(folder, file).startsWith('..') && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}

/** Reports of several files as one. */
class Sum {
  #rows = 0
  #imported = 0
  #duplicates = 0
  #moreLeft = 0
  #waiting = 0
  #redactions: Redactions = {}
  readonly #left: LeftRow[] = []
  readonly #notes: string[] = []
  readonly #formats = new Map<string, string>()
  readonly #kinds = new KindTallies()

  leave(row: LeftRow): void {
    this.#rows++
    if (this.#left.length < MOST_LEFT) this.#left.push(row)
    else this.#moreLeft++
  }

  async add(file: string, read: () => Promise<ImportReport>): Promise<void> {
    let report: ImportReport
    try {
      report = await read()
    } catch (error) {
      if (!(error instanceof LoamError) || !['BAD_INPUT', 'NOT_FOUND'].includes(error.code)) throw error
      this.leave({ file, line: 1, why: error.why })
      return
    }
    this.#formats.set(report.format, report.writtenFor)
    if (report.rows === 0) this.leave({ file, line: 1, why: EMPTY })
    this.#kinds.add(report)
    this.#rows += report.rows
    this.#imported += report.imported
    this.#duplicates += report.duplicates
    this.#moreLeft += report.moreLeft
    this.#waiting += report.waiting
    this.#redactions = addRedactions(this.#redactions, report.redactions)
    for (const row of report.left) {
      if (this.#left.length < MOST_LEFT) this.#left.push({ file, ...row })
      else this.#moreLeft++
    }
    this.#notes.push(...report.notes.map((note) => `${file}: ${note}`))
  }

  report(): Omit<ImportReport, 'file'> {
    return {
      rows: this.#rows,
      imported: this.#imported,
      duplicates: this.#duplicates,
      left: this.#left,
      moreLeft: this.#moreLeft,
      waiting: this.#waiting,
      notes: this.#notes,
      format: [...this.#formats.keys()].join(', '),
      writtenFor: [...this.#formats.values()].join('; '),
      redactions: this.#redactions,
      ...this.#kinds.report(),
    }
  }
}
