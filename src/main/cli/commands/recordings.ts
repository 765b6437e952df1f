import { BOUNDS } from '../../../shared/domain/bounds'
import type { RecordingReport } from '../../../shared/domain/recording'
import { alignTable } from '../../experiments/report-table'
import type { ConsoleIo } from '../console-io'
import { followJob } from '../follow-job'
import type { Command } from './command'
import { memoryNamed } from './memory-named'

/** `loam experiment recordings`: plays the graded attempts of a memory without a model. */
export const recordingsCommand: Command = async ({ args, io, host }) => {
  const reached = await host()
  const { experiments } = reached.client
  const orders = args.whole('orders', BOUNDS.orders)
  const k = args.whole('exp', [1, 32])
  const seed = args.whole('seed', BOUNDS.seed)
  const { jobId } = await experiments.playRecordings({
    memoryId: memoryNamed(args),
    ...(orders !== undefined && { orders }),
    ...(k !== undefined && { k }),
    ...(seed !== undefined && { seed }),
  })
  await followJob(reached, jobId, io)
  return tell(await experiments.recordings({ jobId }), io)
}

function tell(report: RecordingReport, io: Pick<ConsoleIo, 'out' | 'note'>): RecordingReport {
  const { figures, attempts, ungraded, tooMany } = report
  io.out(`${attempts} attempts in random orders, each counted in the second half`)
  const cells = figures.map(({ part, what, mean, low, high, n }) => [
    ...[part, what, mean.toFixed(3), `[${low.toFixed(3)}, ${high.toFixed(3)}]`, String(n)],
  ])
  for (const line of alignTable([['part', 'what', 'mean', 'over orders', 'n'], ...cells])) io.out(line)
  io.note('The interval is that of the orders, which share their attempts. An area of .5 foretells nothing.')
  io.note(VALUES)
  if (ungraded > 0) io.note(`${ungraded} left out: nobody knows how they ended`)
  if (tooMany > 0) io.note(`${tooMany} left out: only the newest are played`)
  return report
}

/** What values learned from recordings are, and are not. */
const VALUES =
  'Values are learned as if the nearest cases had been recalled. Nothing was, so they tell what goes together with an outcome, not what showing a case changes. What a model would have to judge or write (the gate, the ranker) is not played.'
