import { combine } from 'zustand/middleware'
import { createStore } from 'zustand/vanilla'
import type { RunInfo, RunSnapshot } from '../../shared/domain/run'
import type { LoamErrorShape } from '../../shared/errors'
import type { LoamClient } from '../client-type'
import { runCommand, refusalOf } from './error-shape'
import { isExperimentRun } from './experiment-feed'
import { followFeed } from './feed'
import { createNewJobs } from './new-jobs'
import { createNewest, NOT_READ, readInto, type Reading } from './read-into'

export type StartRunInput = Parameters<LoamClient['runs']['start']>[0]

/** `problem` also says why the last command was refused. */
export interface RunsData extends Reading {
  /** Newest first. */
  readonly order: readonly string[]
  readonly views: Readonly<Record<string, RunSnapshot>>
  /** Runs whose feed is broken right now. */
  readonly feedProblems: Readonly<Record<string, LoamErrorShape>>
  readonly focusId: string | null
  /** A finished task opened from the strip; null follows the run. */
  readonly openTask: number | null
  /** What is being asked of the host right now, so that buttons can wait. */
  readonly busy: 'start' | 'demo' | 'pause' | 'resume' | 'cancel' | null
}

/** Whether a run can still change. */
export const isActive = ({ status }: RunInfo): boolean =>
  status === 'queued' || status === 'running' || status === 'paused'

/** Every run the host knows; runs that can still change are followed live. */
export function createRunsStore(client: LoamClient) {
  const watching = new Map<string, () => void>()
  const newest = createNewest()
  /** Whether the focus may move by itself to the run that is going (the demo's second run); never away from a task that is being read. */
  let mayMove = true

  const start: RunsData = {
    ...NOT_READ,
    order: [],
    views: {},
    feedProblems: {},
    focusId: null,
    openTask: null,
    busy: null,
  }
  return createStore(
    combine(start, (set, get) => {
      /** `all`: these are all there are, so that others were thrown away; cells are listed with their experiment. */
      function accept(runs: readonly RunInfo[], all = false) {
        set((state) => withRuns(state, runs, all))
        moveFocus()
        // Cells are followed once they are opened: an experiment may have many.
        for (const run of runs) if (isActive(run) && !isExperimentRun(run.id)) watch(run.id)
      }

      function update(runId: string, after: RunSnapshot) {
        const before = get().views[runId]
        if (!before) return
        set((state) => ({ views: { ...state.views, [runId]: after } }))
        if (after.run.status !== before.run.status) moveFocus()
      }

      function moveFocus() {
        const next = mayMove ? runToFollow(get()) : undefined
        if (next !== undefined) set({ focusId: next })
      }

      function watch(runId: string) {
        if (watching.has(runId)) return
        const stop = followFeed<RunSnapshot>({
          open: (since, signal) => client.runs.watch({ runId, since }, { signal }),
          onState: (state) => update(runId, state),
          onProblem: (problem) =>
            set((state) => ({ feedProblems: withProblem(state.feedProblems, runId, problem) })),
          isOver: () => {
            const run = get().views[runId]?.run
            const over = run !== undefined && !isActive(run)
            if (over) watching.delete(runId)
            return over
          },
        })
        watching.set(runId, stop)
      }

      const command = (kind: NonNullable<RunsData['busy']>, act: () => Promise<readonly RunInfo[]>) =>
        runCommand(async () => accept(await act()), {
          begin: () => set({ busy: kind, problem: null }),
          refused: (problem) => set({ problem }),
          end: () => set({ busy: null }),
        })

      const onFocused = (kind: 'pause' | 'resume' | 'cancel') => async () => {
        const runId = get().focusId
        if (runId) await command(kind, async () => [await client.runs[kind]({ runId })])
      }

      function focus(runId: string) {
        mayMove = get().views[runId]?.run.status === 'running'
        set({ focusId: runId, openTask: null })
      }

      function load() {
        const isNewest = newest()
        return readInto<RunsData>(
          set,
          async () => {
            const runs = await client.runs.list()
            if (isNewest()) accept(runs, true)
            return {}
          },
          isNewest,
        )
      }

      /** Begins runs. A list that was asked for before does not have them: what is under way is dropped for a new one. */
      const begin = (kind: 'start' | 'demo', act: () => Promise<readonly RunInfo[]>) =>
        command(kind, act).then((ok) => {
          if (ok) void load()
          return ok
        })

      return {
        load,
        /** Resolves to false when the host refused; `problem` says why. */
        start: (input: StartRunInput) =>
          begin('start', async () => {
            const run = await client.runs.start(input)
            mayMove = true
            set({ focusId: run.id, openTask: null })
            return [run]
          }),
        startDemo: () =>
          begin('demo', async () => {
            const { runIds } = await client.runs.startDemo()
            const runs = await Promise.all(runIds.map((runId) => client.runs.get({ runId })))
            mayMove = true
            const first = runs.find((run) => run.status === 'running') ?? runs[0]
            if (first) set({ focusId: first.id, openTask: null })
            return runs
          }),
        pause: onFocused('pause'),
        resume: onFocused('resume'),
        cancel: onFocused('cancel'),
        focus,
        /** Reads a run afresh, with those beside it, and focuses it. Resolves to the problem, or null. */
        open: (runId: string) =>
          refusalOf(
            Promise.all([client.runs.get({ runId }), client.runs.list()]).then(([run, all]) => {
              accept([...all, run])
              if (isActive(run)) watch(runId)
              focus(runId)
              mayMove = false
            }),
          ),
        /** Null follows the run, and the one after it. */
        showTask: (openTask: number | null) => (set({ openTask }), moveFocus()),
        clearProblem: () => set({ problem: null }),
        /** Told of every change of a job: a run that was begun elsewhere, as on the command line, is read once. */
        hear: createNewJobs(['run', 'demo'], (id) => get().views[id ?? ''] !== undefined, load),
        stopWatching() {
          for (const stop of watching.values()) stop()
          watching.clear()
        },
      }
    }),
  )
}

