import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CaseRecord } from '../../../src/shared/domain/case'
import { NO_USAGE, type Trajectory } from '../../../src/shared/domain/trajectory'
import { hash32 } from '../../../src/core/ground/random'
import type { Embedder, MemoryEvent } from '../../../src/core/ground/ports'

/** A repeatable embedder that hashes words; equal texts give equal vectors. */
export function wordEmbedder(dimension = 32, id = `test-words-${dimension}`): Embedder {
  return {
    id,
    dimension,
    embed: (texts) =>
      Promise.resolve(
        texts.map((text) => {
          const vector = new Float32Array(dimension)
          for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
            const at = hash32(word) % dimension
            vector[at] = (vector[at] ?? 0) + 1
          }
          const length = Math.hypot(...vector)
          return length === 0 ? vector : vector.map((value) => value / length)
        }),
      ),
  }
}

export const timeOf = (second: number): string => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString()

export function caseOf(id: string, state: string, more: Partial<CaseRecord> = {}): CaseRecord {
  return {
    id,
    trajectoryId: `t-${id}`,
    runId: 'r1',
    environment: 'lab-db',
    state,
    plan: `plan of ${id}`,
    reward: 1,
    createdAt: timeOf(0),
    deletedAt: null,
    ...more,
  }
}

export function trajectoryOf(id: string, more: Partial<Trajectory> = {}): Trajectory {
  return {
    id,
    runId: 'r1',
    memoryId: 's1',
    task: {
      id: `task-${id}`,
      index: 0,
      environment: 'lab-db',
      instruction: `do ${id}`,
      context: 'tables',
      skills: [],
    },
    method: 'case-bank',
    model: 'm',
    seed: 1,
    recalled: [],
    rounds: [],
    finish: 'completed',
    reward: 1,
    usage: NO_USAGE,
    startedAt: timeOf(0),
    finishedAt: timeOf(1),
    ...more,
  }
}

/** One attempt as the runner commits it: a trajectory and its case. */
export function attempt(n: number, state: string, more: Partial<CaseRecord> = {}): MemoryEvent[] {
  const id = `c${String(n).padStart(5, '0')}`
  const item = caseOf(id, state, { createdAt: timeOf(n), ...more })
  return [
    { kind: 'trajectory-added', trajectory: trajectoryOf(item.trajectoryId, { reward: item.reward }) },
    { kind: 'case-added', case: item },
  ]
}

/** Runs `body` in a fresh temp folder and removes it afterwards. */
export async function inTempFolder<T>(body: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'loam-space-'))
  try {
    return await body(folder)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
