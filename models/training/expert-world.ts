import { matchesGold } from '../../src/core/tasks/lab-db/answer'
import { entryTables, labDbEntrySchema } from '../../src/core/tasks/lab-db/entry'
import { describeTables, LAB_DB_MAX_ROUNDS } from '../../src/core/tasks/lab-db/environment'
import { isQuestion, tableHash, toGoldRows } from '../../src/core/tasks/lab-db/grader'
import { parseAction } from '../../src/core/tasks/lab-db/grammar'
import { formatObservation } from '../../src/core/tasks/lab-db/observation'
import type { EmbeddedDatabases } from '../../src/main/adapters/environments/sqljs-engine'
import type { Finish } from '../../src/shared/domain/trajectory'

/** What came of one reply of the expert. */
export type ExpertOutcome =
  | { readonly done: false; readonly observation: string }
  | {
      readonly done: true
      readonly observation: string | null
      readonly finish: Finish
      readonly reward: 0 | 1
    }

/** One attempt of the expert, played at once. */
export interface ExpertEpisode {
  readonly context: string
  step(reply: string): ExpertOutcome
  close(): void
}

/**
 * The database environment for an expert whose replies are all in the text form: the same rules and grades, without waiting, so that samples are drawn
 * in one order.
 */
export interface ExpertWorld {
  readonly maxRounds: number
  open(payload: unknown): ExpertEpisode
}

export const createExpertWorld = (databases: EmbeddedDatabases): ExpertWorld => ({
  maxRounds: LAB_DB_MAX_ROUNDS,
  open(payload) {
    const entry = labDbEntrySchema.parse(payload)
    const tables = entryTables(entry)
    const session = databases.open(tables)
    const hashIn = (database: typeof session) => tableHash(database.rows(entry.table_info.name))
    const grade = (answer: string): 0 | 1 => {
      const gold = databases.open(tables)
      const result = gold.execute(entry.answer_info.sql)
      const isRight = isQuestion(entry)
        ? matchesGold(answer, toGoldRows(result))
        : hashIn(session) === hashIn(gold)
      gold.close()
      return isRight ? 1 : 0
    }
    let round = 0
    return {
      context: describeTables(tables),
      step(reply) {
        const action = parseAction(reply)
        round++
        if (action.kind !== 'operation') {
          const isAnswer = action.kind === 'answer'
          const finish = isAnswer ? 'completed' : 'invalid-action'
          return { done: true, observation: null, finish, reward: grade(isAnswer ? action.content : '') }
        }
        const observation = formatObservation(session.execute(action.content))
        return round < LAB_DB_MAX_ROUNDS
          ? { done: false, observation }
          : { done: true, observation, finish: 'round-limit', reward: grade('') }
      },
      close: () => session.close(),
    }
  },
})
