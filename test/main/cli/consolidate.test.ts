import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { softPromptsCommand } from '../../../src/main/cli/commands/soft-prompts'
import { readCommandLine } from '../../../src/main/cli/program'
import type { ReachedHost } from '../../../src/main/cli/own-host'
import type { ConsoleIo } from '../../../src/main/cli/console-io'
import type { TrainInput } from '../../../src/shared/domain/soft-prompt-training'
import { exampleInfo } from '../soft-prompts/fixtures'

const said: string[] = []
const io = {
  out: (text: string) => said.push(text),
  note: () => undefined,
  status: () => undefined,
  tell: () => undefined,
  endStatus: () => undefined,
  ask: null,
  color: false,
  signal: new AbortController().signal,
} as unknown as ConsoleIo

const asked: TrainInput[] = []
const info = { ...exampleInfo([5, 6]), adapterSha256: 'c'.repeat(64) }
const job = { id: 'j', status: 'done', activity: '', done: 1, total: 1, etaMs: null, problem: null }
const used: string[] = []
const client = {
  softPrompts: {
    plan: (input: TrainInput) => {
      asked.push(input)
      const estimate = { workBytes: 3e6, weightBytes: 8e6 }
      return Promise.resolve({
        ...{ environment: 'lab-db', attempts: [{}], rounds: 2, estimate, freeBytes: 9e9, untie: null },
        time: { teacherMs: 90_000, trainingMs: 600_000, measured: false },
        settings: { steps: 100 },
      })
    },
    start: (input: TrainInput) => {
      asked.push(input)
      return Promise.resolve({ jobId: 'j' })
    },
    list: () => Promise.resolve({ items: [{ info: { ...info, adapter: 'one.gguf' } }] }),
    accept: ({ adapter }: { adapter: string }) => {
      used.push(adapter)
      return Promise.resolve({ items: [{ info: { ...info, adapter } }] })
    },
  },
  jobs: {
    list: () => Promise.resolve([job]),
    report: () => Promise.resolve({ adapter: '/space/one.gguf', model: '/model.gguf' }),
  },
} as unknown as ReachedHost['client']
const nothing = (): Promise<void> => Promise.resolve()

function run(...argv: string[]) {
  const line = readCommandLine(['soft-prompts', 'train', ...argv])
  if (line.kind === 'text') throw new Error(line.text)
  const host = { client, joined: false, gone: new Promise<void>(nothing), share: nothing, close: nothing }
  return softPromptsCommand({
    args: line.args,
    io,
    host: () => Promise.resolve(host),
    app: () => Promise.reject(new Error('not used')),
  })
}

test('loam soft-prompts train ends with what was learned and how far the loss fell', async () => {
  expect(await run('--memory', 'dir', '--stream', 's', '--student', '0', '--length', '2')).toEqual({
    adapter: '/space/one.gguf',
    model: '/model.gguf',
    baseModelSha256: 'a'.repeat(64),
    reservedIds: [5, 6],
    initialLoss: 2,
    finalLoss: 0.1,
    heldOutLoss: 0.2,
    steps: 10,
    wallMs: 1234,
  })
  expect(asked.at(-1)).toMatchObject({
    memory: resolve('dir'),
    stream: 's',
    student: 0,
    settings: { length: 2 },
    untie: false,
  })
  // It used to be served to every later run of the memory, untried.
  expect(used).toEqual([])
  await run('--memory', 'dir', '--stream', 's', '--use')
  expect(used).toEqual(['one.gguf'])
})

test('a dry run says what it would take and trains nothing', async () => {
  await run('--memory', 'dir', '--stream', 's', '--dry-run')
  expect(said.slice(-2)).toEqual([
    'It takes about 1 min 30 s for the teacher and at most 10 min 0 s for 100 steps (a first guess, until one was trained here); it ends earlier when no more is gained.',
    "It takes about 3 MB beside the weights' 8 MB; 9000 MB are free.",
  ])
})

test('sizes have names, and what is given beside one goes over it', async () => {
  await run('--memory', 'dir', '--stream', 's', '--shown', 'inside')
  expect(asked.at(-1)).toMatchObject({ teacher: 32, student: 20, fresh: false })
  await run('--memory', 'dir', '--stream', 's', '--shown', 'paper', '--student', '3', '--fresh')
  expect(asked.at(-1)).toMatchObject({ teacher: 20, student: 3, fresh: true })
})

test.each([
  ['--actions', 'guess'],
  ['--backend', 'tpu'],
  ['--shown', 'much'],
  ['--teacher', '0'],
])('refuses %s %s', async (option, value) => {
  await expect(run('--memory', 'dir', '--stream', 's', option, value)).rejects.toThrow(option)
})
