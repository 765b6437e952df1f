import type { Task } from '../../../shared/domain/task'
import type { Environment } from '../../ground/environment'
import { taskPayload } from '../../ground/environment-module'
import { parseAnswerPosition } from '../../sheets/cells'
import type { Comparison } from '../../sheets/compare'
import { spreadsheetEntrySchema, type SpreadsheetEntry } from './entry'
import type { ToolInfo } from '../../ground/tools'
import { endingWith, replyEnvironment } from '../../ground/replies/reply-environment'
import type { ReplyEpisode, ReplyOptions, ReplyWorld } from '../../ground/replies/reply-episode'
import { parseSpreadsheetAction, readPublished, writeAction } from './grammar'
import type { CodeWorkbook, WorkbookEngine } from '../../sheets/workbook'
import { exactObject } from '../../ground/exact-object'

/** The environment's id on tasks, trajectories and streams. */
export const SPREADSHEET = 'spreadsheet'

/** Replies of one attempt in the benchmark's multi-round setting. */
export const SPREADSHEET_MAX_ROUNDS = 5

/** Rows of each sheet that are shown with the task, as in the benchmark. */
export const SHOWN_ROWS = 5

export interface SpreadsheetOptions extends ReplyOptions {
  readonly engine: WorkbookEngine
  /** Rows of each sheet that are shown with the task. Default 5, as in the benchmark. */
  readonly rowsShown?: number
  /** A file of a task's stream. @throws LoamError `TASK_STREAM` when it cannot be read or changed since the stream was opened */
  read(source: string, file: { readonly path: string; readonly sha256: string }): Uint8Array
}

/** Reads a task's payload. @throws LoamError `TASK_STREAM` when it is no task of this environment */
export const readSpreadsheetTask = (task: Task): SpreadsheetEntry =>
  taskPayload(
    task,
    spreadsheetEntrySchema.refine(({ cases }) => cases.length > 0),
    'a spreadsheet task with test cases',
    'spreadsheets, and that its workbooks lie beside it',
  )

/**
 * SpreadsheetBench with code in a sandbox: the agent works on the first test case's workbook; what it ran without an error is then run, in
 * the same order, on each other test case. Solved (the hard score) when every case's answer cells hold the values of the answer workbook; the
 * share of cases that do (the soft score) is kept for display. An attempt that breaks off is graded on what is there.
 */
export function createSpreadsheetEnvironment(options: SpreadsheetOptions): Environment {
  const { engine, read, rowsShown = SHOWN_ROWS } = options
  /** What is shown of each task's first workbook, and that workbook, for one attempt. */
  const beginnings = new WeakMap<Task, Beginning>()
  return replyEnvironment(
    WORLD,
    options,
    (task) => {
      const entry = readSpreadsheetTask(task)
      const beginning = beginnings.get(task)
      if (!beginning) throw new Error('a spreadsheet task was opened before it was ready')
      // An attempt changes its workbook, so each has its own; what is shown of it is the same.
      return openEpisode(entry, { ...beginning, workbook: engine.open(beginning.bytes) }, options)
    },
    async (task) => {
      const { source, cases } = readSpreadsheetTask(task)
      const [first] = cases
      if (!first) throw new Error('a task without test cases was let through')
      const bytes = read(source, first.input)
      if (beginnings.get(task)?.sha256 === first.input.sha256) return
      const view = await engine.open(bytes).describe(rowsShown)
      beginnings.set(task, { bytes, shown: view, sha256: first.input.sha256 })
    },
  )
}

interface Beginning {
  readonly bytes: Uint8Array
  readonly sha256: string
  readonly shown: string
}

/** What an agent can do with a workbook. */
export const ACTIONS: readonly ToolInfo[] = [
  {
    name: 'run_code',
    server: 'workbook',
    description: 'Runs JavaScript on the workbook and answers with what it prints.',
    inputSchema: exactObject({
      code: { type: 'string', description: 'The code; `workbook` and `print` are there.' },
    }),
  },
  {
    name: 'done',
    server: 'workbook',
    description: 'Ends the task; the workbook is graded as it stands.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  },
]

const WORLD: ReplyWorld = {
  id: SPREADSHEET,
  usual: SPREADSHEET_MAX_ROUNDS,
  tools: ACTIONS,
  write: writeAction,
  forms: {
    words: { Code: 'run_code', Done: 'done' },
    code: 'run_code',
    codeForm: { languages: ['javascript', 'js', 'jsx', 'ts', 'typescript'] },
    published: readPublished,
    parse: parseSpreadsheetAction,
    textForm: 'Reply with "Action: Code" and JavaScript in a ```js block, or with "Action: Done".',
  },
  held: { opening: ['run_code'] },
}

type CaseFile = SpreadsheetEntry['cases'][number]['input']

function openEpisode(
  entry: SpreadsheetEntry,
  { workbook, shown }: Beginning & { readonly workbook: CodeWorkbook },
  { engine, read }: SpreadsheetOptions,
): ReplyEpisode {
  const [first, ...others] = entry.cases
  if (!first) throw new Error('a task without test cases was let through')
  const ranges = parseAnswerPosition(entry.answer_position) ?? []
  const ran: string[] = []

  const compare = (result: CodeWorkbook, answer: CaseFile): Promise<Comparison> =>
    result.compare(engine.open(read(entry.source, answer)), ranges)

  const judge = async (): Promise<Comparison[]> => {
    const verdicts = [await compare(workbook, first.answer)]
    for (const { input, answer } of others) verdicts.push(await judgeOther(input, answer))
    return verdicts
  }

  const judgeOther = async (input: CaseFile, answer: CaseFile): Promise<Comparison> => {
    const other = engine.open(read(entry.source, input))
    for (const code of ran) {
      const { failed, text } = await other.run(code)
      if (failed) return { kind: 'different', where: text }
    }
    return compare(other, answer)
  }

  const end = endingWith(async () => {
    const verdicts = await judge()
    const passedCount = verdicts.filter(({ kind }) => kind === 'same').length
    const first = verdicts.findIndex(({ kind }) => kind === 'different')
    const open = verdicts.findIndex(({ kind }) => kind === 'unknown')
    const comparison = verdicts[first >= 0 ? first : open]
    const detail =
      comparison && comparison.kind !== 'same'
        ? `case ${(first >= 0 ? first : open) + 1}: ${comparison.where}`
        : undefined
    return {
      reward: passedCount === verdicts.length ? 1 : 0,
      scores: [
        {
          name: 'Test cases passed',
          value: passedCount / verdicts.length,
          ...(detail !== undefined && { detail }),
        },
      ],
      ...(first < 0 && open >= 0 && { ungraded: `A formula cannot be calculated here, ${detail ?? ''}` }),
    }
  })

  return {
    context: `${shown}\nThe answer belongs in ${entry.answer_position} (${entry.instruction_type}).`,
    async act({ name, args }, last) {
      if (name === 'done') return end({ kind: 'answer', content: 'Done' }, 'completed')
      const action = { kind: 'operation', content: String(args['code']) } as const
      const { text, failed } = await workbook.run(action.content)
      if (!failed) ran.push(action.content)
      if (last) return end(action, 'round-limit', text, failed)
      return { done: false, action, observation: text, from: 'tool', failed }
    },
    end,
    close: () => undefined,
  }
}
