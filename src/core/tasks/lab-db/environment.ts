import type { Task } from '../../../shared/domain/task'
import type { Finish } from '../../../shared/domain/trajectory'
import { taskPayload } from '../../ground/environment-module'
import type { SqlEngine, SqlSession, SqlTable } from '../../ground/ports'
import type { Environment, Episode, StepOutcome } from '../../ground/environment'
import { entryTables, labDbEntrySchema, type LabDbEntry } from './entry'
import { createGrader } from './grader'
import { replyReader, toldOutcome, type Replies } from '../../ground/replies/reply-reader'
import { ACTIONS, readPublished, textOf, writeAction } from './actions'
import { parseAction } from './grammar'
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
export function createLabDbEnvironment(
  engine: SqlEngine,
  options: { readonly systemPrompt: string; readonly rounds?: number; readonly replies?: Replies },
): Environment {
  const { systemPrompt, rounds = LAB_DB_MAX_ROUNDS, replies = 'any' } = options
  return {
    id: LAB_DB,
    maxRounds: rounds,
    systemPrompt,
    ...(replies === 'tools' && { native: { tools: () => ACTIONS, write: writeAction } }),
    open: (task) => openEpisode(engine, readEntry(task), rounds, replies),
  }
}

const readEntry = (task: Task): LabDbEntry =>
  taskPayload(task, labDbEntrySchema, 'a database task', 'the database environment')

const TEXT_FORM =
  'Reply with "Action: Operation" and one statement in a ```sql block, or with "Action: Answer" and a line that starts with "Final Answer:".'

/** The reader of one attempt. The benchmark's rule says the first action, so the first counts in every form. */
const readerOf = (replies: Replies) =>
  replyReader(
    {
      tools: ACTIONS,
      words: { Operation: 'execute_sql', Answer: 'answer' },
      code: 'execute_sql',
      plain: 'answer',
      pick: 'first',
      published: readPublished,
      parse: parseAction,
      textForm: TEXT_FORM,
    },
    replies,
  )

function openEpisode(engine: SqlEngine, entry: LabDbEntry, rounds: number, replies: Replies): Episode {
  const understand = readerOf(replies)
  const tables = entryTables(entry)
  let session: Promise<SqlSession> | null = null
  let round = 0
  let closed = false

  const start = async (): Promise<SqlSession> => {
    session ??= engine.open(tables)
    const opened = await session
    if (closed) await opened.close()
    return opened
  }

  const finish = async (
    action: StepOutcome['action'],
    observation: string | null,
    end: Finish,
    answer: string,
  ): Promise<StepOutcome> => ({
    done: true,
    action,
    observation,
    finish: end,
    reward: await createGrader(engine, entry, await start())(answer),
  })

  return {
    context: describeTables(tables),
    ...(entry.world !== undefined && { world: entry.world }),
    async step(reply) {
      const call = understand(reply)
      round++
      if (call.kind === 'told' && round < rounds) return toldOutcome(call)
      if (call.kind !== 'call')
        return finish({ kind: 'invalid', reason: call.why }, null, 'invalid-action', '')
      if (call.name === 'answer') {
        const content = textOf(call.args['answer'])
        return { ...(await finish({ kind: 'answer', content }, null, 'completed', content)), call }
      }
      const action = { kind: 'operation', content: textOf(call.args['sql']) } as const
      const result = await (await start()).execute(action.content)
      const observation = formatObservation(result)
      return round < rounds
        ? { done: false, action, observation, failed: result.kind === 'error', call }
        : { ...(await finish(action, observation, 'round-limit', '')), call }
    },
    close() {
      closed = true
      void session?.then((opened) => opened.close()).catch(() => undefined)
    },
  }
}
