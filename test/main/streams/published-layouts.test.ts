import { openEpisode } from '../../../src/core/ground/environment'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { utils, write } from '@e965/xlsx'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { playSolution } from '../../../src/core/tasks/spreadsheet/verify'
import { playGold } from '../../../src/core/tasks/tool-use/verify'
import { createEnvironments } from '../../../src/main/streams/environments'
import { findResources } from '../../../src/main/ground/resources'
import { openStreamLibrary } from '../../../src/main/streams/stream-library'
import { tempFolder } from '../runs/rig-app'

let folder: string
beforeEach(async () => {
  folder = await tempFolder()
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const put = async (path: string, content: string | Uint8Array) => {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), content)
}
const library = () => {
  const streams = openStreamLibrary(join(folder, 'none'), join(folder, 'none'))
  const environments = createEnvironments(findResources().prompts, (stream) => streams.filesOf(stream))
  return { streams, environments }
}

const task = (id: string, over: Record<string, unknown> = {}, domain = 'airline') => ({
  id,
  description: { purpose: 'To see.', relevant_policies: null, notes: null },
  user_scenario: {
    persona: null,
    instructions: {
      task_instructions: 'Insist.',
      domain,
      reason_for_call: 'You want to cancel reservation AAAAAA.',
      known_info: 'You are Ada.\nYour user id is ada_1.',
      unknown_info: null,
    },
  },
  initial_state: null,
  evaluation_criteria: {
    actions: [
      { action_id: `${id}_0`, name: 'get_user_details', arguments: { user_id: 'ada_1' }, info: null },
      {
        action_id: `${id}_1`,
        name: 'cancel_reservation',
        arguments: { reservation_id: 'AAAAAA' },
        info: null,
      },
    ],
    communicate_info: ['100'],
    nl_assertions: ['Agent cancels.'],
    reward_basis: ['DB', 'COMMUNICATE'],
    ...over,
  },
  annotations: null,
})
const database = {
  flights: {},
  users: {
    ada_1: { user_id: 'ada_1', name: { first_name: 'Ada' }, payment_methods: {}, reservations: ['AAAAAA'] },
  },
  reservations: {
    AAAAAA: {
      reservation_id: 'AAAAAA',
      user_id: 'ada_1',
      origin: 'SFO',
      destination: 'JFK',
      flight_type: 'one_way',
      cabin: 'economy',
      flights: [],
      passengers: [],
      payment_history: [{ payment_id: 'credit_card_1', amount: 100 }],
      created_at: '2024-05-15T01:00:00',
      total_baggages: 0,
      nonfree_baggages: 0,
      insurance: 'no',
      status: null,
    },
  },
}

test("tau2-bench's tasks.json is read with policy and database beside it; what cannot be played is told", async () => {
  const tasks = [
    task('0'),
    task('1', { actions: [{ name: 'reboot_phone', arguments: {}, requestor: 'user' }] }),
    task('2', { actions: [{ name: 'sell_plane', arguments: {} }] }),
    task('3', { env_assertions: [{ env_type: 'assistant', func_name: 'assert_flies', arguments: {} }] }),
    task('4', {}, 'shipping'),
    { ...task('5'), initial_state: { initialization_actions: [{ env_type: 'user', func_name: 'x' }] } },
    { ...task('7'), initial_state: { weather: 'rain' } },
    task('8', { actions: [] }, 'telecom'),
    { ...task('6'), initial_state: { initialization_data: null, message_history: [] } },
  ]
  await put('airline/tasks.json', JSON.stringify(tasks))
  const path = join(folder, 'airline', 'tasks.json')
  const { streams, environments } = library()
  await expect(streams.load(path)).rejects.toMatchObject({
    code: 'TASK_STREAM',
    message: expect.stringContaining('db.json') as string,
  })

  await put('airline/policy.md', '# Policy\nCancel all.')
  await put('airline/db.json', JSON.stringify(database))
  const { info, tasks: loaded } = await streams.load(path)
  expect(info).toMatchObject({
    environment: 'tool-use',
    tasks: 2,
    description: '2 conversations with tools from a file.',
  })
  expect(loaded.map(({ id, instruction }) => [id, instruction])).toEqual([
    ['0', 'I want to cancel reservation AAAAAA.'],
    ['6', 'I want to cancel reservation AAAAAA.'],
  ])
  expect(info.reading.left.map(({ entry, why }) => `${entry} ${why}`)).toEqual([
    '2 the tool reboot_phone is not part of Loam',
    '3 the tool sell_plane is not part of Loam',
    '4 assert_flies is not part of Loam',
    '5 the tools of the domain "shipping" are not part of Loam, which has: retail, airline, telecom, mock',
    '6 x is not part of Loam',
    '7 initial_state: starts from a state that cannot be set up here',
    '8 main_policy.md, tech_support_manual.md, db.toml, user_db.toml cannot be read beside the stream: ENOENT',
  ])
  const environment = await environments.acting('tool-use')
  const [first] = loaded
  if (!first) throw new Error('no task')
  expect((await openEpisode(environment, first)).context).toContain('Cancel all.')
  expect(await playGold(environment, first)).toBeNull()

  await put('airline/policy.md', '# Another policy')
  const again = library()
  await again.streams.load(path)
  const other = await again.environments.acting('tool-use')
  await expect(openEpisode(other, first)).rejects.toThrow(/changed since the stream was opened/)
})

