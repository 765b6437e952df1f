import type { RecalledItem, Trajectory } from '../../../shared/domain/trajectory'
import { useQuery } from '../use-query'
import { WhyButton } from '../why-view'
import { useServices } from '../../stores/use-services'
import { finishedStory, Story } from './story'

/** A finished attempt of a run, read from the host: the task, what was recalled and why, each round, the outcome. */
export function PastStory(props: { runId: string; index: number; onOpenCase: (item: RecalledItem) => void }) {
  const { runId, index, onOpenCase } = props
  const { client, openItem } = useServices()
  const { data: trajectory, unread } = useQuery(`${runId}/${index}`, () =>
    client.runs.trajectory({ runId, index }),
  )
  if (!trajectory) return unread('the attempt')
  return (
    <>
      <Story
        {...finishedStory(trajectory)}
        onOpenCase={onOpenCase}
        onOpenExperience={(id) => openItem(trajectory.memoryId, { kind: 'experience', id })}
      />
      <WhyOfRun runId={runId} trajectory={trajectory} />
    </>
  )
}

/** Why an attempt of a run failed; nothing for one that solved its task, or that nobody could judge. */
export function WhyOfRun({ runId, trajectory }: { runId: string; trajectory: Trajectory }) {
  const { client, asks, ui } = useServices()
  const { task, reward, ungraded, cycles } = trajectory
  if (reward === 1 || ungraded !== undefined) return null
  /** As an ask of its own, where model, memory and words can be chosen. */
  const again = async () => {
    const { config } = await client.runs.get({ runId })
    const world = cycles ? null : { stream: config.stream, index: task.index }
    asks.getState().write({ text: task.instruction, world, model: config.model, method: config.method })
    asks.getState().open(null)
    ui.getState().go('ask')
  }
  return (
    <div className="mt-3">
      <WhyButton
        key={trajectory.id}
        place={{ kind: 'run', runId, index: task.index }}
        onAgain={() => void again()}
      />
    </div>
  )
}
