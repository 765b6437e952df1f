import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { learnFromAttempt, learningOf } from '../../src/core/ground/learn-from-attempt'
import type { Environment } from '../../src/core/ground/environment'
import type { Method, MethodContext } from '../../src/core/ground/method'
import type { LanguageModel } from '../../src/core/ground/ports'
import { runTasks } from '../../src/core/lab/runner'
import { caseBank } from '../../src/core/methods/case-bank/case-bank'
import { learnFromAsk } from '../../src/main/asks/learn-from-ask'
import type { AskNeeds } from '../../src/main/asks/play-ask'
import type { Host } from '../../src/main/host/host'
import { openMemory, type StoredMemory } from '../../src/main/memory-store/memory'
import { newEntry } from '../../src/main/runs/run-entry'
import type { RunServing } from '../../src/main/runs/run-serving'
import { importAttempts } from '../../src/main/runs/play-run'
import { createMemoryProxy } from '../../src/main/share/proxy/memory-proxy'
import { newRunState } from '../../src/core/lab/run-record'
import type { AskAttempt, AskInfo, AskVerdict } from '../../src/shared/domain/ask'
import { NO_USAGE, type Trajectory } from '../../src/shared/domain/trajectory'
import { attemptAt, taskAt } from '../core/methods/fixtures'
import { filesOf } from '../architecture/read-imports'
import { trajectoryOf, wordEmbedder } from './memory-store/fixtures'
import { fakeRecord } from './runs/fakes'

const SOURCES = join(import.meta.dirname, '..', '..', 'src')
const COST = { promptTokens: 7, completionTokens: 3, reusedTokens: 0, ms: 5 }
const MODULES = { abstraction: COST }

/** A method that asks a model for what it keeps, and says what that cost. */
const costly: Method = {
  ...caseBank,
  learn: async (attempt, context, signal) => ({
    ...(await caseBank.learn(attempt, context, signal)),
    usage: COST,
  }),
}
vi.mock('../../src/core/methods', async (original) => ({
  ...(await original<object>()),
  findMethod: () => costly,
}))

const clock = { now: () => new Date(0) }
const embedder = wordEmbedder()
const model: LanguageModel = {
  ...{ name: 'made-up model', path: '/nowhere.gguf', contextSize: 100 },
  generate: () => Promise.resolve({ text: 'Answer: 4', usage: NO_USAGE, finish: 'stop' as const }),
  countTokens: (texts) => Promise.resolve(texts.map(() => 1)),
}
const prompts = { text: (id: string) => id }
const signal = new AbortController().signal

let folder: string
let memory: StoredMemory
let context: MethodContext
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-learning-'))
  memory = await openMemory({ folder, embedder })
  context = { bank: memory, embedder, prompts, model, settings: {}, k: 2, seed: 1 }
})
afterEach(async () => {
  await memory.close()
  await rm(folder, { recursive: true })
})

const kept = async (): Promise<Trajectory[]> => {
  const all: Trajectory[] = []
  for await (const attempt of memory.trajectories()) all.push(attempt)
  return all
}
const acted = { id: 'a1', rounds: attemptAt(0, 1).rounds }

