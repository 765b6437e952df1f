import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AttemptInput } from '../../../src/core/agent/actor'
import { abortError } from '../../../src/core/ground/abort'
import type { Method } from '../../../src/core/ground/method'
import { none } from '../../../src/core/methods/none/none'
import type { RunResources } from '../../../src/main/runs/run-resources'
import { NO_USAGE } from '../../../src/shared/domain/trajectory'
import { LoamError } from '../../../src/shared/errors'
import { fakeBank, fakeRecord, fakeTasks, fakeTrajectory, openRig, tick, type FakeBank } from './fakes'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-distilling-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Wants a soft prompt after its second task. */
const method: Method = {
  ...none,
  distil: ({ rewards }) =>
    rewards.length < 2
      ? null
      : {
          at: 2,
          teacher: 1,
          student: 0,
          length: 4,
          steps: 1,
          otherwise: 'pause',
          holdOut: 0,
          retry: false,
          caution: 0,
          serve: 'always',
          backend: 'cpu',
        },
}
const usage = { promptTokens: 100, completionTokens: 20, reusedTokens: 0, ms: 5000 }
type Distil = NonNullable<RunResources['distil']>
type Trained = Awaited<ReturnType<Distil>>
const trained = (input: Partial<Trained> = {}): Trained => ({
  model: { name: 'with soft prompt' } as Trained['model'],
  softPrompt: { id: 'p', title: 'Soft prompt', tokens: 4 },
  usage,
  ...input,
})

/** The same again after its fourth. */
const twice: Method = {
  ...method,
  distil(progress, settings) {
    const once = method.distil?.(progress, settings) ?? null
    return once && progress.rewards.length >= 4 ? { ...once, at: 4 } : once
  },
}

const openWith = async (
  distil: Distil,
  bank: FakeBank = fakeBank(),
  how: { readonly method: Method; readonly tasks: number } = { method, tasks: 5 },
) => {
  const attempts: AttemptInput[] = []
  const play = (input: AttemptInput) => {
    attempts.push(input)
    return Promise.resolve(fakeTrajectory(input))
  }
  const rig = await openRig(folder, bank, fakeTasks(how.tasks), play, undefined, {
    method: how.method,
    distil,
  })
  return { ...rig, attempts, bank }
}

test('trains between two tasks, serves it from the next one on, and counts what it took once', async () => {
  const orders: number[] = []
  const { service, attempts, bank } = await openWith((_order, done, { onProgress }) => {
    orders.push(done)
    onProgress({ stage: 'training', done: 1, total: 1, loss: 0.5, etaMs: 0 })
    return Promise.resolve(trained())
  })
  await service.start(fakeRecord('run-a', 5))
  expect(await service.settled('run-a')).toMatchObject({ status: 'done', done: 5 })
  expect(orders).toEqual([2])
  expect(attempts.map(({ softPrompt }) => softPrompt?.id ?? null)).toEqual([null, null, 'p', 'p', 'p'])
  expect(attempts.map(({ context }) => context.model.name).slice(1, 3)).toEqual([
    'made-up model',
    'with soft prompt',
  ])
  const steps = service.steps('run-a')
  expect(steps.map(({ distilled }) => distilled ?? null)).toEqual([null, null, usage, null, null])
  expect(steps[2]?.ms).toBe(5000)
  expect(service.report('run-a')).toMatchObject({ promptTokens: 150, completionTokens: 30, wallMs: 5000 })
  expect((await bank.trajectory('run-a-t0002'))?.distilUsage).toEqual(usage)
  expect(service.get('run-a').distilling).toBeUndefined()
})

test('rests in the middle of a training when asked to, and goes on with it', async () => {
  let tries = 0
  const { service } = await openWith((_order, _done, { signal, onProgress }) => {
    if (++tries > 1) return Promise.resolve(trained())
    onProgress({ stage: 'training', done: 3, total: 9, loss: 1, etaMs: null })
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(abortError())))
  })
  await service.start(fakeRecord('run-a', 5))
  while (!service.get('run-a').distilling) await tick()
  expect(service.get('run-a').distilling).toMatchObject({ done: 3, total: 9 })
  await service.pause('run-a')
  expect(await service.settled('run-a')).toMatchObject({ status: 'paused', done: 2, problem: null })
  await service.resume('run-a')
  expect(await service.settled('run-a')).toMatchObject({ status: 'done', done: 5 })
  expect(tries).toBe(2)
})

