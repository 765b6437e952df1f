import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LoamError } from '../../../src/shared/errors'
import { endless, fakeBank, fakeRecord, fakeTasks, fakeTrajectory, openRig, tick } from './fakes'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-runs-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const played = (input: Parameters<typeof fakeTrajectory>[0]) => Promise.resolve(fakeTrajectory(input))
const indices = (bank: ReturnType<typeof fakeBank>): number[] =>
  bank.commits.flatMap((events) =>
    events.flatMap((event) => (event.kind === 'trajectory-added' ? [event.trajectory.task.index] : [])),
  )

test('plays every task and commits attempt and case together', async () => {
  const bank = fakeBank()
  const { service } = await openRig(folder, bank, fakeTasks(6), played)
  await service.start(fakeRecord('run-a', 6))
  const run = await service.settled('run-a')
  expect(run).toMatchObject({
    status: 'done',
    done: 6,
    solved: 3,
    rewards: [1, 0, 1, 0, 1, 0],
    problem: null,
  })
  expect(bank.commits).toHaveLength(6)
  expect(bank.commits[2]?.map((event) => event.kind)).toEqual(['trajectory-added', 'case-added'])
  expect(service.report('run-a')).toMatchObject({
    successRate: 0.5,
    firstRate: 0.5,
    lastRate: 0.5,
    promptTokens: 60,
  })
  expect((await service.trajectory('run-a', 5)).reward).toBe(0)
  await expect(service.trajectory('run-a', 6)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('tells of each step once it is stored', async () => {
  const { service, told } = await openRig(folder, fakeBank(), fakeTasks(6), played)
  await service.start(fakeRecord('run-a', 6))
  await service.settled('run-a')
  expect([...new Set(told.map(({ rewards }) => rewards))]).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect(service.snapshot('run-a')).toMatchObject({ live: null, last: { task: { index: 5 } } })
  const { rewards: _curve, ...head } = service.get('run-a')
  expect(service.head('run-a')).toEqual(head)
})

test('holds no steps of a run that is over: they are read from its folder, which is put right where it is damaged', async () => {
  const { service } = await openRig(folder, fakeBank(), fakeTasks(6), played)
  await service.start(fakeRecord('run-a', 6))
  await service.settled('run-a')
  await service.rename('run-a', 'First')
  const [run, path] = [service.get('run-a'), join(folder, 'run-a', 'events.jsonl')]
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.replace('"taskId":"t4"', '"taskId":"t5"'))
  expect(service.get('run-a')).toEqual(run)
  expect(service.steps('run-a')).toHaveLength(4)
  await vi.waitFor(() => expect(service.head('run-a').repaired).toMatch(/put right/))
  expect(service.steps('run-a').map(({ taskId }) => taskId)).toEqual(['t0', 't1', 't2', 't3', 't4', 't5'])
  expect(service.get('run-a')).toMatchObject({ name: 'First', status: 'done', solved: 3 })
})

test('attempts at held-out tasks say so and nothing is kept of them but the attempt', async () => {
  const bank = fakeBank()
  const tasks = fakeTasks(4).map((task, i) => ({ ...task, skills: i < 2 ? ['known'] : ['new'] }))
  const { service } = await openRig(folder, bank, tasks, played)
  const record = fakeRecord('run-a', 4)
  const protocol = { iterations: 1, passes: 1, retest: 0, heldOut: ['new'] }
  await service.start({ ...record, config: { ...record.config, protocol } })
  expect(await service.settled('run-a')).toMatchObject({ status: 'done', done: 4 })
  expect(bank.commits.map((events) => events.length)).toEqual([2, 2, 1, 1])
  const heldOut = bank.commits.map(
    ([event]) => event?.kind === 'trajectory-added' && event.trajectory.heldOut,
  )
  expect(heldOut).toEqual([undefined, undefined, true, true])
})

test('further attempts at a task are drawn as the protocol says', async () => {
  const drawn: unknown[] = []
  const { service } = await openRig(folder, fakeBank(), fakeTasks(4), (input) => {
    drawn.push([input.task.index, input.temperature, input.sampling])
    return played(input)
  })
  const record = fakeRecord('run-a', 4)
  const protocol = { iterations: 1, passes: 2, retest: 0, againTemperature: 0.9 }
  await service.start({ ...record, config: { ...record.config, temperature: 0.2, protocol } })
  await service.settled('run-a')
  // The first of the two tasks is solved, so only the second is tried again.
  expect(drawn).toEqual([
    [0, 0.2, undefined],
    [1, 0.2, undefined],
    [3, 0.9, { topP: 1 }],
  ])
})

test('pauses between two tasks and goes on with the next', async () => {
  const bank = fakeBank()
  const { service } = await openRig(folder, bank, fakeTasks(5), async (input) => {
    if (input.task.index === 1) {
      expect(service.get('run-a').pausing).toBeUndefined()
      await service.pause('run-a')
      expect(service.get('run-a')).toMatchObject({ status: 'running', pausing: true })
    }
    return fakeTrajectory(input)
  })
  await service.start(fakeRecord('run-a', 5))
  expect(await service.settled('run-a')).toMatchObject({ status: 'paused', done: 2, problem: null })
  await service.resume('run-a')
  expect(await service.settled('run-a')).toMatchObject({ status: 'done', done: 5 })
  expect(indices(bank)).toEqual([0, 1, 2, 3, 4])
})

test('cancels in the middle of a word and keeps nothing of the unfinished task, however deaf the model', async () => {
  const bank = fakeBank()
  const { service } = await openRig(folder, bank, fakeTasks(3), (input, events) =>
    input.task.index === 0 ? played(input) : endless(60_000)(input, events),
  )
  await service.start(fakeRecord('run-a', 3))
  while (service.snapshot('run-a').live?.streaming !== 'thinking') await tick()
  expect(await service.cancel('run-a')).toMatchObject({ status: 'cancelled', done: 1 })
  expect(service.snapshot('run-a').live).toBeNull()
  expect(indices(bank)).toEqual([0])
  await expect(service.resume('run-a')).rejects.toMatchObject({ code: 'CONFLICT' })
})

test('pauses with the reason when the engine dies, and resumes at the unfinished task', async () => {
  const bank = fakeBank()
  let alive = false
  const { service } = await openRig(folder, bank, fakeTasks(4), (input) => {
    if (input.task.index !== 2 || alive) return played(input)
    alive = true
    return Promise.reject(
      new LoamError('ENGINE_DIED', 'The process was killed.', { suggestion: 'Resume the run.' }),
    )
  })
  await service.start(fakeRecord('run-a', 4))
  expect(await service.settled('run-a')).toMatchObject({
    status: 'paused',
    done: 2,
    problem: { code: 'ENGINE_DIED' },
  })
  await service.resume('run-a')
  expect(await service.settled('run-a')).toMatchObject({ status: 'done', problem: null })
  expect(indices(bank)).toEqual([0, 1, 2, 3])
})

test('ends as failed on errors that resuming cannot mend', async () => {
  const { service } = await openRig(folder, fakeBank(), fakeTasks(2), () =>
    Promise.reject(new Error('a bug')),
  )
  await service.start(fakeRecord('run-a', 2))
  expect(await service.settled('run-a')).toMatchObject({
    status: 'failed',
    problem: { code: 'INTERNAL', cause: 'a bug' },
  })
})

test('runs wait for each other, and one in line can be cancelled', async () => {
  const bank = fakeBank()
  const { service } = await openRig(folder, bank, fakeTasks(2), (input, events) =>
    input.runId === 'run-a' ? endless()(input, events) : played(input),
  )
  await service.start(fakeRecord('run-a', 2))
  await service.start(fakeRecord('run-b', 2))
  await service.start(fakeRecord('run-c', 2))
  expect(service.list().map((run) => run.status)).toEqual(['queued', 'queued', 'running'])
  await service.cancel('run-b')
  await service.cancel('run-a')
  expect(await service.ended('run-c')).toMatchObject({ status: 'done' })
  expect(service.get('run-b').done).toBe(0)
})

test('a host that stops leaves its run paused, also for the next start', async () => {
  const bank = fakeBank()
  const first = await openRig(folder, bank, fakeTasks(3), (input, events) =>
    input.task.index === 0 ? played(input) : endless()(input, events),
  )
  await first.service.start(fakeRecord('run-a', 3))
  while (first.service.snapshot('run-a').live === null) await tick()
  await first.service.close()
  expect(first.service.get('run-a')).toMatchObject({ status: 'paused', problem: { code: 'INTERRUPTED' } })

  const second = await openRig(folder, bank, fakeTasks(3), played)
  expect(second.service.get('run-a')).toMatchObject({ status: 'paused', done: 1 })
  await second.service.resume('run-a')
  expect(await second.service.settled('run-a')).toMatchObject({ status: 'done', done: 3 })
  expect(indices(bank)).toEqual([0, 1, 2])
})

test('a crash between commit and report loses nothing: the journal repairs the events', async () => {
  const bank = fakeBank()
  const first = await openRig(folder, bank, fakeTasks(4), played)
  await first.service.start(fakeRecord('run-a', 4))
  await first.service.settled('run-a')
  const path = join(folder, 'run-a', 'events.jsonl')
  const lines = (await readFile(path, 'utf8')).split('\n')
  // As a kill would leave it: two steps told, three in the journal, and half a line.
  const told = lines.findIndex((line) => line.includes('"index":1'))
  await writeFile(path, `${lines.slice(0, told + 1).join('\n')}\n`)
  await appendFile(path, '{"kind":"step","ind')
  bank.commits.length = 3

  const second = await openRig(folder, bank, fakeTasks(4), played)
  expect(second.service.get('run-a')).toMatchObject({
    status: 'paused',
    done: 3,
    problem: { code: 'INTERRUPTED' },
  })
  await second.service.resume('run-a')
  expect(await second.service.settled('run-a')).toMatchObject({ status: 'done', rewards: [1, 0, 1, 0] })
  expect(indices(bank)).toEqual([0, 1, 2, 3])

  const third = await openRig(folder, bank, fakeTasks(4), played)
  expect(third.service.get('run-a')).toMatchObject({ status: 'done', rewards: [1, 0, 1, 0] })
})

test('a full disk pauses the run before anything of the task counts', async () => {
  const bank = fakeBank()
  const { service } = await openRig(folder, bank, fakeTasks(2), played)
  bank.failWith = new LoamError('DISK_FULL', 'No room.', { suggestion: 'Free some.' })
  await service.start(fakeRecord('run-a', 2))
  expect(await service.settled('run-a')).toMatchObject({
    status: 'paused',
    done: 0,
    problem: { code: 'DISK_FULL' },
  })
  bank.failWith = null
  await service.resume('run-a')
  expect(await service.settled('run-a')).toMatchObject({ status: 'done', done: 2 })
})

test('a model that crashed last time is only loaded again when the person resumes after being told', async () => {
  const insisted: boolean[] = []
  const { service } = await openRig(folder, fakeBank(), fakeTasks(1), played, (insist) => {
    insisted.push(insist)
    const crashed = new LoamError('MODEL_CRASHED_LAST_TIME', 'It crashed.', { suggestion: 'Use the CPU.' })
    return insist ? Promise.resolve() : Promise.reject(crashed)
  })
  await service.start(fakeRecord('run-a', 1))
  expect(await service.settled('run-a')).toMatchObject({
    status: 'paused',
    problem: { code: 'MODEL_CRASHED_LAST_TIME' },
  })
  await service.resume('run-a')
  expect(await service.settled('run-a')).toMatchObject({ status: 'done' })
  expect(insisted).toEqual([false, true])
})

test('what was begun as one is paused, resumed and held by a cancel as one, also after a restart', async () => {
  const bank = fakeBank()
  let goAhead: () => void = () => undefined
  const allInLine = new Promise<void>((resolve) => (goAhead = resolve))
  const rig = await openRig(folder, bank, fakeTasks(4), async (input) => {
    await allInLine
    if (input.runId === 'run-a' && input.task.index === 1) await rig.service.pause('run-a')
    return fakeTrajectory(input)
  })
  const begin = (id: string) => rig.service.start({ ...fakeRecord(id, 4), series: 'run-a' })
  for (const id of ['run-a', 'run-b', 'run-c']) await begin(id)
  await rig.service.start(fakeRecord('alone', 4))
  goAhead()
  const statuses = ({ service }: typeof rig) =>
    ['run-a', 'run-b', 'run-c', 'alone'].map((id) => service.head(id).status)

  expect(await rig.service.settled('run-a')).toMatchObject({ status: 'paused', done: 2 })
  expect(await rig.service.ended('alone')).toMatchObject({ status: 'done' })
  expect(statuses(rig)).toEqual(['paused', 'paused', 'paused', 'done'])
  expect(rig.service.withMates('run-b')).toEqual(['run-a', 'run-b', 'run-c'])

  // A host that starts anew knows what belongs together.
  await rig.service.close()
  const second = await openRig(folder, bank, fakeTasks(4), (input, events) =>
    input.runId === 'run-b' ? endless()(input, events) : played(input),
  )
  await second.service.resume('run-b')
  expect(await second.service.ended('run-a')).toMatchObject({ status: 'done', done: 4 })
  await vi.waitFor(() => expect(second.service.snapshot('run-b').live).not.toBeNull())
  await second.service.cancel('run-b')
  expect(statuses(second)).toEqual(['done', 'cancelled', 'paused', 'done'])
  await second.service.resume('run-c')
  expect(await second.service.ended('run-c')).toMatchObject({ status: 'done' })
  await second.service.close()
})

test('a whole series is cancelled at once', async () => {
  const { service } = await openRig(folder, fakeBank(), fakeTasks(3), endless())
  for (const id of ['run-a', 'run-b', 'run-c']) await service.start({ ...fakeRecord(id, 3), series: 'run-a' })
  await Promise.all(['run-a', 'run-b', 'run-c'].map((id) => service.cancel(id)))
  expect(['run-a', 'run-b', 'run-c'].map((id) => service.head(id).status)).toEqual([
    'cancelled',
    'cancelled',
    'cancelled',
  ])
  await service.close()
})
