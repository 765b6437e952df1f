import type { Task } from '../../../shared/domain/task'
import { taskPayload } from '../../ground/environment-module'
import type { SqlEngine, SqlSession, SqlTable } from '../../ground/ports'
import type { Environment } from '../../ground/environment'
import { entryTables, labDbEntrySchema, type LabDbEntry } from './entry'
import { createGrader } from './grader'
import { endingWith, replyEnvironment } from '../../ground/replies/reply-environment'
import { SQL_STATEMENT } from '../../ground/replies/held-form'
import type { ReplyEpisode, ReplyOptions, ReplyWorld } from '../../ground/replies/reply-episode'
import { ACTIONS, readPublished, textOf, writeAction } from './actions'
import { beginsAsStatement, parseAction } from './grammar'
import { formatObservation } from './observation'

/** The environment's id on tasks, trajectories and streams. */
export const LAB_DB = 'lab-db'

/** Rounds of one attempt in the benchmark. */
export const LAB_DB_MAX_ROUNDS = 3

/** `Table bookings(booking_id INT, customer TEXT)`, one line per table. */
export const describeTables = (tables: readonly SqlTable[]): string =>
  tables
    .map(
      (table) =>
        `Table ${table.name}(${table.columns.map((column) => `${column.name} ${column.type}`).join(', ')})`,
    )
    .join('\n')

/**
 * LifelongAgentBench's database environment on any `SqlEngine`. A second reply in no known form ends the attempt (with the text form alone, the
 * first); so does an operation in the last round (of `rounds`, 3 by default). Both are graded on what is there: a modification by the table as it now stands, a question by an empty answer.
 * `open` throws `TASK_STREAM` when the task's payload is not an entry of this environment.
 */
export const createLabDbEnvironment = (engine: SqlEngine, options: ReplyOptions): Environment =>
  replyEnvironment(WORLD, options, (task) => openEpisode(engine, readEntry(task)))

const readEntry = (task: Task): LabDbEntry =>
  taskPayload(task, labDbEntrySchema, 'a database task', 'the database environment')

/** The benchmark's rule says the first action, so the first counts in every form. */
const WORLD: ReplyWorld = {
  id: LAB_DB,
  usual: LAB_DB_MAX_ROUNDS,
  tools: ACTIONS,
  write: writeAction,
  forms: {
    words: { Operation: 'execute_sql', Answer: 'answer' },
    code: 'execute_sql',
    codeForm: { languages: ['sql', 'mysql'], begins: beginsAsStatement },
    plain: 'answer',
    pick: 'first',
    published: readPublished,
    parse: parseAction,
    textForm:
      'Reply with "Action: Operation" and one statement in a ```sql block, or with "Action: Answer" and a line that starts with "Final Answer:".',
  },
  held: { texts: { execute_sql: SQL_STATEMENT }, opening: ['execute_sql'], closing: ['answer'] },
}

function openEpisode(engine: SqlEngine, entry: LabDbEntry): ReplyEpisode {
  const tables = entryTables(entry)
  let session: Promise<SqlSession> | null = null
  let isClosed = false

  const start = async (): Promise<SqlSession> => {
    session ??= engine.open(tables)
    const openedSession = await session
    if (isClosed) await openedSession.close()
    return openedSession
  }

  const answering = (answer: string) =>
    endingWith(async () => ({ reward: await createGrader(engine, entry, await start())(answer) }))
  const end = answering('')

  return {
    context: describeTables(tables),
    ...(entry.world !== undefined && { world: entry.world }),
    async act({ name, args }, last) {
      if (name === 'answer') {
        const content = textOf(args['answer'])
        return answering(content)({ kind: 'answer', content }, 'completed')
      }
      const action = { kind: 'operation', content: textOf(args['sql']) } as const
      const result = await (await start()).execute(action.content)
      const observation = formatObservation(result)
      const isError = result.kind === 'error'
      if (last) return end(action, 'round-limit', observation, isError)
      return { done: false, action, observation, failed: isError, changed: result.kind === 'done' }
    },
    end,
    close() {
      isClosed = true
      void session?.then((openedSession) => openedSession.close()).catch(() => undefined)
    },
  }
}
