import { memoryExperiences } from '../../core/memory/experiences/fixtures'
import type { AttemptEvents, AttemptInput } from '../../../src/core/agent/actor'
import { abortError } from '../../../src/core/ground/abort'
import type { RunRecord } from '../../../src/core/lab/run-record'
import { caseBank } from '../../../src/core/methods/case-bank/case-bank'
import type { MemoryStore, MemoryEvent } from '../../../src/core/ground/ports'
import { SILENT_LOGGER } from '../../../src/main/ground/logger'
import type { RunResources } from '../../../src/main/runs/run-resources'
import { openRunQueue, type RunQueue } from '../../../src/main/runs/run-queue'
import { openRunStore } from '../../../src/main/runs/run-store'
import { emptyCuration } from '../../../src/core/memory/cases/curation'
import { emptyConceptState } from '../../../src/core/memory/guides/fold'
import { memoryBuildLogs } from '../../core/methods/fixtures'
import type { RunPart } from '../../../src/main/runs/run-entry'
import type { Task } from '../../../src/shared/domain/task'
import { NO_USAGE, type Trajectory } from '../../../src/shared/domain/trajectory'
import { wordEmbedder } from '../memory-store/fixtures'

/** A bank that only remembers its commits. */
export interface FakeBank extends MemoryStore {
  readonly commits: MemoryEvent[][]
  /** Set to make the next commit fail. */
  failWith: Error | null
}

export function fakeBank(): FakeBank {
  const commits: MemoryEvent[][] = []
  const bank: FakeBank = {
    commits,
    experiences: memoryExperiences(new Map(), [], wordEmbedder()),
    curation: emptyCuration(),
    concepts: emptyConceptState(),
    buildLog: memoryBuildLogs(),
    passages: { search: () => Promise.resolve([]), ready: () => Promise.resolve() },
    failWith: null,
    commit(events) {
      if (bank.failWith) return Promise.reject(bank.failWith)
      commits.push([...events])
      return Promise.resolve()
    },
    nearest: () => Promise.resolve([]),
    search: () => Promise.resolve([]),
    find: () => Promise.resolve([]),
    items: () => Promise.resolve([]),
    async *writes() {
      yield* []
    },
    async *trajectories() {
      yield* commits.flat().flatMap((event) => (event.kind === 'trajectory-added' ? [event.trajectory] : []))
    },
    artifacts: { read: () => Promise.resolve(null), replace: () => Promise.resolve() },
    recentSuccesses: () => Promise.resolve([]),
    get: () => Promise.resolve(null),
    trajectory(id) {
      for (const event of commits.flat()) {
        if (event.kind === 'trajectory-added' && event.trajectory.id === id)
          return Promise.resolve(event.trajectory)
      }
      return Promise.resolve(null)
    },
  }
  return bank
}

export const fakeTasks = (count: number): Task[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `t${index}`,
    index,
    environment: 'lab-db',
    instruction: `Task number ${index}`,
    skills: [],
    payload: null,
  }))

export const fakeRecord = (id: string, total: number): RunRecord => ({
  format: 1,
  id,
  config: {
    stream: 'made-up',
    method: 'case-bank',
    model: '/nowhere.gguf',
    seed: 1,
    k: 4,
    tasks: null,
    memoryId: 'space',
    temperature: 0,
    maxTokens: 64,
    settings: {},
  },
  total,
  createdAt: new Date(0).toISOString(),
  appVersion: '0.0.0',
  modelName: 'made-up model',
  memoryPath: '/space',
  hashes: { model: { sizeBytes: 1, sha256: 'a'.repeat(64) }, stream: 'b', prompt: 'c' },
})

/** An attempt that is solved when its index is even. */
export function fakeTrajectory(input: AttemptInput): Trajectory {
  const { task } = input
  const at = new Date(1000 * task.index).toISOString()
  return {
    id: input.id,
    runId: input.runId,
    memoryId: input.memoryId,
    task: {
      id: task.id,
      index: task.index,
      environment: task.environment,
      instruction: task.instruction,
      context: '',
      skills: [],
    },
    method: input.method.info.id,
    model: input.context.model.name,
    seed: input.context.seed,
    recalled: [],
    rounds: [
      {
        index: 0,
        completion: 'Answer: []',
        action: { kind: 'answer', content: '[]' },
        observation: null,
        usage: NO_USAGE,
      },
    ],
    finish: 'completed',
    reward: task.index % 2 === 0 ? 1 : 0,
    usage: { ...NO_USAGE, promptTokens: 10, completionTokens: 2 },
    startedAt: at,
    finishedAt: at,
  }
}

export const tick = (ms = 1): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

export interface Rig {
  readonly service: RunQueue
  /** What was told, in order, with the rewards there were. */
  readonly told: { readonly part: RunPart; readonly rewards: number }[]
}

/** A run queue on a real run folder, with a bank and attempts of the test's choice. */
export async function openRig(
  folder: string,
  bank: FakeBank,
  tasks: readonly Task[],
  attempt: (input: AttemptInput, events: AttemptEvents) => Promise<Trajectory>,
  onPrepare: (insist: boolean) => Promise<void> = () => Promise.resolve(),
  more: Partial<Pick<RunResources, 'method' | 'distil'>> = {},
): Promise<Rig> {
  const told: { part: RunPart; rewards: number }[] = []
  let service: RunQueue | null = null
  service = await openRunQueue({
    store: openRunStore(folder),
    clock: { now: () => new Date(5000) },
    logger: SILENT_LOGGER,
    openStore: () => Promise.resolve(bank),
    prepare: async (_record, _signal, insist) => {
      await onPrepare(insist)
      return {
        tasks,
        method: caseBank,
        environment: {
          id: 'lab-db',
          maxRounds: 3,
          systemPrompt: '',
          open: () => {
            throw new Error('not used')
          },
        },
        bank,
        prompts: { text: (id) => id },
        embedder: { id: 'none', dimension: 1, embed: () => Promise.resolve([]) },
        model: {
          name: 'made-up model',
          path: '/nowhere.gguf',
          contextSize: 100,
          generate: () => Promise.reject(new Error('not used')),
          countTokens: () => Promise.resolve([]),
        },
        ...more,
      }
    },
    attempt: (input, events = {}) => attempt(input, events),
    publish: (runId, part) => told.push({ part, rewards: service?.get(runId).rewards.length ?? 0 }),
  })
  return { service, told }
}

/** Never ends unless cancelled, and then only after `deaf` milliseconds. */
export const endless =
  (deaf = 0) =>
  ({ signal }: AttemptInput, events: AttemptEvents): Promise<Trajectory> =>
    new Promise((_, reject) => {
      events.started?.({ context: 'a table', recalled: [] })
      events.token?.('thinking')
      signal?.addEventListener('abort', () => setTimeout(() => reject(abortError()), deaf))
    })
