import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { abortError } from '../../../src/core/ground/abort'
import { createRouter } from '../../../src/main/api/router'
import { JobRegistry } from '../../../src/main/ground/jobs'
import { createTransports, type Transports } from '../../../src/main/api/transports'
import type { App } from '../../../src/main/app'
import type { SoftPromptTraining } from '../../../src/main/soft-prompts/soft-prompt-training'
import { createSoftPrompts, type SoftPrompts } from '../../../src/main/soft-prompts/soft-prompts'
import { removePending, writePending } from '../../../src/main/soft-prompts/pending'
import { openSoftPromptStore } from '../../../src/main/soft-prompts/soft-prompt-store'
import { writeSoftPrompt } from '../../../src/main/soft-prompts/soft-prompt-file'
import { SILENT_LOGGER } from '../../../src/main/ground/logger'
import type { Memories } from '../../../src/main/memories/memories'
import type { StreamLibrary } from '../../../src/main/streams/stream-library'
import type { Contract } from '../../../src/shared/contract'
import type { TrainInput, TrainingWork } from '../../../src/shared/domain/soft-prompt-training'
import { NO_USAGE, type Trajectory } from '../../../src/shared/domain/trajectory'
import { fakeBank, fakeRecord, fakeTasks, fakeTrajectory, openRig, tick } from '../runs/fakes'
import { exampleInfo, solvedAttempt } from './fixtures'

const MEMORY = 'space-1'
const INPUT: TrainInput = { memory: MEMORY, stream: 'tales', compare: { tasks: 2, from: null } }

let folder: string
let now: number
let solved: Trajectory[]
let jobs: JobRegistry
let service: SoftPrompts
let client: Transports<Contract>['client']
/** The trainer: does what the test says, in the place of a teacher and a process of its own. */
let train: (signal: AbortSignal | undefined) => Promise<void>
let runs: Awaited<ReturnType<typeof openRig>>['service']
let attempt: () => Promise<void>

const at = (): string => new Date(now).toISOString()
const clock = { now: () => new Date(now) }
const attemptOf = (name: string): Trajectory => ({
  ...solvedAttempt(name, `Where is ${name}?`, ['Here.']),
  finishedAt: at(),
})

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-consolidations-'))
  now = Date.parse('2025-01-02T00:00:00Z')
  solved = ['Anna', 'Ben', 'Cleo', 'Dora'].map(attemptOf)
  train = () => Promise.resolve()
  attempt = () => Promise.resolve()
  const rig = await openRig(join(folder, 'runs'), fakeBank(), fakeTasks(2), async (input) => {
    await attempt()
    return fakeTrajectory(input)
  })
  runs = rig.service
  jobs = new JobRegistry({ graceMs: 50 })
  const training: SoftPromptTraining = {
    plan: () => Promise.reject(new Error('not used')),
    requireTrainable: () => Promise.reject(new Error('not used')),
    forecast: () => Promise.reject(new Error('not used')),
    async consolidate(input, { signal, onStage } = {}) {
      const softPromptList = openSoftPromptStore(join(folder, 'space'))
      await softPromptList.setSchedule(await softPromptList.schedule())
      await writePending(softPromptList.folder, { at: at(), input, taught: null })
      onStage?.({ kind: 'distilling', done: 0, total: 4 })
      await train(signal)
      const point = { step: 1, loss: 0.5, heldOutLoss: 0.6, rate: 0.1 }
      onStage?.({ kind: 'training', progress: { point, steps: 1, etaMs: 0 } })
      const info = {
        ...exampleInfo([300, 301]),
        createdAt: at(),
        environment: 'tales',
        trajectories: ['Anna', 'Ben'],
        heldOut: ['Cleo'],
      }
      const file = await writeSoftPrompt(softPromptList.folder, `tales-${now}`, info, new Float32Array(128))
      await removePending(softPromptList.folder)
      return { file, model: '/nowhere.gguf' }
    },
    resume: (_space, options) => training.consolidate(INPUT, options),
  }
  const bank = {
    recentSuccesses: () => Promise.resolve(solved),
    trajectory: (id: string) => Promise.resolve(solved.find((one) => one.id === id) ?? null),
  }
  const tasks = ['Anna', 'Ben', 'Cleo', 'Dora', 'Emil', 'Fay'].map((name, index) => ({
    ...(fakeTasks(1)[0] as ReturnType<typeof fakeTasks>[number]),
    id: name,
    index,
    instruction: `Where is ${name}?`,
  }))
  service = createSoftPrompts({
    clock,
    logger: SILENT_LOGGER,
    jobs,
    training,
    hasher: {
      hash: () => Promise.resolve({ sha256: 'a'.repeat(64), sizeBytes: 1000 }),
      known: () => Promise.resolve(null),
    },
    demoModel: '/demo.gguf',
    exportFolder: join(folder, 'exports'),
    memories: {
      folder: () => join(folder, 'space'),
      open: () => Promise.resolve(bank),
      list: () => Promise.resolve([{ id: MEMORY }]),
    } as unknown as Memories,
    streams: {
      load: () => Promise.resolve({ info: { environment: 'tales' }, tasks }),
    } as unknown as StreamLibrary,
    waitForModel: (title, signal) => runs.waitForModel(title, signal),
    atWork: () => runs.atWork(),
    runsPending: () => runs.list().some(({ status }) => status === 'running' || status === 'queued'),
    openPlayer: () =>
      Promise.resolve((task, withSoftPrompt) =>
        Promise.resolve({
          ...solvedAttempt(task.id, task.instruction, ['Here.']),
          reward: withSoftPrompt ? 1 : 0,
          usage: { ...NO_USAGE, promptTokens: withSoftPrompt ? 30 : 10 },
        }),
      ),
  })
  client = createTransports<Contract>(
    createRouter({ softPrompts: service, models: {} } as unknown as App),
  ).client
})
afterEach(async () => {
  await runs.close()
  await jobs.close()
  service.close()
  await rm(folder, { recursive: true })
})

