import { createHash } from 'node:crypto'
import { canonicalJson } from '../../core/ground/canonical-json'
import { checkBaseline } from '../../core/lab/experiment'
import { reportResults } from '../../core/lab/experiment-report'
import type { ExperimentReport } from '../../shared/domain/experiment'
import { cellResult, type RunsSeen } from './cell-info'
import type { ExperimentRecord } from './experiment-store'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Results without what differs between equal experiments: times, ids and words. */
const resultHash = (cells: ExperimentReport['cells']): string =>
  sha256(
    canonicalJson(
      cells.map(({ runId: _runId, wallMs: _wallMs, note: _note, problem, ...results }) => ({
        ...results,
        problem: problem?.code ?? null,
      })),
    ),
  )

/** Lives of a suite are reported by `suiteReport`: means over different streams would say nothing. */
const NO_ROWS: ReturnType<typeof reportResults> = { cells: [], pending: 0, summary: [], averages: [] }

/**
 * The figures of an experiment's ended cells, compared with `baseline` (default: the definition's; null: with none).
 * @throws LoamError `BAD_INPUT` for a baseline that is not among the methods
 */
export function experimentReport(
  record: ExperimentRecord,
  runs: RunsSeen,
  baseline?: string | null,
): ExperimentReport {
  const results = record.cells.map((plan) => cellResult(record, plan, runs))
  const planned = record.definition.suite ? NO_ROWS : reportResults(record.definition, results, record.skills)
  const choice = baseline === undefined ? record.definition.baseline : baseline
  if (baseline !== undefined) checkBaseline(record.definition, baseline)
  const reported =
    choice === record.definition.baseline || record.definition.suite
      ? planned
      : reportResults({ ...record.definition, baseline: choice }, results, record.skills)
  return {
    id: record.id,
    name: record.name,
    status: record.status,
    stream: record.definition.stream,
    model: record.modelName,
    tasks: record.skills.length,
    baseline: choice,
    ...reported,
    // Whatever it is compared with just now, the results are the same.
    resultHash: resultHash(planned.cells),
  }
}
