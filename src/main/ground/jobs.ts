import { randomUUID } from 'node:crypto'
import { Pace } from '../../shared/figures/pace'
import type { JobInfo } from '../../shared/domain/job'
import { LoamError, toErrorShape } from '../../shared/errors'
import { Feed, type Watch, type WatchOptions } from './feed'
import type { JobHistory } from './job-history'
import { onTrail } from './trail'

/** What a job may say about itself while it works; whatever is left out stays as it was. */
export type JobProgress = Partial<
  Pick<JobInfo, 'done' | 'total' | 'unit' | 'activity' | 'subject' | 'importId'>
>

/** What the work is given. */
export interface JobContext {
  readonly jobId: string
  /** Fires when the person cancels or Loam quits. The work should stop soon and reject (an AbortError will do). */
  readonly signal: AbortSignal
  progress(update: JobProgress): void
  /** What is to be said of the work once it is done; kept as long as the job is listed. */
  tell(report: unknown): void
}

/** A job that was just started. */
export interface StartedJob {
  readonly id: string
  /** Resolves when it ended, however it ended; never rejects. */
  readonly finished: Promise<JobInfo>
}

/** How the registry is made; all of it has defaults. */
export interface JobRegistryOptions {
  /** Milliseconds a cancelled job may take to stop before it is reported as cancelled anyway. Default 400. */
  readonly graceMs?: number
  /** Finished jobs kept in the list. Default 50. */
  readonly keep?: number
  /** Progress of one job is published at most this often, in milliseconds. Default 100. */
  readonly throttleMs?: number
  /** Milliseconds on a steady clock. Default Date.now. */
  readonly now?: () => number
  /** Where the list is kept from one start to the next. Default: nowhere. */
  readonly history?: JobHistory
}

interface Entry {
  info: JobInfo
  report: unknown
  readonly pace: Pace
  readonly abort: AbortController
  readonly finished: Promise<JobInfo>
  /** Resolves when the work itself is over, which may be after the job was reported as cancelled. */
  settled: Promise<void>
  timer: NodeJS.Timeout | undefined
}

/** Long work: starts at once, reports progress with an ETA, can be cancelled, and can be watched by many. */
export class JobRegistry {
  private readonly entries = new Map<string, Entry>()
  private readonly feed: Feed<JobInfo[]>
  private readonly options: Required<Omit<JobRegistryOptions, 'history'>>
  private readonly history: JobHistory | undefined
  private readonly listeners: ((info: JobInfo) => void)[] = []
  private closed = false

  constructor(options: JobRegistryOptions = {}) {
    const { history, ...rest } = options
    this.options = { graceMs: 400, keep: 50, throttleMs: 100, now: Date.now, ...rest }
    this.history = history
    for (const info of history?.jobs ?? []) this.entries.set(info.id, endedEntry(info))
    this.feed = new Feed(() => this.list())
  }

  /**
   * Starts work and returns at once. The job ends `done` when `work` resolves, `failed` with the error's shape when it
   * rejects, and `cancelled` when it was cancelled first, whatever the work does after that.
   */
  start(
    kind: JobInfo['kind'],
    title: string,
    work: (context: JobContext) => Promise<unknown>,
    initial: JobProgress = {},
  ): StartedJob {
    if (this.closed) {
      throw new LoamError('CONFLICT', 'Loam is shutting down.', { suggestion: 'Start Loam again first.' })
    }
    const id = randomUUID()
    let resolve: (info: JobInfo) => void = () => undefined
    const entry: Entry = {
      report: null,
      info: {
        id,
        kind,
        title,
        status: 'running',
        done: 0,
        total: null,
        unit: '',
        activity: 'Starting',
        etaMs: null,
        startedAt: new Date(this.options.now()).toISOString(),
        finishedAt: null,
        problem: null,
        subject: null,
        ...initial,
      },
      pace: new Pace(),
      abort: new AbortController(),
      finished: new Promise((getOutcome) => (resolve = getOutcome)),
      settled: Promise.resolve(),
      timer: undefined,
    }
    entry.pace.record(entry.info.done, this.options.now())
    this.entries.set(id, entry)
    this.publish(entry)
    this.remember()
    const end = (status: 'done' | 'failed' | 'cancelled', error?: unknown) => {
      this.end(entry, status, error)
      resolve(entry.info)
    }
    entry.abort.signal.addEventListener('abort', () => {
      const timer = setTimeout(() => end('cancelled'), this.options.graceMs)
      void entry.settled.then(() => clearTimeout(timer))
    })
    const context: JobContext = {
      jobId: id,
      signal: entry.abort.signal,
      progress: (update) => this.progress(entry, update),
      tell: (report) => {
        entry.report = report
      },
    }
    // Begun in a microtask: a work function that throws at once is a failed job, not a failed call.
    entry.settled = Promise.resolve()
      .then(() => {
        context.signal.throwIfAborted()
        return onTrail(id, () => work(context))
      })
      .then(
        () => end(entry.abort.signal.aborted ? 'cancelled' : 'done'),
        (error: unknown) => end(entry.abort.signal.aborted ? 'cancelled' : 'failed', error),
      )
    return { id, finished: entry.finished }
  }