test('cancels at once while it trains, however deaf the trainer', async () => {
  const { service } = await openWith((_order, _done, { onProgress }) => {
    onProgress({ stage: 'distilling', done: 0, total: 2, loss: null, etaMs: null })
    return new Promise(() => undefined)
  })
  await service.start(fakeRecord('run-a', 5))
  while (!service.get('run-a').distilling) await tick()
  expect(await service.cancel('run-a')).toMatchObject({ status: 'cancelled', done: 2 })
})

test('rests when a training fails for whatever reason, says why, and trains when it is resumed', async () => {
  let tries = 0
  const { service } = await openWith(() =>
    ++tries === 1
      ? Promise.reject(
          new LoamError('CONTEXT_OVERFLOW', 'The prompt has 600 tokens.', { suggestion: 'Less.' }),
        )
      : Promise.resolve(trained()),
  )
  await service.start(fakeRecord('run-a', 5))
  expect(await service.settled('run-a')).toMatchObject({
    status: 'paused',
    done: 2,
    problem: { code: 'CONTEXT_OVERFLOW', cause: 'The prompt has 600 tokens.' },
  })
  await service.resume('run-a')
  expect(await service.settled('run-a')).toMatchObject({ status: 'done', done: 5, problem: null })
})

test('goes on without a soft prompt where the order says so, tries it once, and keeps the reason', async () => {
  const problem = new LoamError('TRAINER_MEMORY', 'Too little.', { suggestion: 'More.' }).toShape()
  const asked: number[] = []
  const { service, attempts } = await openWith(({ at }) => {
    asked.push(at)
    return Promise.resolve({ ...trained(), softPrompt: undefined, usage: null, problem })
  })
  await service.start(fakeRecord('run-a', 5))
  expect(await service.settled('run-a')).toMatchObject({
    status: 'done',
    done: 5,
    problem: null,
    untrained: [{ due: 2, problem: { code: 'TRAINER_MEMORY' } }],
  })
  expect(asked).toEqual([2])
  expect(attempts.every(({ softPrompt }) => softPrompt === undefined)).toBe(true)
})

test('waits for a person when the trainer dies, and is not counted twice after that', async () => {
  let tries = 0
  const { service } = await openWith(() =>
    ++tries === 1
      ? Promise.reject(new LoamError('TRAINER_DIED', 'killed', { suggestion: 'again', retryable: true }))
      : Promise.resolve(trained({ usage: null })),
  )
  await service.start(fakeRecord('run-a', 5))
  expect(await service.settled('run-a')).toMatchObject({
    status: 'paused',
    done: 2,
    problem: { code: 'TRAINER_DIED' },
  })
  await service.resume('run-a')
  expect(await service.settled('run-a')).toMatchObject({ status: 'done', usage: { promptTokens: 50 } })
})

test('leaves a soft prompt on the shelf that does no better on held-out tasks, goes on as before, and says so', async () => {
  const trial = (served: boolean) => ({
    ...{ at: '2025-01-01T00:00:00.000Z', tasks: [], usage: NO_USAGE, gain: served ? 0.5 : -0.1, served },
    ci95: served ? ([0.1, 0.9] as [number, number]) : ([-0.3, 0.1] as [number, number]),
  })
  const asked: number[] = []
  const { service, attempts } = await openWith(
    ({ at }) => {
      asked.push(at)
      const served = at === 4
      return Promise.resolve({
        ...trained(),
        ...(!served && { softPrompt: undefined }),
        trial: trial(served),
      })
    },
    undefined,
    { method: twice, tasks: 6 },
  )
  await service.start(fakeRecord('run-a', 6))
  const run = await service.settled('run-a')
  expect(run).toMatchObject({ status: 'done', done: 6 })
  expect(asked).toEqual([2, 4])
  expect(attempts.map(({ softPrompt }) => softPrompt?.id ?? null)).toEqual([null, null, null, null, 'p', 'p'])
  expect(run.tried).toMatchObject([
    { due: 2, served: false, gain: -0.1 },
    { due: 4, served: true },
  ])
  expect(service.steps('run-a').map(({ distilled }) => distilled ?? null)).toEqual([
    ...[null, null, usage, null, usage, null],
  ])
})
