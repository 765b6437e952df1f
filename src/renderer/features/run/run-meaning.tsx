import { useStore } from 'zustand'
import type { RunInfo } from '../../../shared/domain/run'
import { runMeaning } from '../../../shared/figures/meaning'
import { plural } from '../../components/format'
import { MeaningNote } from '../../ground/meaning-note'
import { methodTitle } from '../../ground/run-title'
import { useQuery } from '../../ground/use-query'
import { useServices } from '../../stores/use-services'

/** Whether two runs worked on the same tasks in the same order. */
const sameTasks = ({ config: a }: RunInfo, { config: b }: RunInfo): boolean =>
  a.stream === b.stream &&
  a.model === b.model &&
  a.tasks === b.tasks &&
  a.seed === b.seed &&
  JSON.stringify(a.protocol) === JSON.stringify(b.protocol)

/** What a run that has ended, or waits to go on, means. */
export function RunMeaning({ run, all }: { run: RunInfo; all: readonly RunInfo[] }) {
  const { runs, methods, runForm, ui, streams, environments } = useServices()
  const list = useStore(methods, (state) => state.data)
  const environment = useStore(
    streams,
    ({ data }) => data?.find(({ id }) => id === run.config.stream)?.environment,
  )
  const player = useStore(environments, ({ data }) => data?.find(({ id }) => id === environment)?.player)
  if (run.status === 'running' || run.status === 'queued')
    return (
      <section
        aria-label="What it means"
        className="min-h-31 shrink-0 rounded-lg border border-dashed p-3 text-muted"
      >
        What it means is said here once it is over.
      </section>
    )
  const { stream, model, seed, tasks, method, settings } = run.config
  const group = player?.fields.some(({ key }) => key === 'told') === true ? player.id : null
  const suggested = (place: 'baseline' | 'run') => list?.find((one) => one.suggested?.includes(place))?.id
  const baseline = suggested('baseline')
  const twin = all.findLast(
    (other) => other.config.method === baseline && other.status === 'done' && sameTasks(run, other),
  )
  const remembers = (id: string) => list?.find((one) => one.id === id)?.recalls.length !== 0
  const meaning = runMeaning({
    title: methodTitle(run, list),
    remembers: remembers(method),
    rewards: run.rewards,
    total: run.total,
    finished: run.status === 'done',
    resumable: run.status === 'paused',
    without: twin && twin.id !== run.id ? twin.rewards : null,
    with: all.some((other) => remembers(other.config.method) && sameTasks(run, other)),
    canBeTold: group !== null && settings[group]?.['told'] === undefined,
  })
  return (
    <>
      <MeaningNote
        meaning={meaning}
        actions={{
          'without-memory': {
            label: 'Run it without memory',
            run: () => {
              if (baseline !== undefined)
                void runs.getState().start({ stream, model, seed, tasks, method: baseline })
            },
          },
          told: {
            label: 'Run it told',
            run: () => {
              if (group === null) return
              const change = { ...settings, [group]: { ...settings[group], told: 'answer' } }
              void runs.getState().start({ stream, model, seed, tasks, method, settings: change })
            },
          },
          'with-memory': {
            label: 'Choose a memory',
            run: () => {
              runForm
                .getState()
                .change({ stream, model, seed, tasks, method: suggested('run') ?? null, memoryId: null })
              ui.getState().go('run')
            },
          },
          why: {
            label: 'Open one',
            run: () => {
              const index = run.rewards.lastIndexOf(0)
              if (index >= 0) runs.getState().showTask(index)
            },
          },
        }}
      />
      <UnaidedNote run={run} />
    </>
  )
}

/** What came of the tasks that a run attempted without memory; nothing where memory was always used. */
function UnaidedNote({ run: { id, done } }: { run: RunInfo }) {
  const { client } = useServices()
  const { data } = useQuery(`unaided ${id}`, () => client.runs.report({ runId: id }), done)
  if (!data?.unaided) return null
  const { tasks, solved } = data.unaided
  return (
    <p className="shrink-0 text-sm text-muted">
      {plural(tasks, 'task')} of {data.tasks} went without memory, to see whether it helps: {solved} solved.
      With memory {data.solved - solved} of {data.tasks - tasks}.
    </p>
  )
}
