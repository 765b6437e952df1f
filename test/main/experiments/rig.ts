import { join } from 'node:path'
import { createHash } from 'node:crypto'
import type { AttemptEvents, AttemptInput } from '../../../src/core/agent/actor'
import { ONCE, schedule, scheduledTotal } from '../../../src/core/lab/protocol'
import { findMethod } from '../../../src/core/methods'
import { JobRegistry } from '../../../src/main/ground/jobs'
import {
  createExperimentDrafts,
  type ExperimentDrafts,
} from '../../../src/main/experiments/experiment-drafts'
import { openExperimentQueue, type ExperimentQueue } from '../../../src/main/experiments/experiment-queue'
import { openExperimentStore } from '../../../src/main/experiments/experiment-store'
import { SILENT_LOGGER } from '../../../src/main/ground/logger'
import { modelFrom } from '../../../src/main/ground/model-reference'
import type { RunDrafts } from '../../../src/main/runs/run-drafts'
import { openRunQueue, type RunQueue } from '../../../src/main/runs/run-queue'
import { openRunStore } from '../../../src/main/runs/run-store'
import { reading } from '../../../src/shared/domain/reading'
import type { Trajectory } from '../../../src/shared/domain/trajectory'
import { fakeBank, fakeRecord, fakeTasks, fakeTrajectory, type FakeBank } from '../runs/fakes'

export type Attempt = (input: AttemptInput, events: AttemptEvents) => Promise<Trajectory>

export interface ExperimentRig {
  readonly runs: RunQueue
  readonly experiments: ExperimentQueue
  readonly drafts: ExperimentDrafts
  readonly jobs: JobRegistry
  readonly released: string[]
  /** Most attempts that were under way at one time. */
  mostAtOnce(): number
  /** Stops in good order, as a closing host does. */
  close(): Promise<void>
}

/** The journals of all memories; they outlive a rig as files would. */
export type Banks = Map<string, FakeBank>

/** Solved or not as a fixed coin says, better with memory and with every task met; the same at every call. */
export const scripted: Attempt = (input) => {
  const { task, context } = input
  const draw = createHash('sha256').update(`${context.seed}/${task.index}/${context.k}`).digest()[0] ?? 0
  const chance = 60 + 20 * context.k + 10 * task.index
  return Promise.resolve({ ...fakeTrajectory(input), reward: draw < chance ? 1 : 0 })
}

/** Experiments over a scripted model, with real run and experiment folders. */
export async function openExperimentRig(
  folder: string,
  banks: Banks,
  attempt: Attempt = scripted,
  count = 6,
): Promise<ExperimentRig> {
  const tasks = fakeTasks(count).map((task, i) => ({ ...task, skills: [i % 2 === 0 ? 'even' : 'odd'] }))
  let now = 0
  const clock = { now: () => new Date(1000 * now++) }
  let working = 0
  let most = 0
  const storeOf = (memoryId: string): FakeBank => {
    const bank = banks.get(memoryId) ?? fakeBank()
    banks.set(memoryId, bank)
    return bank
  }
  let experiments: ExperimentQueue | null = null
  const runs = await openRunQueue({
    store: openRunStore(join(folder, 'runs')),
    clock,
    logger: SILENT_LOGGER,
    openStore: (memoryId) => Promise.resolve(storeOf(memoryId)),
    prepare: ({ config }) =>
      Promise.resolve({
        tasks: schedule(tasks.slice(0, config.tasks ?? count), config.protocol ?? ONCE),
        method: {
          ...findMethod(config.method),
          learn: () => Promise.resolve({ events: [], usage: NOTHING }),
        },
        environment: {
          id: 'lab-db',
          maxRounds: 3,
          systemPrompt: '',
          open: () => {
            throw new Error('not used')
          },
        },
        bank: storeOf(config.memoryId),
        embedder: { id: 'none', dimension: 1, embed: () => Promise.resolve([]) },
        prompts: { text: (id) => id },
        model: {
          name: 'made-up model',
          path: '/nowhere.gguf',
          contextSize: 100,
          generate: () => Promise.reject(new Error('not used')),
          countTokens: () => Promise.resolve([]),
        },
      }),
    attempt: async (input, events = {}) => {
      most = Math.max(most, ++working)
      await new Promise((resolve) => setTimeout(resolve, 1))
      return attempt(input, events).finally(() => working--)
    },
    publish: (runId, part) => experiments?.hear(runId, part),
  })
  const runDrafts: Pick<RunDrafts, 'draft'> = {
    draft: (id, input) => {
      const method = findMethod(input.method).info.id
      const record = fakeRecord(
        id,
        scheduledTotal(Math.min(input.tasks ?? count, count), input.protocol ?? ONCE),
      )
      const { seed = 1, k, memoryId, protocol, tasks: taken = null, model = record.config.model } = input
      const config = {
        ...record.config,
        ...{ method, model, seed, k: k ?? 0, tasks: taken, memoryId: memoryId ?? '' },
      }
      const hashes = { ...record.hashes, prompt: JSON.stringify(input.settings?.['lab-db'] ?? {}) }
      return Promise.resolve({ ...record, hashes, config: { ...config, ...(protocol && { protocol }) } })
    },
  }
  const released: string[] = []
  const service = await openExperimentQueue({
    atATime: () => Promise.resolve(1),
    store: openExperimentStore(join(folder, 'experiments')),
    runs,
    drafts: runDrafts,
    streams: { load: () => Promise.reject(new Error('No suite is played here.')) },
    clock,
    logger: SILENT_LOGGER,
    releaseMemory: (path) => Promise.resolve(void released.push(path)),
    startWith: () => Promise.reject(new Error('not used')),
  })
  experiments = service
  const jobs = new JobRegistry()
  const drafts = createExperimentDrafts({
    trainContext: () => Promise.resolve(null),
    requireItem: () => Promise.reject(new Error('not used')),
    experiments: service,
    jobs,
    streams: {
      list: () => Promise.resolve([]),
      generate: () => Promise.reject(new Error('not used')),
      take: () => Promise.reject(new Error('nothing is taken')),
      keepMade: () => Promise.reject(new Error('Nothing is kept here.')),
      filesOf: () => folder,
      load: () =>
        Promise.resolve({
          tasks,
          files: folder,
          info: {
            id: 'made-up',
            title: 'Made up',
            description: '',
            environment: 'lab-db',
            tasks: count,
            skills: [],
            source: 'bundled',
            demo: false,
            reading: reading(0, []),
          },
        }),
    },
    runDrafts,
    runs,
    clock,
    demoModel: '/nowhere.gguf',
    modelNamed: (text) => Promise.resolve(modelFrom(text)),
    appVersion: '0.0.0',
  })
  return {
    runs,
    experiments: service,
    drafts,
    jobs,
    released,
    mostAtOnce: () => most,
    async close() {
      drafts.close()
      service.interrupt()
      await runs.close()
      await service.close()
      await jobs.close()
    },
  }
}

const NOTHING = { promptTokens: 0, completionTokens: 0, reusedTokens: 0, ms: 0 }
