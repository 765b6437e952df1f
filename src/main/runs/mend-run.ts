import type { MemoryStore, Clock } from '../../core/ground/ports'
import { applyRunEvent, newRunState } from '../../core/lab/run-record'
import { toErrorShape } from '../../shared/errors'
import type { Logger } from '../ground/logger'
import { damageWords, repairedEvents } from './repair-run'
import { damagedError, type RunEntry } from './run-entry'
import type { RunStore } from './run-store'

/** What putting a run right takes. */
export interface MendDeps {
  readonly store: RunStore
  readonly clock: Clock
  readonly logger: Logger
  storeOf(memoryId: string): Promise<Pick<MemoryStore, 'trajectory'>>
}

/** Puts a damaged folder right, from what can still be read and the journal of the run's memory. */
export async function mendRun(entry: RunEntry, { store, clock, logger, storeOf }: MendDeps): Promise<void> {
  const { damage, state } = entry
  if (!damage) return
  const { record } = state
  const events = await repairedEvents(record, damage, await storeOf(record.config.memoryId))
  await store.rewrite(record, events, clock.now())
  entry.state = events.reduce(applyRunEvent, newRunState(record))
  entry.damage = null
  entry.repaired = `${damageWords(damage)}. It was put right from its memory's journal.`
  logger.warn('A damaged run was put right', { runId: record.id, damage: damageWords(damage) })
}

/** As `mendRun`; where that fails the run rests and says why. Answers whether it is whole. */
export async function mendOrSay(
  entry: RunEntry,
  mend: (entry: RunEntry) => Promise<void>,
  { clock, logger }: Pick<MendDeps, 'clock' | 'logger'>,
): Promise<boolean> {
  try {
    await mend(entry)
    return true
  } catch (error) {
    const what = entry.damage ? damageWords(entry.damage) : ''
    const problem = damagedError(what, toErrorShape(error).cause).toShape()
    logger.error('A damaged run could not be put right', { runId: entry.id, error })
    // In memory alone: what is left of the file stays as it is.
    applyRunEvent(entry.state, { kind: 'status', status: 'paused', problem, at: clock.now().toISOString() })
    return false
  }
}
