import {
  whyUnreadable,
  type EnvironmentModule,
  type TaskFolder,
  type Verdict,
  type World,
} from '../../ground/environment-module'
import { defineSettings, readSettings, whole } from '../../ground/settings'
import { roundsSetting, rulesOf, ruleTemplates } from '../../ground/replies/reply-environment'
import { repliesSetting } from '../../ground/replies/reply-reader'
import type { SettingChanges } from '../../../shared/domain/setting'
import type { Task } from '../../../shared/domain/task'
import { pairsAmong, spreadsheetEntrySchema, type SpreadsheetEntry } from './entry'
import {
  ACTIONS,
  createSpreadsheetEnvironment,
  SHOWN_ROWS,
  SPREADSHEET,
  SPREADSHEET_MAX_ROUNDS,
  type SpreadsheetOptions,
} from './environment'
import { writeAction } from './grammar'
import { spreadsheetReader } from './reader'
import { replayAnswer } from './replay'
import { playSolution } from './verify'
import { WORKBOOKS } from '../../sheets/workbook'

const SETTINGS = defineSettings(SPREADSHEET, 'Spreadsheets', {
  rounds: roundsSetting(
    SPREADSHEET_MAX_ROUNDS,
    50,
    'Replies an attempt may take; code in the last one ends it.',
    'SpreadsheetBench, multi-round setting',
  ),
  rowsShown: whole(0, 100, SHOWN_ROWS, {
    title: 'Rows shown',
    help: 'Rows of each sheet that the agent sees with the task.',
    unit: 'rows',
    source: 'SpreadsheetBench',
  }),
  replies: repliesSetting,
})

/** The test cases of a task, with the checksum of each workbook. */
async function attach({ payload }: Task, folder: TaskFolder) {
  const entry = spreadsheetEntrySchema.parse(payload)
  const { spreadsheet_path: path } = entry
  try {
    const cases: SpreadsheetEntry['cases'] = []
    for (const { input, answer } of pairsAmong(await folder.names(path))) {
      const file = async (name: string) => {
        const relative = `${path}/${name}`
        return { path: relative, sha256: await folder.digest([relative]) }
      }
      cases.push({ input: await file(input), answer: await file(answer) })
    }
    if (cases.length === 0) return { reason: `there is no pair of input and answer workbooks in ${path}` }
    return { payload: { ...entry, cases } }
  } catch (error) {
    return { reason: `its workbooks in ${path} cannot be read: ${whyUnreadable(error)}` }
  }
}

const readerOf =
  (world: World): SpreadsheetOptions['read'] =>
  (source, { path, sha256 }) => {
    const [bytes = new Uint8Array()] = world.files(source, [path], sha256)
    return bytes
  }

async function open(world: World, changes: SettingChanges) {
  const { rounds, rowsShown, replies } = readSettings(SETTINGS, changes)
  return createSpreadsheetEnvironment({
    systemPrompt: await rulesOf(world, SPREADSHEET, replies, rounds),
    engine: await world.port(WORKBOOKS),
    replies,
    rounds,
    rowsShown,
    read: readerOf(world),
  })
}

/** Spreadsheets, as SpreadsheetBench has them. */
export const spreadsheet: EnvironmentModule = {
  id: SPREADSHEET,
  words: {
    title: 'Spreadsheets',
    tasks: 'spreadsheet tasks',
    about: 'Writes JavaScript that changes a workbook.',
    solved: 'The answer cells of every test case hold the right values.',
    source: "SpreadsheetBench's dataset.json with the folder spreadsheet beside it",
    domain: SPREADSHEET,
  },
  colour: 4,
  play: 'acting',
  learnsFrom: 30,
  prompts: ruleTemplates(SPREADSHEET),
  settings: SETTINGS,
  sample: 'sheets',
  ...spreadsheetReader,
  attach,
  open,
  async verifier(world) {
    const environment = await open(world, {})
    const engine = await world.port(WORKBOOKS)
    return async (task): Promise<Verdict> => {
      const why = await playSolution(environment, task)
      // The benchmark's tasks bring no code, but the workbooks that came of it.
      if (why === undefined) return replayAnswer(task, { engine, read: readerOf(world) })
      return why === null ? { kind: 'agrees' } : { kind: 'disagrees', why }
    }
  },
  actions: () => ACTIONS,
  writeAction,
}