/** Everything that learns from an attempt, with a method that costs something. */
const DOORS: Readonly<Record<string, () => Promise<unknown>>> = {
  run: () =>
    runTasks(
      'r1',
      [taskAt(0)],
      0,
      {
        bank: memory,
        attempt: ({ index }) => Promise.resolve(attemptAt(index, 1)),
        learn: learningOf(costly, () => context),
        finished: () => Promise.resolve(),
      },
      { signal, pauseRequested: () => false },
    ),
  ask() {
    const judgement = { id: 'verdict', verdict: 'right', answer: null, wrongAt: null, note: null }
    const lesson = {
      ask: {
        folder: null,
        spec: { method: 'case-bank', memoryId: 'own', k: 2, seed: 1 },
      } as unknown as AskInfo,
      attempt: { trajectory: trajectoryOf('t', acted), facts: [] as AskAttempt['facts'] } as AskAttempt,
      judgement: judgement as AskVerdict,
      actedOut: null,
    }
    const host = { embedder: async () => embedder, prompts: async () => prompts } as unknown as Host
    const needs = { memories: { open: async () => memory } } as unknown as AskNeeds
    return learnFromAsk(lesson, model, host, needs, signal)
  },
  async proxy() {
    const proxy = createMemoryProxy({ clock, embedder: async () => embedder, prompts: async () => prompts })
    const terms = {
      ...{ memory, mode: 'both' as const, budget: 100, method: costly, k: 2 },
      ...{ environment: 'lab-db', judge: false, speaker: 'environment' as const },
    }
    const request = { messages: [{ role: 'user' as const, content: '2 + 2?' }], maxTokens: 10 }
    await proxy.complete({ client: 'c', terms, model }, { temperature: 0, seed: 0, ...request }, {})
    await proxy.outcome('c', null, 'success')
  },
  'attempts of another agent'() {
    const { action, observation } = { action: { kind: 'answer', content: '4' }, observation: '' } as const
    const step = { done: true, finish: 'completed', reward: 1, action, observation } as const
    const episode = { context: '', step: async () => step, close: () => undefined }
    const environment = { id: 'lab-db', open: () => episode } as unknown as Environment
    return importAttempts(
      newEntry(newRunState(fakeRecord('r1', 1)), () => expect.unreachable()),
      {
        ...{ tasks: [], method: costly, environment, bank: memory, embedder, model, prompts },
        given: [{ id: 'g', by: 'smolagents', task: taskAt(0), replies: ['Answer: 4'] }],
      },
      () => ({ context }) as unknown as RunServing,
      signal,
      { clock, tell: () => undefined },
    )
  },
}

test.each(Object.entries(DOORS))('what learning cost is kept with the attempt: %s', async (_door, learn) => {
  await learn()
  const [attempt, ...others] = await kept()
  expect(others).toEqual([])
  expect(attempt?.learnUsage).toEqual(COST)
  expect((await memory.info()).cases).toBe(1)
})

test('methods learn in one place, and no other keeps an attempt that was made here', () => {
  const learns: string[] = []
  const keeps: string[] = []
  for (const file of filesOf(SOURCES)) {
    const text = readFileSync(join(SOURCES, file), 'utf8')
    // A conformance check learns to look at what was learned; it keeps nothing.
    if (file.startsWith('main/conform/')) continue
    if (/\b(method|found|caseBank)\.learn\b/.test(text)) learns.push(file)
    if (/\bcommit\(\[\s*\{ kind: 'trajectory-added'/.test(text)) keeps.push(file)
  }
  expect([learns, keeps]).toEqual([
    ['core/ground/learn-from-attempt.ts'],
    ['core/ground/learn-from-attempt.ts'],
  ])
})

test('attempt, what was learned and its cost are one commit; nothing is kept once the signal has fired', async () => {
  const commits: string[][] = []
  const bank = {
    commit: (events: readonly { readonly kind: string }[]) => {
      commits.push(events.map(({ kind }) => kind))
      return Promise.resolve()
    },
  }
  const learn = async () => ({ events: [], usage: COST, modules: MODULES })
  const attempt = trajectoryOf('t')
  expect(await learnFromAttempt(attempt, learn, bank)).toEqual({
    ...attempt,
    learnUsage: COST,
    learnModules: MODULES,
  })
  const whole = trajectoryOf('u', acted)
  await learnFromAttempt(
    whole,
    learningOf(costly, () => context),
    bank,
  )
  expect(commits).toEqual([['trajectory-added'], ['trajectory-added', 'case-added']])
  const fired = AbortSignal.abort()
  await expect(learnFromAttempt(attempt, learn, bank, { signal: fired })).rejects.toThrow()
  expect(commits).toHaveLength(2)
})

test('nothing is learned from what is held out or was not judged', async () => {
  const learn = vi.fn(costly.learn)
  const learning = learningOf({ ...costly, learn }, () => context)
  expect((await learning(trajectoryOf('a', { heldOut: true }))).events).toEqual([])
  expect((await learning(trajectoryOf('b', { ungraded: 'nobody' }))).events).toEqual([])
  expect(learn).not.toHaveBeenCalled()
})
