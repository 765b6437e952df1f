import type { ItemDetails } from '../../src/shared/domain/item'
import type { LiveTask, RunInfo } from '../../src/shared/domain/run'
import { NO_USAGE, type Round, type Trajectory } from '../../src/shared/domain/trajectory'
import type { JobInfo } from '../../src/shared/domain/job'
import type { LoamClient } from '../../src/renderer/client-type'

/** The job of a run that goes on, with nothing done yet. */
export const jobInfo = (change: Partial<JobInfo> = {}): JobInfo => ({
  id: 'job-1',
  kind: 'run',
  title: 'A run',
  status: 'running',
  done: 0,
  total: 10,
  unit: 'tasks',
  activity: '',
  etaMs: null,
  startedAt: '2026-01-01T00:00:00.000Z',
  finishedAt: null,
  problem: null,
  subject: null,
  ...change,
})

/** A run with nothing done yet. */
export function runInfo(change: Partial<RunInfo> = {}): RunInfo {
  return {
    id: 'run-1',
    config: {
      stream: 'house-rules-a',
      method: 'case-bank',
      model: '/models/demo.gguf',
      seed: 1,
      k: 4,
      tasks: null,
      memoryId: 'space-1',
      temperature: 0,
      maxTokens: 512,
      settings: {},
    },
    status: 'running',
    problem: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    finishedAt: null,
    total: 3,
    done: 0,
    solved: 0,
    rewards: [],
    usage: NO_USAGE,
    etaMs: null,
    ...change,
  }
}

export function liveTask(index = 0): LiveTask {
  return {
    taskId: `t${index}`,
    index,
    instruction: 'Count.',
    context: '',
    recalled: [],
    rounds: [],
    streaming: '',
  }
}

export function round(index: number): Round {
  return {
    index,
    completion: 'Action: Answer',
    action: { kind: 'answer', content: '1' },
    observation: null,
    usage: NO_USAGE,
  }
}

export function trajectory(index: number, reward: 0 | 1): Trajectory {
  return {
    id: `trajectory-${index}`,
    runId: 'run-1',
    memoryId: 'space-1',
    task: { id: `t${index}`, index, environment: 'lab-db', instruction: 'Count.', context: '', skills: [] },
    method: 'case-bank',
    model: '/models/demo.gguf',
    seed: 1,
    recalled: [],
    rounds: [],
    finish: 'completed',
    reward,
    usage: NO_USAGE,
    startedAt: '2026-01-01T00:00:00.000Z',
    finishedAt: '2026-01-01T00:00:01.000Z',
  }
}

export function memoryItem(kind: string, id: string, change: Partial<ItemDetails> = {}): ItemDetails {
  return {
    ...{ kind, id, title: id, environment: 'lab-db', createdAt: '2026-01-01T00:00:00.000Z' },
    ...{ reward: 1, mark: null, gone: null, editedAt: null, tags: [], project: null },
    recalls: { recalled: 0, judged: 0, helped: 0, lastAt: null, tokens: null },
    ...{ text: id, values: {}, trajectoryIds: [], facts: [] },
    ...change,
  }
}

type AnyCall = (input: never, options?: { signal?: AbortSignal }) => Promise<unknown>

/** A client of which only the given calls exist; any other is a mistake of the test. */
export function partialClient(
  calls: Readonly<Record<string, Readonly<Record<string, AnyCall>>>>,
): LoamClient {
  return calls as unknown as LoamClient
}
