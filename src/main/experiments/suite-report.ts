import { suiteResults, type StreamTasks } from '../../core/lab/suite-report'
import type { SuiteReport } from '../../shared/domain/suite'
import { LoamError } from '../../shared/errors'
import type { StreamLibrary } from '../streams/stream-library'
import { cellResult, type RunsSeen } from './cell-info'
import type { ExperimentRecord } from './experiment-store'

/** A suite's lives as far as they came, with their figures. @throws LoamError `CONFLICT` for an experiment that is no suite */
export async function suiteReport(
  record: ExperimentRecord,
  runs: RunsSeen,
  streams: Pick<StreamLibrary, 'load'>,
): Promise<SuiteReport> {
  const { definition, id, name, status, modelName } = record
  if (!definition.suite)
    throw new LoamError('CONFLICT', 'This experiment is over one stream; it is no suite.', {
      suggestion: 'Look at its report.',
    })
  const results = record.cells.map((plan) => cellResult(record, plan, runs))
  const names = new Set(record.cells.flatMap(({ stream }) => (stream === undefined ? [] : [stream])))
  const tasks: StreamTasks = new Map(
    await Promise.all([...names].map(async (one) => [one, (await streams.load(one)).tasks] as const)),
  )
  return { id, name, status, model: modelName, ...suiteResults(definition, results, tasks) }
}
