import { portKey } from '../ground/environment-module'
import type { CellAddress, CellRange } from './cells'
import type { GradedWorkbook } from './compare'

/** What came of running code on a workbook. */
export interface CodeResult {
  /** What the code printed, or why it failed. */
  readonly text: string
  readonly failed: boolean
}

/** A workbook that code can change. */
export interface CodeWorkbook {
  /** Runs code and calculates all formulas anew. Code that fails changes nothing. Never fails for anything in the code. */
  run(code: string): Promise<CodeResult>
  /** Its cells as they now are. */
  readonly cells: GradedWorkbook
  /** The used part of a sheet; null when there is no such sheet. */
  extent(sheet: string): CellRange | null
  /** A cell's formula without its `=`; null when there is none, or it is an array formula's. */
  formula(sheet: string, at: CellAddress): string | null
  /** Sheets with their size and first rows, for an agent to read. */
  describe(rows: number): string
}

/** Opens workbooks (.xlsx) for code in a sandbox. */
export interface WorkbookEngine {
  /** @throws LoamError `TASK_STREAM` when the bytes are no workbook */
  open(bytes: Uint8Array): CodeWorkbook
}

/** The engine, as the environment asks for it. */
export const WORKBOOKS = portKey<WorkbookEngine>('workbooks')
