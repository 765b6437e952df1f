import { expect, test } from 'vitest'
import type { Sample } from '../../models/training/samples'
import { play, repliesOf, taskOf, type Played } from '../../models/training/workplace-expert'
import {
  createWorkplaceGenerator,
  WORKPLACE_PROMPTS,
  type WorkplacePrompts,
} from '../../models/training/workplaces'
import { runAttempt } from '../../src/core/agent/actor'
import type { ChatMessage } from '../../src/core/ground/chat'
import type { Environment } from '../../src/core/ground/environment'
import { NOTHING_RECALLED } from '../../src/core/ground/method'
import { createRng } from '../../src/core/ground/random'
import { caseOf, caseParts } from '../../src/core/memory/cases/recalled-case'
import { caseBank } from '../../src/core/methods/case-bank/case-bank'
import { workplace } from '../../src/core/tasks/workplace'
import { HELD_OUT_HANDS } from '../../src/core/tasks/workplace/phrasings'
import { drawTask, openWorkplaceSeed } from '../../src/core/tasks/workplace/tasks'
import { createWorkplace } from '../../src/core/tasks/workplace/world'
import { NO_USAGE } from '../../src/shared/domain/trajectory'
import { loadPrompts } from '../../src/main/ground/prompts'

const templates = await loadPrompts(new URL('../../resources/prompts', import.meta.url).pathname)
const prompts = Object.fromEntries(
  WORKPLACE_PROMPTS.map((id) => [id, templates.text(id)]),
) as unknown as WorkplacePrompts

const samplesOf = async (seed: string, count: number): Promise<Sample[]> => {
  const generator = createWorkplaceGenerator(prompts, seed, { writing: 0.2, pages: 0.1 })
  const samples: Sample[] = []
  for (let i = 0; i < count; i++) samples.push(await generator.next())
  return samples
}

const samples = await samplesOf('test', 24)
const branchesOf = (all: readonly Sample[]) => all.flatMap(({ branches }) => branches)
const textOf = ({ system, earlier = [], recalled, branches }: Sample): string =>
  [
    system,
    ...earlier.map(({ content }) => content),
    recalled,
    ...branches.flatMap((pieces) => pieces.map(({ text }) => text)),
  ].join('\n')

test('a sample is what the app asks a model when the case bank has recalled the same attempts', async () => {
  const rng = createRng('test')
  const prompt = prompts.workplace
  const draw = () => ({ ...drawTask(rng, 'train:test', `t${rng.int(1e6)}`, {}), level: 0 as const })
  for (const rounds of [1, 16]) {
    const past: Played[] = []
    for (const opening of ['knows', 'wrong-way', 'wrong-town'] as const) {
      const entry = draw()
      past.push(await play(entry, repliesOf(rng, entry, 0, opening), { prompt, rounds, level: 0 }))
    }
    const trajectories = past.map(({ trajectory }) => trajectory)
    const bank = {
      trajectory: (id: string) => Promise.resolve(trajectories.find((one) => one.id === id) ?? null),
      nearest: () => Promise.resolve(trajectories.map((one) => ({ case: caseOf(one), score: 0.5 }))),
    }
    const entry = { ...draw(), open: rounds === 1 }
    const replies = repliesOf(rng, entry, 0, 'tries')
    const environment = (await workplace.open(
      { prompt: (id: string) => Promise.resolve(templates.text(id)) } as never,
      {
        workplace: { rounds },
      },
    )) as Environment
    let asked: readonly ChatMessage[] = []
    let round = 0
    await runAttempt({
      ...{ id: 'a', runId: 'r', memoryId: 'm', task: taskOf(entry), environment, method: caseBank },
      context: {
        bank,
        embedder: { embed: () => Promise.resolve([new Float32Array(1)]) },
        model: {
          name: 'model',
          countTokens: (texts: readonly string[]) => Promise.resolve(texts.map(() => 1)),
          generate: ({ messages }: { messages: readonly ChatMessage[] }) => {
            asked = messages
            return Promise.resolve({ text: replies[round++], usage: NO_USAGE, finish: 'end' })
          },
        },
        ...{ settings: {}, k: 4, seed: 1 },
      } as never,
      clock: { now: () => new Date(0) },
      ...{ temperature: 0, maxTokens: 60 },
    })
    const retrieved = await caseParts(
      trajectories
        .toReversed()
        .map((one) => ({ record: caseOf(one), why: { score: 0, scoreKind: 'cosine' } })),
      { context: environment.open(taskOf(entry)).context },
      bank,
    )
    const parts = { ...NOTHING_RECALLED, retrieved }
    const { messages } = await play(entry, replies, { prompt, rounds, level: 0, parts })
    expect(messages).toEqual(asked)
    expect(messages[1]?.content).toContain('Past attempts:')
  }
})

test('an expert sends what it can know, and what it cannot it tries once', () => {
  let known = 0
  let tried = 0
  for (const [i, sample] of samples.entries()) {
    const { ways, kind } = createWorkplace(`train:test/${i - (i % 8)}`)
    for (const [j, [, unknown]] of sample.groups.entries()) {
      const pieces = sample.branches[j] ?? []
      const [task, first] = pieces
      const town = /Ready to leave: .* for (\w+)\n/.exec(task?.text ?? '')?.[1]
      if (town === undefined || !first) continue
      const right = `{"tag":"${town} ${ways.get(town)}"}`
      if (unknown === 0) expect(first.text).toContain(right)
      else expect(first.text).toContain(`{"tag":"${town} ${kind.leave.values[0]}"}`)
      const isOneCall = sample.system.includes('1 reply')
      if (!isOneCall) expect(pieces.at(-1)?.text).toContain(right)
      if (unknown === 0) known++
      else tried++
    }
  }
  expect(known).toBeGreaterThan(30)
  expect(tried).toBeGreaterThan(10)
})

test('what is held out never stands in a sample, and no open world is drawn from', async () => {
  const parts = HELD_OUT_HANDS.flatMap(({ names, sentences }) => [...names, ...sentences])
    .flatMap((pattern) => pattern.split(/\{\w\}/))
    .filter((part) => part.length >= 10)
  expect(parts.length).toBeGreaterThan(10)
  const text = samples.map(textOf).join('\n')
  expect(parts.filter((part) => text.includes(part))).toEqual([])
  expect(openWorkplaceSeed(1).startsWith('train:')).toBe(false)
  for (const [i, sample] of samples.entries()) {
    const { name, ways } = createWorkplace(`train:test/${i - (i % 8)}`)
    for (const pieces of sample.branches) {
      const { text: task = '' } = pieces[0] ?? {}
      if (!task.includes('Task:')) continue
      expect(task).toContain(`Task: ${name}: `)
      for (const [, town = '', way] of task.matchAll(/(?<=On the wall: .*)(\w+) ([NESW]\d)/g))
        expect(ways.get(town)).toBe(way)
    }
  }
  expect(await samplesOf('test', 2)).toEqual(samples.slice(0, 2))
})

test('only what the expert writes is learned, and every attempt begins with the task', () => {
  for (const pieces of branchesOf(samples)) {
    expect(pieces[0]?.learn).toBe(false)
    expect(pieces.at(-1)?.learn).toBe(true)
    expect(pieces.map(({ learn }) => learn)).toEqual(pieces.map((_, i) => i % 2 === 1))
  }
})
