import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Method, MethodContext } from '../../../src/core/ground/method'
import { parseMemoryEvent, type MemoryEvent } from '../../../src/core/memory/events'
import { currentMemory } from '../../../src/core/memory/current-memory'
import { buildUnitSchema } from '../../../src/core/memory/guides/unit'
import { newEvents } from '../../../src/core/memory/new-events'
import { applyEvents, emptyMemoryState } from '../../../src/core/memory/memory-state'
import type { CaseRecord } from '../../../src/shared/domain/case'
import type {
  MemoryStore,
  Embedder,
  GenerateRequest,
  LanguageModel,
  PromptTemplates,
} from '../../../src/core/ground/ports'
import type { LearnedItemOf } from '../../../src/core/memory'
import type { SettingChanges } from '../../../src/shared/domain/setting'
import type { Task } from '../../../src/shared/domain/task'
import type { Trajectory } from '../../../src/shared/domain/trajectory'
import { LoamError } from '../../../src/shared/errors'
import { withoutFrontMatter } from '../../../src/main/ground/prompts'
import { trajectoryOf, wordEmbedder } from '../../main/memory-store/fixtures'
import { memoryExperiences } from '../memory/experiences/fixtures'

/** A memory in memory: the app's own events and fold, without a disk. Cases are not searched. */
export function memoryMemory(): MemoryStore & { readonly events: MemoryEvent[] } {
  const events: MemoryEvent[] = []
  const state = emptyMemoryState()
  return {
    events,
    curation: state.curation,
    concepts: state.concepts,
    buildLog: memoryBuildLogs(),
    passages: { search: () => Promise.resolve([]), ready: () => Promise.resolve() },
    experiences: memoryExperiences(state.experiences, events, wordEmbedder(64)),
    async commit(added) {
      const parsed = added.map((event) => parseMemoryEvent(JSON.parse(JSON.stringify(event))))
      for (const event of await newEvents(parsed, state, (at) => Promise.resolve(events[at] ?? null))) {
        events.push(event)
        applyEvents(state, [event], events.length - 1)
      }
    },
    nearest: () => Promise.reject(new Error('not used')),
    search: () => Promise.reject(new Error('not used')),
    find: () => Promise.reject(new Error('not used')),
    ...memoryWrites(events, wordEmbedder(64)),
    async *trajectories(from = 0) {
      yield* events
        .flatMap((event) => (event.kind === 'trajectory-added' ? [event.trajectory] : []))
        .slice(from)
    },
    get: (id) => {
      const added = events.find((event) => event.kind === 'case-added' && event.case.id === id)
      const entry = state.cases.get(id)
      const mark = state.curation.marks.get(id)
      return Promise.resolve(
        added?.kind === 'case-added' && entry
          ? { ...added.case, deletedAt: entry.deletedAt, ...(mark && { mark }) }
          : null,
      )
    },
    items<K extends string>(kind: K, filter: { environment?: string } = {}) {
      const found: LearnedItemOf<K>[] = []
      for (const entry of state.items.values()) {
        const event = events[entry.at]
        if (event?.kind !== 'memory-added' || entry.droppedAt !== null) continue
        if (filter.environment !== undefined && entry.environment !== filter.environment) continue
        const memory = currentMemory(event.memory, entry.changes)
        if (memory.kind === kind) found.push(memory as unknown as LearnedItemOf<K>)
      }
      return Promise.resolve(found)
    },
    recentSuccesses: (limit, filter) =>
      Promise.resolve(
        events
          .flatMap((event) => (event.kind === 'trajectory-added' ? [event.trajectory] : []))
          .filter(
            ({ reward, task }) =>
              reward === 1 && task.environment === (filter?.environment ?? task.environment),
          )
          .reverse()
          .slice(0, limit),
      ),
    trajectory(id) {
      for (const event of events)
        if (event.kind === 'trajectory-added' && event.trajectory.id === id)
          return Promise.resolve(event.trajectory)
      return Promise.resolve(null)
    },
  }
}

/** Logs of builds in memory. */
export function memoryBuildLogs(): MemoryStore['buildLog'] {
  const logs = new Map<string, string[]>()
  return (buildId) => {
    const lines = logs.get(buildId) ?? []
    logs.set(buildId, lines)
    return {
      units: () => Promise.resolve(lines.map((line) => buildUnitSchema.parse(JSON.parse(line)))),
      append: (unit) => {
        lines.push(JSON.stringify(unit))
        return Promise.resolve()
      },
    }
  }
}

