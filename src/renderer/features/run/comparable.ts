import type { RunInfo } from '../../../shared/domain/run'
import { isExperimentRun } from '../../stores/experiment-feed'
import { isActive } from '../../stores/runs'

/** Most lines on one chart. */
const MOST = 6

/**
 * The runs worth showing beside `run`: same stream and same model, newest first, at most six, `run` always among them.
 * Runs that ended before their first task are left out. Beside a cell of the experiment `experimentId` stand its other cells with the
 * same seed and K (methods without K have 0); beside a person's own run no cells.
 */
export function comparable(
  run: RunInfo,
  all: readonly RunInfo[],
  experimentId: string | null = null,
): RunInfo[] {
  const { stream, model } = run.config
  const same = all.filter(
    (other) =>
      other.id !== run.id &&
      other.config.stream === stream &&
      other.config.model === model &&
      (experimentId === null
        ? !isExperimentRun(other.id)
        : other.id.startsWith(`${experimentId}-`) && isLike(run, other)) &&
      (other.rewards.length > 0 || isActive(other)),
  )
  return [run, ...same.slice(0, MOST - 1)].sort((a, b) => a.createdAt.localeCompare(b.createdAt))
}

function isLike({ config: a }: RunInfo, { config: b }: RunInfo): boolean {
  return a.seed === b.seed && (a.k === b.k || a.k === 0 || b.k === 0)
}
