import type { MemoryStore } from '../../core/ground/ports'
import type { ScheduleRule } from '../../shared/domain/soft-prompt-training'

/** Successes looked through. */
const MOST_SUCCESSES = 4096
/** Fewer solved tasks cannot be learned from. */
const LEAST_SOLVED = 2

/** Different tasks solved after `since` (ISO time; null: ever), in one environment or in all. */
export async function newlySolved(
  bank: Pick<MemoryStore, 'recentSuccesses'>,
  environment: string | null,
  since: string | null,
): Promise<number> {
  const successes = await bank.recentSuccesses(MOST_SUCCESSES, environment === null ? {} : { environment })
  const fresh = successes.filter(({ finishedAt }) => since === null || finishedAt > since)
  return new Set(fresh.map(({ task }) => `${task.instruction}\n${task.context}`)).size
}

/** Whether a schedule has something to begin: `solved` new tasks, and nothing to do for `idleMs`. */
export function scheduleIsDue(rule: ScheduleRule, solved: number, idleMs: number): boolean {
  switch (rule.kind) {
    case 'manual':
      return false
    case 'solved':
      return solved >= rule.tasks
    case 'idle':
      return solved >= LEAST_SOLVED && idleMs >= rule.minutes * 60_000
  }
}