test("SpreadsheetBench's dataset.json is read with the workbooks of each test case", async () => {
  const entry = (id: string | number) => ({
    id,
    instruction: 'Write 5 into A1.',
    spreadsheet_path: `spreadsheet/${id}`,
    instruction_type: 'Cell-Level Manipulation',
    answer_position: "'S'!A1",
  })
  const book = (value: number) => {
    const file = utils.book_new()
    utils.book_append_sheet(file, utils.aoa_to_sheet([[value]]), 'S')
    return new Uint8Array(write(file, { type: 'array', bookType: 'xlsx' }) as ArrayBuffer)
  }
  const solved = { ...entry('12-3'), solution: "workbook.sheet('S').set('A1', 5)" }
  await put(
    'data/dataset.json',
    JSON.stringify([entry(7), entry(8), solved, { ...entry(9), answer_position: 'all of it' }]),
  )
  for (const [id, numbers] of [
    [7, [1, 2, 10]],
    ['12-3', [1]],
  ] as const) {
    for (const number of numbers) {
      await put(`data/spreadsheet/${id}/${number}_${id}_input.xlsx`, book(number))
      await put(`data/spreadsheet/${id}/${number}_${id}_answer.xlsx`, book(5))
    }
  }
  await put('data/spreadsheet/7/3_7_input.xlsx', book(3))
  const { streams, environments } = library()
  const { info, tasks } = await streams.load(join(folder, 'data', 'dataset.json'))
  expect(info.reading.left).toEqual([
    { line: 1, entry: 2, why: 'its workbooks in spreadsheet/8 cannot be read: ENOENT' },
    { line: 1, entry: 4, why: 'answer_position: names no cells that can be read' },
  ])
  const [seven, twelve] = tasks
  if (!seven || !twelve) throw new Error('no tasks')
  expect(
    (seven.payload as { cases: { input: { path: string } }[] }).cases.map(({ input }) => input.path),
  ).toEqual(['spreadsheet/7/1_7_input.xlsx', 'spreadsheet/7/2_7_input.xlsx', 'spreadsheet/7/10_7_input.xlsx'])
  const environment = await environments.acting('spreadsheet')
  expect(await playSolution(environment, seven)).toBeUndefined()
  expect(await playSolution(environment, twelve)).toBeNull()
  await put('data/spreadsheet/7/1_7_input.xlsx', book(4))
  await expect(openEpisode(environment, seven)).rejects.toThrow(/changed since the stream was opened/)
})

test('the verified SpreadsheetBench calls its workbooks init and golden', async () => {
  const book = (value: number) => {
    const made = utils.book_new()
    utils.book_append_sheet(made, utils.aoa_to_sheet([[value]]), 'S')
    return new Uint8Array(write(made, { type: 'array' }) as ArrayBuffer)
  }
  const entry = (id: string) => ({
    ...{ id, instruction: 'Make A1 five.', spreadsheet_path: `spreadsheet/${id}` },
    ...{ instruction_type: 'Cell-Level Manipulation', answer_position: 'A1', answer_sheet: 'S' },
  })
  await put('v/dataset.json', JSON.stringify([entry('13-1'), entry('42930')]))
  await put('v/spreadsheet/13-1/1_13-1_init.xlsx', book(1))
  await put('v/spreadsheet/13-1/1_13-1_golden.xlsx', book(5))
  await put('v/spreadsheet/42930/initial.xlsx', book(1))
  await put('v/spreadsheet/42930/golden.xlsx', book(5))
  await put('v/spreadsheet/42930/prompt.txt', new Uint8Array([65]))
  const { tasks, info } = await library().streams.load(join(folder, 'v', 'dataset.json'))
  expect(info.reading.left).toEqual([])
  // The folder stands for the file in it.
  expect((await library().streams.load(join(folder, 'v'))).info.id).toBe(info.id)
  expect(
    tasks.map(({ payload }) =>
      (payload as { cases: { input: { path: string }; answer: { path: string } }[] }).cases.map(
        ({ input, answer }) => [input.path.split('/').at(-1), answer.path.split('/').at(-1)],
      ),
    ),
  ).toEqual([[['1_13-1_init.xlsx', '1_13-1_golden.xlsx']], [['initial.xlsx', 'golden.xlsx']]])
})
