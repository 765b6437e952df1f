import { distillingWords, type RunHead, type RunInfo, type RunSnapshot } from '../../shared/domain/run'
import { methodTitle } from '../../core/methods'
import { abortError } from '../../core/ground/abort'
import { LoamError } from '../../shared/errors'
import { Feed, type Watch, type WatchOptions } from '../ground/feed'
import type { JobRegistry, StartedJob } from '../ground/jobs'
import type { RunPart } from './run-entry'
import type { RunQueue } from './run-queue'

const ENDED: ReadonlySet<RunInfo['status']> = new Set(['done', 'failed', 'cancelled'])

/** Runs as people follow them: one feed per run, and a job for as long as a run is not over. */
export interface RunViews {
  publish(runId: string, part: RunPart): void
  watch(runId: string, options: WatchOptions): Watch<RunSnapshot>
  /** Follows runs as one job until all of them are over. Cancelling the job cancels the runs. */
  follow(kind: 'run' | 'demo', title: string, runIds: readonly string[]): StartedJob
  /** Whether some job follows the run. */
  isFollowed(runId: string): boolean
  /** From here on the end of a job no longer cancels its runs; ends all feeds. */
  close(): void
}

/** What came of runs that are over: `Case bank solved 32 of 40`. */
const endedWords = (runs: readonly RunHead[]): string =>
  runs
    .map(({ config, solved, done }) => `${methodTitle(config.method)} solved ${solved} of ${done}`)
    .join(', ')

const activityOf = (runs: readonly RunHead[]): string => {
  const current = runs.find((run) => run.status === 'running') ?? runs.find((run) => run.status === 'paused')
  if (!current && runs.every(({ status }) => ENDED.has(status))) return endedWords(runs)
  if (!current) return 'Waiting for its turn'
  const method = methodTitle(current.config.method)
  if (current.distilling) return `${method}: ${distillingWords(current.distilling)}`
  if (current.resting !== undefined) return `${method}: rests for ${current.resting}`
  const place = `task ${Math.min(current.done + 1, current.total)} of ${current.total}, ${current.solved} solved`
  return current.status === 'paused' ? `Paused before ${place}` : `${method}: ${place}`
}

/** `runs` is asked lazily, since the run queue itself publishes through these views. */
export function createRunViews(runs: () => RunQueue, jobs: JobRegistry): RunViews {
  const feeds = new Map<string, Feed<RunSnapshot>>()
  const followers = new Map<string, Set<() => void>>()
  let isClosed = false

  const feedOf = (runId: string): Feed<RunSnapshot> => {
    let feed = feeds.get(runId)
    if (!feed) feeds.set(runId, (feed = new Feed(() => runs().snapshot(runId))))
    return feed
  }

  /** Drops what nobody needs any more, so that a long session does not hold every past run's changes. */
  const sweep = (): void => {
    for (const [runId, feed] of feeds) {
      // A run that was thrown away is needed by nobody.
      if (runs().has(runId) && (feed.watchers > 0 || !ENDED.has(runs().head(runId).status))) continue
      feed.close()
      feeds.delete(runId)
    }
  }

  return {
    publish(runId, part) {
      if (isClosed) return
      feeds.get(runId)?.changed()
      if (part === 'run') for (const update of followers.get(runId) ?? []) update()
    },
    watch(runId, options) {
      runs().head(runId)
      return feedOf(runId).watch(options)
    },
    follow(kind, title, runIds) {
      sweep()
      return jobs.start(
        kind,
        title,
        async ({ jobId, signal, progress }) => {
          const update = (): void => {
            const infos = runIds.map((id) => runs().head(id))
            progress({
              done: infos.reduce((sum, run) => sum + run.done, 0),
              total: infos.reduce((sum, run) => sum + run.total, 0),
              activity: activityOf(infos),
            })
          }
          for (const id of runIds) followers.set(id, (followers.get(id) ?? new Set()).add(update))
          const abandoned = new Promise<never>((_, reject) => {
            signal.addEventListener('abort', () => {
              // When Loam quits, its runs are paused elsewhere and only the following ends here.
              if (isClosed) reject(abortError())
              else
                for (const id of runIds)
                  if (!ENDED.has(runs().head(id).status))
                    runs()
                      .cancel(id)
                      .catch(() => undefined)
            })
          })
          abandoned.catch(() => undefined)
          update()
          try {
            const ends = await Promise.race([Promise.all(runIds.map((id) => runs().ended(id))), abandoned])
            const failure = ends.find((run) => run.status === 'failed')
            if (failure?.problem) throw LoamError.fromShape(failure.problem)
            // Cancelled by itself and not through the job: the job then says so too.
            if (ends.some((run) => run.status === 'cancelled')) void jobs.cancel(jobId)
          } finally {
            for (const id of runIds) followers.get(id)?.delete(update)
          }
        },
        { unit: 'tasks', subject: runIds[0] ?? null, activity: 'Waiting for its turn' },
      )
    },
    isFollowed: (runId) => (followers.get(runId)?.size ?? 0) > 0,
    close() {
      isClosed = true
      for (const feed of feeds.values()) feed.close()
    },
  }
}
