import type { EnvironmentModule } from '../../ground/environment-module'
import { defineSettings, readSettings, text } from '../../ground/settings'
import { ACTIONS, writeAction } from './actions'
import { SQL_ENGINES } from './engines'
import { createLabDbEnvironment, LAB_DB, LAB_DB_MAX_ROUNDS } from './environment'
import { labDbEntrySchema } from './entry'
import { replayGold } from './grader'
import { formatObservation } from './observation'
import { labDbReader } from './reader'
import { roundsSetting, rulesOf, ruleTemplates } from '../../ground/replies/reply-environment'
import { repliesSetting } from '../../ground/replies/reply-reader'
import { verifyEntry } from './verify'

const SETTINGS = defineSettings(LAB_DB, 'Databases', {
  rounds: roundsSetting(
    LAB_DB_MAX_ROUNDS,
    30,
    'Replies an attempt may take; an operation in the last one ends it.',
    'LifelongAgentBench',
  ),
  replies: repliesSetting,
  server: text('', {
    title: 'Database server',
    help: 'A MySQL or MariaDB server, like mysql://loam@127.0.0.1:3306; each attempt gets a database of its own there. Left empty: the embedded engine.',
  }),
})

/** LifelongAgentBench's databases. */
export const labDb: EnvironmentModule = {
  id: LAB_DB,
  words: {
    title: 'Databases',
    tasks: 'database tasks',
    about: 'Writes SQL for a MySQL-like database, made anew for each attempt.',
    solved: 'The answer states the gold rows, or the table is as the gold SQL leaves it.',
    source: "LifelongAgentBench's db_bench.json",
    domain: 'database',
  },
  colour: 1,
  play: 'acting',
  prompts: ruleTemplates(LAB_DB),
  settings: SETTINGS,
  sample: 'house-rules-a',
  ...labDbReader,
  async open(world, changes) {
    const { rounds, replies, server } = readSettings(SETTINGS, changes)
    const systemPrompt = await rulesOf(world, LAB_DB, replies, rounds)
    const engine = await (await world.port(SQL_ENGINES)).find(server)
    return createLabDbEnvironment(engine, { systemPrompt, rounds, replies })
  },
  async verifier(world, changes = {}) {
    const { server } = readSettings(SETTINGS, changes)
    const engine = await (await world.port(SQL_ENGINES)).find(server)
    return (task) => verifyEntry(engine, task)
  },
  async solution(world, changes = {}) {
    const { server } = readSettings(SETTINGS, changes)
    const engine = await (await world.port(SQL_ENGINES)).find(server)
    return async (task) => {
      const entry = labDbEntrySchema.parse(task.payload)
      const { result } = await replayGold(engine, entry)
      return `${entry.answer_info.sql}\n${formatObservation(result)}`
    }
  },
  entryFrom(task, id, rounds) {
    const solved = rounds
      .flatMap(({ action }) => (action.kind === 'operation' ? [action.content] : []))
      .at(-1)
    if (solved === undefined) return null
    const { table_info, extra_tables, world } = labDbEntrySchema.parse(task.payload)
    return {
      ...{ id, instruction: task.instruction, table_info, extra_tables },
      answer_info: { sql: solved, md5: null, direct: null },
      skill_list: task.skills,
      ...(world !== undefined && { world }),
    }
  },
  actions: () => ACTIONS,
  writeAction,
}