  /** Newest first. */
  list(): JobInfo[] {
    return [...this.entries.values()].map((entry) => entry.info).reverse()
  }

  /** Throws `NOT_FOUND` for an id that is not (or no longer) in the list. */
  get(id: string): JobInfo {
    return this.entry(id).info
  }

  /** What a job had to tell when it was done; null when that is nothing, or it is not done. Throws `NOT_FOUND`. */
  report(id: string): unknown {
    const { info, report } = this.entry(id)
    return info.status === 'done' ? report : null
  }

  /**
   * Asks the work to stop and resolves, within the grace time, to the job as it ended. A job that already ended is
   * returned as it is. Throws `NOT_FOUND`.
   */
  async cancel(id: string): Promise<JobInfo> {
    const entry = this.entry(id)
    if (entry.info.status !== 'running') return entry.info
    entry.abort.abort()
    return entry.finished
  }

  /** Says of the job that made an import that it is undone. */
  markUndone(importId: string): void {
    for (const entry of this.entries.values())
      if (entry.info.importId === importId) entry.info = { ...entry.info, undone: true }
    this.feed.changed()
    this.remember()
  }

  /** Hears of every job that ended, however it ended. */
  onEnd(listener: (info: JobInfo) => void): void {
    this.listeners.push(listener)
  }

  /** The list, newest first. */
  watch(options?: WatchOptions): Watch<JobInfo[]> {
    return this.feed.watch(options)
  }

  /**
   * Cancels everything and waits until all work is really over, at most `limitMs` (default 5000). Ends the feed;
   * nothing can be started any more.
   */
  async close(limitMs = 5000): Promise<void> {
    this.closed = true
    const entries = [...this.entries.values()]
    for (const entry of entries) if (entry.info.status === 'running') entry.abort.abort()
    let timer: NodeJS.Timeout | undefined
    const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, limitMs)))
    await Promise.race([Promise.all(entries.map((entry) => entry.settled)), limit])
    clearTimeout(timer)
    for (const entry of entries) clearTimeout(entry.timer)
    this.feed.close()
    await this.history?.settled()
  }

  private entry(id: string): Entry {
    const entry = this.entries.get(id)
    if (entry) return entry
    throw new LoamError('NOT_FOUND', `There is no job with the id ${id}.`, {
      suggestion: 'It may have ended a while ago; look at the list of jobs.',
    })
  }

  private progress(entry: Entry, update: JobProgress): void {
    if (entry.info.status !== 'running') return
    const now = this.options.now()
    if (update.done !== undefined) entry.pace.record(update.done, now)
    const info = { ...entry.info, ...update }
    entry.info = { ...info, etaMs: info.total === null ? null : entry.pace.etaMs(info.total, now) }
    entry.timer ??= setTimeout(() => this.publish(entry), this.options.throttleMs)
  }

  private end(entry: Entry, status: 'done' | 'failed' | 'cancelled', error: unknown): void {
    if (entry.info.status !== 'running') return
    entry.info = {
      ...entry.info,
      status,
      etaMs: null,
      finishedAt: new Date(this.options.now()).toISOString(),
      problem: status === 'failed' ? toErrorShape(error) : null,
    }
    this.publish(entry)
    this.prune()
    this.remember()
    for (const listener of this.listeners) listener(entry.info)
  }

  private remember(): void {
    this.history?.keep([...this.entries.values()].map(({ info }) => info))
  }

  private publish(entry: Entry): void {
    clearTimeout(entry.timer)
    entry.timer = undefined
    this.feed.changed()
  }

  private prune(): void {
    const over = [...this.entries.values()].filter((entry) => entry.info.status !== 'running')
    for (const entry of over.slice(0, Math.max(0, over.length - this.options.keep))) {
      this.entries.delete(entry.info.id)
    }
  }
}

/** Work of an earlier start, which only stands in the list. */
const endedEntry = (info: JobInfo): Entry => ({
  info,
  report: null,
  pace: new Pace(),
  abort: new AbortController(),
  finished: Promise.resolve(info),
  settled: Promise.resolve(),
  timer: undefined,
})