export type RunsStore = ReturnType<typeof createRunsStore>

/** The runs with those that were read; `all` leaves out others that were there before, but for cells. */
function withRuns(
  state: RunsData,
  runs: readonly RunInfo[],
  all: boolean,
): Pick<RunsData, 'views' | 'order' | 'focusId'> {
  const here = new Set(runs.map(({ id }) => id))
  const views = Object.fromEntries(
    Object.entries(state.views).filter(([id]) => !all || here.has(id) || isExperimentRun(id)),
  )
  for (const run of runs) views[run.id] = { live: null, last: null, ...views[run.id], run }
  const order = Object.values(views)
    .sort((a, b) => b.run.createdAt.localeCompare(a.run.createdAt))
    .map((view) => view.run.id)
  const focusId = state.focusId !== null && views[state.focusId] ? state.focusId : null
  return { views, order, focusId: focusId ?? firstFocus(order, views) }
}

/** The run that is going while the one in focus is not, and no task of it is read. Each has a feed of its own, so it may be heard of before the other's end. */
function runToFollow({ views, order, focusId, openTask }: RunsData): string | undefined {
  const isRunning = (id: string) => views[id]?.run.status === 'running'
  if (openTask !== null || isRunning(focusId ?? '')) return undefined
  return order.find((id) => isRunning(id) && !isExperimentRun(id))
}

function firstFocus(order: readonly string[], views: RunsData['views']): string | null {
  const own = order.filter((id) => !isExperimentRun(id))
  return own.find((id) => views[id]?.run.status === 'running') ?? own[0] ?? null
}

function withProblem(
  problems: RunsData['feedProblems'],
  runId: string,
  problem: LoamErrorShape | null,
): RunsData['feedProblems'] {
  const { [runId]: _gone, ...others } = problems
  return problem ? { ...others, [runId]: problem } : others
}
