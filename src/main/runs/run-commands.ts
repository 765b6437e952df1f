import type { RunInfo } from '../../shared/domain/run'
import type { ModelQueue } from './model-queue'
import type { RunEntries } from './run-entries'
import { entryHead, entryInfo, isOver, wrongState, type RunEntry, type RunLane } from './run-entry'

/** What a person does with a run: those that were begun as one with it, its series, are held and go on with it. */
export function createRunCommands(entries: RunEntries, line: ModelQueue) {
  const { all, find, tell, setStatus, mend } = entries

  /** Puts a run at the end of the line. */
  const enqueue = async (entry: RunEntry): Promise<void> => {
    line.push(entry.id)
    try {
      await setStatus(entry, 'queued')
    } finally {
      line.next()
    }
  }

  /** A run and those of its series, in the order they go. */
  const withMates = (entry: RunEntry): readonly RunEntry[] => {
    const { series } = entryHead(entry)
    return series === undefined
      ? [entry]
      : [...all.values()].filter((one) => entryHead(one).series === series)
  }

  const holdQueued = (runs: readonly RunEntry[]): Promise<unknown> =>
    Promise.all(
      runs
        .filter((one) => entryHead(one).status === 'queued')
        .map((one) => {
          line.leave(one.id)
          return setStatus(one, 'paused')
        }),
    )

  const goOn = async (entry: RunEntry, lane: RunLane | null): Promise<void> => {
    if (entry.state.status === 'running' || entry.state.status === 'queued') {
      entry.pauseRequested = false
      return tell(entry)
    }
    await mend(entry)
    entry.insist = entry.state.problem?.code === 'MODEL_CRASHED_LAST_TIME'
    entry.lane = lane
    await enqueue(entry)
  }

  return {
    enqueue,
    withMates,
    async pause(runId: string): Promise<RunInfo> {
      const entry = find(runId)
      if (isOver(entryHead(entry))) throw wrongState(entry, 'paused')
      const runs = withMates(entry)
      for (const one of runs.filter((run) => entryHead(run).status === 'running')) {
        one.pauseRequested = true
        one.training?.controller.abort()
        tell(one)
      }
      await holdQueued(runs)
      return entryInfo(entry)
    },
    async resume(runId: string, lane?: RunLane): Promise<RunInfo> {
      const entry = find(runId)
      if (isOver(entryHead(entry))) throw wrongState(entry, 'resumed')
      for (const one of withMates(entry)) if (!isOver(entryHead(one))) await goOn(one, lane ?? null)
      return entryInfo(entry)
    },
    async cancel(runId: string): Promise<RunInfo> {
      const entry = find(runId)
      const { status } = entryHead(entry)
      if (status === 'done' || status === 'failed') throw wrongState(entry, 'cancelled')
      if (status === 'cancelled') return entryInfo(entry)
      // Whatever comes next in the line is none of them.
      const holding = holdQueued(withMates(entry).filter((one) => one !== entry))
      if (status === 'running') {
        entry.stop = 'cancel'
        entry.controller?.abort()
        await entry.work
      } else {
        line.leave(runId)
        await setStatus(entry, 'cancelled')
      }
      await holding
      return entryInfo(entry)
    },
  }
}