async function workOnce(reached: (work: TrainingWork) => boolean): Promise<TrainingWork> {
  for (let tries = 0; tries < 400; tries++) {
    const feed = await client.softPrompts.watch({ memoryId: MEMORY })
    const { value: first, done } = await feed.next()
    await feed.return?.()
    if (!done && first.kind === 'snapshot' && first.state.work && reached(first.state.work))
      return first.state.work
    await tick(5)
  }
  throw new Error('it never came to that')
}
const ended = () => workOnce(({ phase }) => ['done', 'failed', 'cancelled'].includes(phase))
const trained = async (): Promise<string> => {
  now += 60_000
  await client.softPrompts.start(INPUT)
  const work = await ended()
  expect(work.problem).toBeNull()
  return work.adapter ?? ''
}
const untilAborted = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(abortError())))

test('trains, tries it on tasks it has not seen, and leaves the decision to the person', async () => {
  const adapter = await trained()
  const work = await ended()
  expect(work).toMatchObject({ kind: 'training', phase: 'done', scheduled: false, waitingFor: null })
  expect(work.curve.map(({ step }) => step)).toEqual([1])
  // Anna, Ben and Cleo were learned from or held out.
  expect(work.compared.map(({ id }) => id)).toEqual(['Emil', 'Fay'])

  const softPromptList = await client.softPrompts.list({ memoryId: MEMORY })
  expect(softPromptList).toMatchObject({ history: [], interrupted: null, items: [{ state: 'candidate' }] })
  expect(softPromptList.items[0]?.info.comparison?.tasks).toEqual(work.compared)
  expect(work.compared[0]).toMatchObject({
    without: { reward: 0, promptTokens: 10 },
    with: { reward: 1, promptTokens: 30 },
  })

  const accepted = await client.softPrompts.accept({ memoryId: MEMORY, adapter })
  expect(accepted.items[0]?.state).toBe('in-use')
  expect(await client.softPrompts.served({ memoryId: MEMORY, stream: 'tales' })).toEqual({
    tokens: 2,
    createdAt: at(),
    refusal: null,
  })
  await expect(client.softPrompts.remove({ memoryId: MEMORY, adapter })).rejects.toMatchObject({
    code: 'CONFLICT',
  })
})

