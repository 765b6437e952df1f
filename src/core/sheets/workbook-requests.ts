import { LoamError } from '../../shared/errors'
import type { SheetRange } from './cells'
import { compareWorkbooks, type Comparison } from './compare'
import { codeTowards, textOf } from './workbook-parts'
import type { CodeResult, CodeWorkbook, WorkbookEngine } from './workbook'
import type { OpenWorkbook } from './workbook-engine'

/** A workbook by its number; with its bytes and the code that changed it where it is not open yet. */
interface Reference {
  readonly id: number
  readonly content: { readonly bytes: Uint8Array; readonly ran: readonly string[] } | null
}

/** What is asked of a workbook. */
type Question =
  | { readonly kind: 'run'; readonly code: string }
  | { readonly kind: 'describe'; readonly rows: number }
  | { readonly kind: 'text'; readonly ranges: readonly SheetRange[] | null }
  | { readonly kind: 'compare'; readonly answer: Reference; readonly ranges: readonly SheetRange[] }
  | {
      readonly kind: 'code'
      readonly answer: Reference
      readonly ranges: readonly SheetRange[]
      readonly wholeSheets: boolean
    }

export interface WorkbookRequest {
  readonly workbook: Reference
  readonly question: Question
}

/** What is answered, or that a workbook is not open (any more) and has to be sent along. */
export type WorkbookReply =
  | { readonly answer: CodeResult | Comparison | string }
  | { readonly unopened: true }

/** Workbooks that are kept open; those used last stay. */
const MOST_OPEN = 8

/** Answers requests with workbooks that stay open between them. */
export function answerWorkbooks(open: (bytes: Uint8Array) => OpenWorkbook) {
  const workbooks = new Map<number, OpenWorkbook>()
  const find = async ({ id, content }: Reference): Promise<OpenWorkbook | null> => {
    let workbook = workbooks.get(id)
    if (!workbook && content) {
      workbook = open(content.bytes)
      // The same code does the same each time, so that a workbook whose isolate was lost comes back as it was.
      for (const code of content.ran) await workbook.run(code)
    }
    if (!workbook) return null
    workbooks.delete(id)
    workbooks.set(id, workbook)
    const [oldest] = workbooks.keys()
    if (workbooks.size > MOST_OPEN && oldest !== undefined) workbooks.delete(oldest)
    return workbook
  }
  return async ({ workbook: reference, question }: WorkbookRequest): Promise<WorkbookReply> => {
    const workbook = await find(reference)
    if (!workbook) return { unopened: true }
    switch (question.kind) {
      case 'run':
        return { answer: await workbook.run(question.code) }
      case 'describe':
        return { answer: workbook.describe(question.rows) }
      case 'text':
        return { answer: textOf(workbook, question.ranges) }
      case 'compare': {
        const answer = await find(question.answer)
        if (!answer) return { unopened: true }
        return { answer: compareWorkbooks(workbook.cells, answer.cells, question.ranges) }
      }
      case 'code': {
        const answer = await find(question.answer)
        return answer
          ? { answer: codeTowards(workbook, answer, question.ranges, question.wholeSheets) }
          : { unopened: true }
      }
    }
  }
}

/** One workbook on the side that asks. */
interface Handle {
  readonly bytes: Uint8Array
  readonly id: number
  readonly ran: string[]
}

/** Numbers name workbooks for as long as this process is there: several engines may ask one isolate. */
let last = 0

/** Workbooks that lie where `ask` is answered. */
export function workbooksOver(ask: (request: WorkbookRequest) => Promise<WorkbookReply>): WorkbookEngine {
  const handles = new WeakMap<CodeWorkbook, Handle>()
  const reference = ({ id, bytes, ran }: Handle, isWhole: boolean): Reference => ({
    id,
    content: isWhole ? { bytes, ran } : null,
  })
  const answered = async (handle: Handle, question: (isWhole: boolean) => Question): Promise<unknown> => {
    for (const isWhole of [false, true]) {
      const reply = await ask({ workbook: reference(handle, isWhole), question: question(isWhole) })
      if ('answer' in reply) return reply.answer
    }
    throw new Error('a workbook that was sent along is not open')
  }
  const handleOf = (workbook: CodeWorkbook): Handle => {
    const handle = handles.get(workbook)
    if (!handle) throw new Error('a workbook of another engine')
    return handle
  }
  return {
    open(bytes) {
      const handle: Handle = { bytes, id: ++last, ran: [] }
      const workbook: CodeWorkbook = {
        async run(code) {
          try {
            const result = (await answered(handle, () => ({ kind: 'run', code }))) as CodeResult
            if (!result.failed) handle.ran.push(code)
            return result
          } catch (error) {
            // What was lost with the isolate comes back as it was before the code.
            if (error instanceof LoamError) return { text: `Error: ${error.why}`, failed: true }
            throw error
          }
        },
        describe: (rows) => answered(handle, () => ({ kind: 'describe', rows })) as Promise<string>,
        text: (ranges) => answered(handle, () => ({ kind: 'text', ranges })) as Promise<string>,
        compare: (answer, ranges) =>
          answered(handle, (isWhole) => ({
            kind: 'compare',
            answer: reference(handleOf(answer), isWhole),
            ranges,
          })) as Promise<Comparison>,
        codeTowards: (answer, ranges, wholeSheets) =>
          answered(handle, (isWhole) => ({
            kind: 'code',
            answer: reference(handleOf(answer), isWhole),
            ...{ ranges, wholeSheets },
          })) as Promise<string>,
      }
      handles.set(workbook, handle)
      return workbook
    },
  }
}
