import { combine } from 'zustand/middleware'
import { createStore } from 'zustand/vanilla'
import type { Study, ExperimentHead, ExperimentInfo, ExperimentReport } from '../../shared/domain/experiment'
import type { JobInfo } from '../../shared/domain/job'
import type { LoamErrorShape } from '../../shared/errors'
import type { LoamClient } from '../client-type'
import { runCommand, errorShape } from './error-shape'
import { hasEnded, isOpen, withJob } from './experiment-feed'
import { followFeed } from './feed'
import { createNewJobs } from './new-jobs'
import { createNewest, NOT_READ, readInto, type Reading } from './read-into'

export interface ExperimentsData extends Reading {
  /** Newest first. */
  readonly heads: readonly ExperimentHead[]
  /** The experiment on screen; null shows the composer. */
  readonly openId: string | null
  /** The open experiment with its cells, live; null until it is read. */
  readonly info: ExperimentInfo | null
  /** Why the open experiment cannot be followed right now. */
  readonly feedProblem: LoamErrorShape | null
  /** Figures of the cells that have ended. */
  readonly report: ExperimentReport | null
  readonly reportProblem: LoamErrorShape | null
  /** What the figures are compared with: undefined takes the definition's baseline, null nothing. */
  readonly baseline: string | null | undefined
  /** What is being asked of the host right now. */
  readonly busy: 'start' | 'pause' | 'cancel' | 'resume' | null
  /** Why the last of these was refused. */
  readonly commandProblem: LoamErrorShape | null
}

const NOTHING_OPEN = {
  info: null,
  feedProblem: null,
  report: null,
  reportProblem: null,
  baseline: undefined,
  commandProblem: null,
} as const

/** All experiments, and one of them live with its cells and figures. */
export function createExperimentsStore(client: LoamClient) {
  let stop = () => {}
  let latestReport = 0
  const newest = createNewest()

  const start: ExperimentsData = { ...NOT_READ, ...NOTHING_OPEN, heads: [], openId: null, busy: null }
  return createStore(
    combine(start, (set, get) => {
      function show(info: ExperimentInfo) {
        const before = get().info
        set(({ heads }) => ({ info, heads: withHead(heads, info) }))
        if (!before || before.status !== info.status || endedOf(before) !== endedOf(info)) void loadReport()
      }

      const watch = (experimentId: string) =>
        followFeed<ExperimentInfo>({
          open: (since, signal) => client.experiments.watch({ experimentId, since }, { signal }),
          onState: show,
          onProblem: (feedProblem) => set({ feedProblem }),
          isOver: () => {
            const { info } = get()
            return info !== null && !isOpen(info)
          },
        })

      const isListed = (id: string | null) => get().heads.some((head) => head.id === id)
      const hearOfNew = createNewJobs(['experiment'], isListed, () => load())

      const command = (kind: NonNullable<ExperimentsData['busy']>, act: () => Promise<void>) =>
        runCommand(act, {
          begin: () => set({ busy: kind, commandProblem: null }),
          refused: (commandProblem) => set({ commandProblem }),
          end: () => set({ busy: null }),
        })

      const onOpen = (kind: 'pause' | 'cancel' | 'resume') => async () => {
        const { openId } = get()
        if (openId === null) return
        await command(kind, async () => {
          const info = await client.experiments[kind]({ experimentId: openId })
          if (get().openId === openId) show(info)
        })
      }

      /** Puts an experiment on screen and follows it; null goes back to the composer. */
      function open(openId: string | null) {
        if (openId === get().openId && get().feedProblem === null) return
        stop()
        stop = () => {}
        latestReport += 1
        set({ ...NOTHING_OPEN, openId })
        if (openId !== null) stop = watch(openId)
      }

      async function loadReport() {
        const { openId: experimentId, baseline } = get()
        if (experimentId === null) return
        const mine = ++latestReport
        try {
          const report = await client.experiments.report({
            experimentId,
            ...(baseline !== undefined && { baseline }),
          })
          if (mine === latestReport) set({ report, reportProblem: null })
        } catch (error) {
          if (mine === latestReport) set({ reportProblem: errorShape(error) })
        }
      }

      const load = () =>
        readInto<ExperimentsData>(set, async () => ({ heads: await client.experiments.list() }), newest())

      return {
        load,
        open,
        /** Starts an experiment and opens it. Resolves to false when the host refused. */
        start: (definition: Study) =>
          command('start', async () => {
            const info = await client.experiments.start(definition)
            open(info.id)
            show(info)
            // A list that was asked for before does not have it: what is under way is dropped for a new one.
            void load()
          }),
        /** Resolves once everything rests, which is after the tasks in flight. */
        pause: onOpen('pause'),
        cancel: onOpen('cancel'),
        resume: onOpen('resume'),
        compareWith(baseline: string | null) {
          set({ baseline })
          void loadReport()
        },
        loadReport,
        clearProblem: () => set({ commandProblem: null }),
        /** Told of every change of a job, for the progress of experiments that are not open. */
        hear(jobs: readonly JobInfo[]) {
          const mine = jobs.filter(({ kind }) => kind === 'experiment')
          const { heads, openId } = get()
          hearOfNew(jobs)
          const notices = heads.map((head) => {
            const job = mine.find(({ subject }) => subject === head.id)
            return job && head.id !== openId ? withJob(head, job) : head
          })
          if (notices.some((head, index) => head !== heads[index])) set({ heads: notices })
        },
        stopWatching: () => stop(),
      }
    }),
  )
}

export type ExperimentsStore = ReturnType<typeof createExperimentsStore>

/** The list with an experiment as it is now; a new one stands first. */
function withHead(heads: readonly ExperimentHead[], { cells: _, ...head }: ExperimentInfo): ExperimentHead[] {
  return heads.some(({ id }) => id === head.id)
    ? heads.map((other) => (other.id === head.id ? head : other))
    : [head, ...heads]
}

const endedOf = ({ cells }: ExperimentInfo): number => cells.filter(({ status }) => hasEnded(status)).length
