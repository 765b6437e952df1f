import type { RecalledItem } from '../../../shared/domain/trajectory'
import { ErrorNotice } from '../../components/error-notice'
import { Loading } from '../../components/loading'
import { useQuery } from '../use-query'
import { useServices } from '../../stores/use-services'
import { finishedStory, Story } from './story'
import { WhyOfRun } from './why-of-run'

/** A finished attempt of a run, read from the host: the task, what was recalled and why, each round, the outcome. */
export function PastStory({
  runId,
  index,
  onOpenCase,
}: {
  runId: string
  index: number
  onOpenCase: (item: RecalledItem) => void
}) {
  const { client, openItem } = useServices()
  const {
    data: trajectory,
    problem,
    reload,
  } = useQuery(`${runId}/${index}`, () => client.runs.trajectory({ runId, index }))
  if (problem) return <ErrorNotice problem={problem} alwaysRetry onRetry={reload} />
  if (!trajectory) return <Loading what="the attempt" />
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
