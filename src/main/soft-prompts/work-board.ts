import type { Clock } from '../../core/ground/ports'
import { Pace } from '../../shared/figures/pace'
import type { ConsolidationView, TrainingWork } from '../../shared/domain/soft-prompt-training'
import { Feed, type Watch, type WatchOptions } from '../ground/feed'
import type { JobContext } from '../ground/jobs'
import type { TrainingStage } from './training-deps'

/** How the newest work of each memory stands, told to those who watch the memory. */
export type WorkBoard = ReturnType<typeof createWorkBoard>

export interface WorkReporter {
  /** A new phase starts at 0 of an unknown total unless `update` says otherwise. */
  change(update: Partial<TrainingWork>): void
  onStage(stage: TrainingStage): void
  onCompared(task: TrainingWork['compared'][number], total: number): void
}

const ENDED: ReadonlySet<TrainingWork['phase']> = new Set(['done', 'failed', 'cancelled'])
const PHASES = {
  copying: 'copying',
  retrying: 'teaching',
  distilling: 'teaching',
  starting: 'training',
} as const

/** A board with no work on it. Memories are named by their folder, so that each has one key. */
export function createWorkBoard(clock: Clock) {
  const works = new Map<string, TrainingWork>()
  const shelves = new Map<string, number>()
  const feeds = new Map<string, Feed<ConsolidationView>>()

  const feedOf = (folder: string) => {
    let feed = feeds.get(folder)
    const view = () => ({ work: works.get(folder) ?? null, softPromptList: shelves.get(folder) ?? 0 })
    if (!feed) feeds.set(folder, (feed = new Feed(view)))
    return feed
  }

  const put = (folder: string, work: TrainingWork): void => {
    works.set(folder, work)
    feedOf(folder).changed()
  }

  return {
    /** The newest work of a memory, ended or not. */
    find: (folder: string): TrainingWork | undefined => works.get(folder),
    /** Whether the newest work of a memory has not ended. */
    isBusy(folder: string): boolean {
      const work = works.get(folder)
      return work !== undefined && !ENDED.has(work.phase)
    },
    /** Puts up the work that a memory begins with now. */
    put,
    /** What a memory's work says about itself from here on, to its watchers and its job. */
    reporter(folder: string, { progress }: JobContext): WorkReporter {
      let pace = new Pace()
      const change = (update: Partial<TrainingWork>): void => {
        const before = works.get(folder) as TrainingWork
        const phaseChanged = update.phase !== undefined && update.phase !== before.phase
        if (phaseChanged) pace = new Pace()
        const work = { ...before, ...(phaseChanged && { done: 0, total: null, etaMs: null }), ...update }
        const now = clock.now().getTime()
        pace.record(work.done, now)
        if (update.etaMs === undefined && work.total !== null) work.etaMs = pace.etaMs(work.total, now)
        put(folder, work)
        progress({ done: work.done, total: work.total, activity: activityOf(work) })
      }
      return {
        change,
        onStage(stage) {
          if (stage.kind !== 'training') {
            const { kind, done, total, instead } = stage
            return change({ phase: PHASES[kind], done, total, ...(instead && { instead, curve: [] }) })
          }
          const { point, steps, etaMs } = stage.progress
          const { curve } = works.get(folder) as TrainingWork
          change({ phase: 'training', done: point.step, total: steps, etaMs, curve: [...curve, point] })
        },
        onCompared(task, total) {
          const { compared } = works.get(folder) as TrainingWork
          change({ phase: 'comparing', done: compared.length + 1, total, compared: [...compared, task] })
        },
      }
    },
    /** Tells watchers that the shelf of a memory changed. */
    softPromptsChanged(folder: string): void {
      shelves.set(folder, (shelves.get(folder) ?? 0) + 1)
      feedOf(folder).changed()
    },
    watch: (folder: string, options: WatchOptions): Watch<ConsolidationView> => feedOf(folder).watch(options),
    close(): void {
      for (const feed of feeds.values()) feed.close()
    },
  }
}

/** What it is doing, for the list of jobs. */
function activityOf({ phase, waitingFor, done, total, instead }: TrainingWork): string {
  switch (phase) {
    case 'waiting':
      return waitingFor === null ? 'Waiting for its turn' : `Waiting for ${waitingFor}`
    case 'preparing':
      return 'Getting ready'
    case 'copying':
      return 'Writing an untied copy of the model'
    case 'teaching':
      return `The teacher acts: ${done} of ${total ?? 0} attempts`
    case 'training':
      return `Step ${done} of ${total ?? 0}${instead ? ', on the processor' : ''}`
    case 'comparing':
      return `Trying it: ${done} of ${total ?? 0} tasks`
    case 'done':
      return 'Ready to be looked at'
    case 'failed':
    case 'cancelled':
      return 'Stopped'
  }
}
