import { join } from 'node:path'
import { z } from 'zod'
import type { DistilledAttempt } from '../../core/soft-prompts/plan'
import type { Trajectory } from '../../shared/domain/trajectory'
import { readDerived, writeDerived } from '../ground/derived-file'

const paceSchema = z.object({ format: z.literal(1), operationsPerMs: z.number().positive() })

/** What one thread of an ordinary processor does, until it was measured. */
const GUESSED_OPERATIONS_PER_MS = 2e7

const paceFile = (dataPath: string): string => join(dataPath, 'trainer-pace.json')

/** Floating-point operations per millisecond of the last training on this machine, or a guess. */
export async function readPace(
  dataPath: string,
  threads: number,
): Promise<{ readonly operationsPerMs: number; readonly measured: boolean }> {
  const pace = await readDerived(paceFile(dataPath), paceSchema)
  return pace
    ? { operationsPerMs: pace.operationsPerMs, measured: true }
    : { operationsPerMs: GUESSED_OPERATIONS_PER_MS * threads, measured: false }
}

export const writePace = (dataPath: string, operationsPerMs: number): Promise<void> =>
  writeDerived(paceFile(dataPath), { format: 1, operationsPerMs })

/** Milliseconds the teacher will take, at the pace of the attempts themselves. `shown`: tokens of an attempt in a prompt. */
export function teacherPace(
  planned: readonly DistilledAttempt[],
  getShownCount: (attempt: Trajectory) => number,
): number {
  let ms = 0
  let tokens = 0
  let wantedCount = 0
  for (const { attempt, many } of planned) {
    const dialogs = many.reduce((sum, other) => sum + getShownCount(other), 0)
    for (const { usage } of attempt.rounds) {
      const own = usage.promptTokens - usage.reusedTokens + usage.completionTokens
      ms += usage.ms
      tokens += own
      // Later rounds of an attempt find the prompt of the first one in the cache.
      wantedCount += own + dialogs / Math.max(1, attempt.rounds.length)
    }
  }
  return tokens === 0 ? 0 : (ms / tokens) * wantedCount
}