test('goes back to the one before, discards and takes that back', async () => {
  const first = await trained()
  const second = await trained()
  await client.softPrompts.accept({ memoryId: MEMORY, adapter: first })
  await client.softPrompts.accept({ memoryId: MEMORY, adapter: second })
  const states = async () =>
    (await client.softPrompts.list({ memoryId: MEMORY })).items.map(({ state }) => state)
  expect(await states()).toEqual(['in-use', 'earlier'])
  await client.softPrompts.undo({ memoryId: MEMORY, environment: 'tales' })
  expect(await states()).toEqual(['candidate', 'in-use'])
  await client.softPrompts.remove({ memoryId: MEMORY, adapter: second })
  expect(await states()).toEqual(['in-use'])
  await client.softPrompts.restore({ memoryId: MEMORY, adapter: second })
  expect(await states()).toEqual(['candidate', 'in-use'])
  await client.softPrompts.undo({ memoryId: MEMORY, environment: 'tales' })
  expect(await states()).toEqual(['candidate', 'candidate'])
  await expect(client.softPrompts.undo({ memoryId: MEMORY, environment: 'tales' })).rejects.toMatchObject({
    code: 'CONFLICT',
  })
  const { files } = await client.softPrompts.export({ memoryId: MEMORY, adapter: first })
  expect(files.map((file) => basename(file))).toContain(first)
})

test('stops when told to, keeps what it had, and goes on', async () => {
  train = untilAborted
  await client.softPrompts.start(INPUT)
  await workOnce(({ phase }) => phase === 'teaching')
  await expect(client.softPrompts.start(INPUT)).rejects.toMatchObject({ code: 'CONFLICT' })
  await client.softPrompts.cancel({ memoryId: MEMORY })
  expect((await ended()).phase).toBe('cancelled')
  const { interrupted } = await client.softPrompts.list({ memoryId: MEMORY })
  expect(interrupted).toMatchObject({ taught: false, step: 0 })

  train = () => Promise.resolve()
  await client.softPrompts.resume({ memoryId: MEMORY })
  await workOnce(({ phase }) => phase === 'done')
  expect(await client.softPrompts.list({ memoryId: MEMORY })).toMatchObject({
    interrupted: null,
    items: [{ state: 'candidate' }],
  })
})

test('waits for a run, and runs wait for it; neither fails', async () => {
  let letRun: () => void = () => undefined
  const gate = new Promise<void>((resolve) => (letRun = resolve))
  attempt = () => gate
  await runs.start(fakeRecord('run-1', 2))
  await client.softPrompts.start(INPUT)
  const waiting = await workOnce(({ waitingFor }) => waitingFor !== null)
  expect(waiting).toMatchObject({ phase: 'waiting', waitingFor: 'a run of case-bank' })

  let letTrain: () => void = () => undefined
  train = () => new Promise((resolve) => (letTrain = resolve))
  letRun()
  expect((await runs.ended('run-1')).status).toBe('done')
  await workOnce(({ phase }) => phase === 'teaching')
  await runs.start(fakeRecord('run-2', 2))
  await tick(20)
  expect(runs.get('run-2').status).toBe('queued')
  letTrain()
  await workOnce(({ phase }) => phase === 'done')
  expect((await runs.ended('run-2')).status).toBe('done')
})

test('begins by itself as its schedule says, once for the same tasks', async () => {
  const setRule = (rule: Parameters<typeof client.softPrompts.setSchedule>[0]['rule']) =>
    client.softPrompts.setSchedule({ memoryId: MEMORY, rule, input: INPUT })
  await setRule({ kind: 'solved', tasks: 5 })
  await service.beginDue()
  expect(jobs.list()).toEqual([])
  solved.push(attemptOf('Emil'))
  now += 1000
  await service.beginDue()
  expect(await ended()).toMatchObject({ phase: 'done', scheduled: true })
  await service.beginDue()
  expect(jobs.list()).toHaveLength(1)

  const idle = await setRule({ kind: 'idle', minutes: 10 })
  expect(idle.schedule).toMatchObject({ rule: { kind: 'idle', minutes: 10 } })
  now += 60_000
  solved.push(attemptOf('Fay'), attemptOf('Gus'))
  now += 60_000
  await service.beginDue()
  expect(jobs.list()).toHaveLength(1)
  now += 10 * 60_000
  await service.beginDue()
  expect(jobs.list()).toHaveLength(2)
  await ended()
})