/** Cases in order of arrival and learned files, from the events of a memory in memory. */
export function memoryWrites(
  events: readonly MemoryEvent[],
  embedder: Embedder,
): Pick<MemoryStore, 'writes' | 'artifacts'> & { readonly files: Map<string, Uint8Array> } {
  const files = new Map<string, Uint8Array>()
  const attempts = new Map<string, Trajectory>()
  const cases: CaseRecord[] = []
  let read = 0
  return {
    files,
    async *writes(from) {
      for (; read < events.length; read++) {
        const event = events[read]
        if (event?.kind === 'trajectory-added') attempts.set(event.trajectory.id, event.trajectory)
        if (event?.kind === 'case-added') cases.push(event.case)
      }
      for (const written of cases.slice(from)) {
        const [vector = new Float32Array()] = await embedder.embed([written.state])
        yield { case: written, attempt: attempts.get(written.trajectoryId) ?? null, vector }
      }
    },
    artifacts: {
      read: (name) => Promise.resolve(files.get(name) ?? null),
      replace: (name, bytes) => {
        files.set(name, bytes)
        return Promise.resolve()
      },
    },
  }
}

/** One reply of a scripted model: its text, or `overflow` for a prompt that does not fit. */
export type Reply = string | { readonly cut: string } | 'overflow'

/** A model that gives the replies it was told to give, in order, and remembers what it was asked. 10 + 3 tokens per call. */
export function scriptedModel(replies: readonly Reply[] | ((request: GenerateRequest) => Reply)) {
  const requests: GenerateRequest[] = []
  const model: LanguageModel & { readonly requests: GenerateRequest[] } = {
    name: 'scripted',
    path: '/scripted.gguf',
    contextSize: 4096,
    requests,
    generate(request) {
      const reply = typeof replies === 'function' ? replies(request) : replies[requests.length]
      requests.push(request)
      if (reply === undefined) return Promise.reject(new Error('The script has no reply left.'))
      if (reply === 'overflow') {
        return Promise.reject(new LoamError('CONTEXT_OVERFLOW', 'Too long.', { suggestion: 'Use less.' }))
      }
      const usage = { promptTokens: 10, completionTokens: 3, reusedTokens: 0, ms: 1 }
      return typeof reply === 'string'
        ? Promise.resolve({ text: reply, usage, finish: 'end' })
        : Promise.resolve({ text: reply.cut, usage, finish: 'max-tokens' })
    },
    countTokens: (texts) => Promise.resolve(texts.map((text) => text.split(/\s+/).length)),
  }
  return model
}

/** The templates that ship with Loam. */
export const shippedPrompts: PromptTemplates = {
  text: (id) => withoutFrontMatter(readFileSync(resolve('resources/prompts', `${id}.md`), 'utf8')),
}

export const lesson = (text: string): string => JSON.stringify({ lesson: text })

/** An attempt at task number `n`. */
export function attemptAt(n: number, reward: 0 | 1, change: Partial<Trajectory> = {}): Trajectory {
  const base = trajectoryOf(`r1-t${String(n).padStart(4, '0')}`)
  return {
    ...base,
    task: { ...base.task, id: `task-${n}`, index: n, instruction: `Count the bookings of kind ${n}.` },
    reward,
    rounds: [
      {
        index: 0,
        completion: `Action: Answer\nFinal Answer: [(${n},)]`,
        action: { kind: 'answer', content: `[(${n},)]` },
        observation: null,
        usage: base.usage,
      },
    ],
    finishedAt: new Date(1000 * n).toISOString(),
    ...change,
  }
}

export const taskAt = (n: number): Task => ({
  id: `task-${n}`,
  index: n,
  environment: 'lab-db',
  instruction: `Count the bookings of kind ${n}.`,
  skills: [],
  payload: null,
})

export interface Lab {
  readonly memory: ReturnType<typeof memoryMemory>
  readonly model: ReturnType<typeof scriptedModel>
  readonly context: MethodContext
  /** Learns from attempts in order, committing each as the runner does. */
  live(...attempts: readonly Trajectory[]): Promise<void>
  recall(n: number): ReturnType<Method['recall']>
  kinds(): string[]
}

/** A method at work on a scripted model. */
export function openLab(
  method: Method,
  replies: Parameters<typeof scriptedModel>[0],
  options: { readonly k?: number; readonly settings?: SettingChanges } = {},
): Lab {
  const memory = memoryMemory()
  const model = scriptedModel(replies)
  const context: MethodContext = {
    bank: memory,
    embedder: wordEmbedder(64),
    model,
    prompts: shippedPrompts,
    settings: options.settings ?? {},
    k: options.k ?? 4,
    seed: 1,
  }
  return {
    memory,
    model,
    context,
    async live(...attempts) {
      for (const trajectory of attempts) {
        const { events } = await method.learn(trajectory, context)
        await memory.commit([{ kind: 'trajectory-added', trajectory }, ...events])
      }
    },
    recall: (n) => method.recall({ task: taskAt(n), context: attemptAt(n, 1).task.context }, context),
    kinds: () => memory.events.map(({ kind }) => kind).filter((kind) => kind !== 'trajectory-added'),
  }
}
