import {
  workbooksOver,
  type WorkbookReply,
  type WorkbookRequest,
} from '../../../core/sheets/workbook-requests'
import type { WorkbookEngine } from '../../../core/sheets/workbook'
import { foreignReader } from '../../ground/isolate/foreign'

/** Milliseconds that opening, calculating or comparing may take; code has limits of its own below it. */
const MOST_MS = 60_000

const ask = foreignReader<WorkbookRequest, WorkbookReply>('workbook', {
  timeMs: MOST_MS,
  limits: { heapMb: 1024, processMb: 2000 },
  code: 'TASK_STREAM',
  suggestion: 'Check the .xlsx files of the stream.',
})

/** Workbooks for code in a sandbox, opened, calculated and compared in an isolate. */
export const createWorkbooks = (): WorkbookEngine => workbooksOver((request) => ask('The workbook', request))
