import type { Build } from '../../../../src/shared/domain/guide-build'
import type { SearchSettings } from '../../../../src/shared/domain/guide-search'
import { DEFAULT_SEARCH } from '../../../../src/shared/domain/guide-search'
import type { Task } from '../../../../src/shared/domain/task'
import type { Trajectory } from '../../../../src/shared/domain/trajectory'
import { runBuild, type BuildInput } from '../../../../src/core/methods/brew/build'
import { createRng } from '../../../../src/core/ground/random'
import type { GenerateRequest } from '../../../../src/core/ground/ports'
import { wordEmbedder } from '../../../main/memory-store/fixtures'
import { attemptAt, memoryMemory, scriptedModel, shippedPrompts, taskAt } from '../fixtures'

const TOPICS = ['bookings', 'orders', 'loans'] as const
export const RUBRICS = [
  { id: 'looks-up', text: 'Looks things up.' },
  { id: 'keeps-form', text: 'Keeps the form.' },
]

/** Task n is about one of three tables and needs one of four codes of it. */
export const topicTask = (n: number): Task & { readonly topic: string; readonly code: string } => {
  const topic = TOPICS[n % 3] ?? 'bookings'
  return { ...taskAt(n), instruction: `Count the ${topic} of kind ${n % 12}.`, topic, code: `K${n % 12}` }
}

const topicIn = (text: string): string => TOPICS.find((topic) => text.includes(topic)) ?? 'bookings'

/** Replies as a model would that judges, reflects, and integrates with a memory that fails it now and then (by its seed). */
export function reply(request: GenerateRequest): string {
  const system = request.messages[0]?.content ?? ''
  const user = request.messages.at(-1)?.content ?? ''
  if (system.startsWith('Score how'))
    return JSON.stringify({
      scores: RUBRICS.map(({ id }) => ({ rubric: id, score: 4, reason: 'Seen.' })),
    })
  if (system.startsWith('Read an attempt')) {
    const topic = topicIn(user)
    const kind = /kind (\d+)/.exec(user)?.[1] ?? '0'
    return JSON.stringify({
      insights: [{ concept: topic, insight: `Kind ${kind} of ${topic} is stored as K${kind}.` }],
    })
  }
  const rng = createRng(`${request.seed}`)
  const said = [...new Set(user.match(/Kind \d+ of \w+ is stored as K\d+\./g) ?? [])]
  const kept = said.filter(() => rng.chance(0.7))
  return JSON.stringify({
    context: `All about ${topicIn(user)}.`,
    how_to_use: (kept.length === 0 ? said.slice(0, 1) : kept).join(' '),
    when_to_use: '',
    best_practices: '',
  })
}

export interface SearchRig {
  readonly memory: ReturnType<typeof memoryMemory>
  readonly model: ReturnType<typeof scriptedModel>
  readonly played: string[]
  /** Dies after so many model calls and rollouts, as a killed process would. */
  run(change?: Partial<BuildInput>, dieAfter?: number): ReturnType<typeof runBuild>
}

/** A build over 12 training and 6 scoring tasks; a task is solved when a document in its prompt has its code. */
export function searchRig(settings: Partial<SearchSettings> = {}, memory = memoryMemory()): SearchRig {
  let left = Number.POSITIVE_INFINITY
  const spend = (): void => {
    if (left-- <= 0) throw new Error('killed')
  }
  const model = scriptedModel((request) => {
    spend()
    return reply(request)
  })
  const played: string[] = []
  const train = Array.from({ length: 12 }, (_, n) => topicTask(n))
  const evaluation = Array.from({ length: 6 }, (_, n) => topicTask(n + 12))
  const build: Build = {
    id: 'build-1',
    environment: 'lab-db',
    stream: null,
    model: '/scripted.gguf',
    modelName: 'scripted',
    seed: 1,
    settings: { ...DEFAULT_SEARCH, iterations: 4, ...settings },
    train: train.map(({ id }) => id),
    evaluation: evaluation.map(({ id }) => id),
    start: [],
    review: false,
    inputs: '',
    startedAt: '2026-01-01T00:00:00.000Z',
  }
  return {
    memory,
    model,
    played,
    run(change = {}, dieAfter = Number.POSITIVE_INFINITY) {
      left = dieAfter
      return runBuild({
        build,
        bank: memory,
        context: { model, embedder: wordEmbedder(256), prompts: shippedPrompts, seed: 1 },
        rubrics: RUBRICS,
        train,
        evaluation,
        inFlight: 1,
        stopAtConcepts: false,
        useAtOnce: true,
        now: () => new Date(0),
        signal: new AbortController().signal,
        play(task, id, documents): Promise<Trajectory> {
          spend()
          played.push(id)
          const { code } = task as ReturnType<typeof topicTask>
          const solved = documents.shown.some(({ text }) => new RegExp(`\\b${code}\\b`).test(text))
          const made = attemptAt(task.index, solved ? 1 : 0)
          return Promise.resolve({ ...made, id, task: { ...made.task, instruction: task.instruction } })
        },
        ...change,
      })
    },
  }
}
