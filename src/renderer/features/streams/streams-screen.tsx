import { ListOrdered } from '../../components/icons'
import { useStore } from 'zustand'
import { EmptyState } from '../../components/empty-state'
import { ErrorNotice } from '../../components/error-notice'
import { Loading } from '../../components/loading'
import { Screen } from '../../components/screen'
import { Term } from '../../components/term'
import { useServices } from '../../stores/use-services'
import { GenerateStream } from './generate-stream'
import { OpenStream } from './open-stream'
import { OwnTasks } from './own-tasks'
import { StreamCard } from './stream-card'

/** The task streams that can be run, and the ways to get more. */
export function StreamsScreen() {
  const { streams } = useServices()
  const { data, status, problem, reload } = useStore(streams)
  return (
    <Screen
      title="Task streams"
      lead={
        <>
          A <Term name="task stream">task stream</Term> is what an agent works through, one task after
          another.
        </>
      }
      action={
        <div className="flex flex-wrap gap-2">
          <GenerateStream />
          <OwnTasks />
        </div>
      }
    >
      {problem ? <ErrorNotice problem={problem} alwaysRetry onRetry={() => void reload()} /> : null}
      {data === null && status !== 'failed' ? <Loading what="the streams" /> : null}
      {data?.length === 0 ? (
        <EmptyState icon={ListOrdered} title="No streams found">
          Generate a world, or open a task file from your disk.
        </EmptyState>
      ) : null}
      <ul className="flex flex-col gap-3">
        {data?.map((stream) => (
          <StreamCard key={stream.id} stream={stream} />
        ))}
      </ul>
      <OpenStream />
    </Screen>
  )
}
