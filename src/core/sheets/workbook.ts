import { portKey } from '../ground/environment-module'
import type { SheetRange } from './cells'
import type { Comparison } from './compare'

/** What came of running code on a workbook. */
export interface CodeResult {
  /** What the code printed, or why it failed. */
  readonly text: string
  readonly failed: boolean
}

/** A workbook that code can change. It lies in an isolate; what is asked of it is answered from there. */
export interface CodeWorkbook {
  /** Runs code and calculates all formulas anew. Code that fails changes nothing. Never fails for anything in the code. */
  run(code: string): Promise<CodeResult>
  /** Compares ranges with those of an answer workbook. */
  compare(answer: CodeWorkbook, ranges: readonly SheetRange[]): Promise<Comparison>
  /** Sheets with their size and first rows, for an agent to read. */
  describe(rows: number): Promise<string>
  /** Cells as text: a line per row, tabs between; null for the used part of the first sheet. @throws LoamError `BAD_INPUT` for a sheet that is not there */
  text(ranges: readonly SheetRange[] | null): Promise<string>
  /** Code that writes into this workbook what an answer has in ranges, or on the whole sheets they are on. */
  codeTowards(answer: CodeWorkbook, ranges: readonly SheetRange[], wholeSheets: boolean): Promise<string>
}

/** Opens workbooks (.xlsx) for code in a sandbox. */
export interface WorkbookEngine {
  /** @throws LoamError `TASK_STREAM` when the bytes are no workbook, with the first call that reads them */
  open(bytes: Uint8Array): CodeWorkbook
}

/** The engine, as the environment asks for it. */
export const WORKBOOKS = portKey<WorkbookEngine>('workbooks')
