import type { RunInfo } from '../../../shared/domain/run'

/** Most lines on one chart. */
const MOST = 6

/**
 * The runs worth showing beside `run`: same stream and same model, newest first, at most six, `run` always among them.
 * Runs that ended before their first task are left out.
 */
export function comparable(run: RunInfo, all: readonly RunInfo[]): RunInfo[] {
  const { stream, model } = run.config
  const same = all.filter(
    (other) =>
      other.id !== run.id &&
      other.config.stream === stream &&
      other.config.model === model &&
      (other.curve.length > 0 || other.status === 'running' || other.status === 'queued'),
  )
  return [run, ...same.slice(0, MOST - 1)].sort((a, b) => a.createdAt.localeCompare(b.createdAt))
}
