import type { Work } from '../../../ground/isolate/protocol'
import { createWorkbookEngine } from '../../../../core/sheets/workbook-engine'
import {
  answerWorkbooks,
  type WorkbookReply,
  type WorkbookRequest,
} from '../../../../core/sheets/workbook-requests'
import { createSandbox } from '../../sheets/sandbox'
import { unpackedArchive } from './formats/zip'

/** Workbooks that code works on; the last few stay open between requests. */
export async function openWorkbooks(): Promise<Work<WorkbookRequest, WorkbookReply>> {
  const { open } = createWorkbookEngine(await createSandbox(), unpackedArchive)
  return answerWorkbooks(open)
}
