import { useStore } from 'zustand'
import { Dialog } from '../../components/dialog'
import { ErrorNotice } from '../../components/error-notice'
import { Loading } from '../../components/loading'
import { finishedStory, Story } from '../../ground/story/story'
import { useQuery } from '../../ground/use-query'
import { useServices } from '../../stores/use-services'

/** An attempt of the open memory as a story. */
export function AttemptDialog({ trajectoryId, onClose }: { trajectoryId: string; onClose(): void }) {
  const { client, items } = useServices()
  const memoryId = useStore(items, (state) => state.memoryId)
  const { data, problem, reload } = useQuery(
    `${memoryId}/${trajectoryId}`,
    memoryId === null ? null : () => client.items.attempt({ memoryId, trajectoryId }),
  )
  return (
    <Dialog
      onClose={onClose}
      title="The attempt"
      description="What the agent was shown, did, and got."
      className="w-[min(760px,calc(100vw-32px))]"
    >
      <div className="min-h-0 flex-1 overflow-y-auto p-4">
        {problem ? <ErrorNotice problem={problem} alwaysRetry onRetry={reload} /> : null}
        {data ? <Story {...finishedStory(data)} /> : problem ? null : <Loading what="the attempt" />}
      </div>
    </Dialog>
  )
}
