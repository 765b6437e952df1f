import type { TrajectoryView } from '../../../shared/domain/guide'
import { Dialog } from '../../components/dialog'
import { Term } from '../../components/term'
import { finishedStory, Story } from '../../ground/story/story'
import { useQuery } from '../../ground/use-query'
import { useServices, useStored } from '../../stores/use-services'

/** A rollout and the build whose log holds it. */
export interface TrajectoryRef {
  readonly buildId: string
  readonly trajectoryId: string
}

/** An attempt of a build as a story, with what the judge and the reflector made of it. */
export function TrajectoryDialog({ rollout, onClose }: { rollout: TrajectoryRef; onClose: () => void }) {
  const { client, openItem } = useServices()
  const memoryId = useStored('guides', (state) => state.memoryId)
  const { buildId, trajectoryId } = rollout
  const { data: view, unread } = useQuery(
    `${memoryId}/${buildId}/${trajectoryId}`,
    memoryId === null ? null : () => client.guides.rollout({ memoryId, buildId, trajectoryId }),
  )
  return (
    <Dialog
      onClose={onClose}
      title="An attempt of the build"
      description="What the agent was shown, did and got, and what was learned from it."
      className="w-[min(760px,calc(100vw-32px))]"
    >
      <div className="flex min-h-0 flex-1 flex-col gap-5 overflow-y-auto p-4">
        {view ? (
          <>
            <Story
              {...finishedStory(view.trajectory)}
              onOpenExperience={(id) => openItem(view.trajectory.memoryId, { kind: 'experience', id })}
            />
            <Findings findings={view.findings} />
          </>
        ) : (
          unread('the attempt')
        )}
      </div>
    </Dialog>
  )
}

function Findings({ findings }: { findings: TrajectoryView['findings'] }) {
  if (findings === null)
    return <p className="text-sm text-muted">It only scored a guide; nothing was learned from it.</p>
  const { scores, insights, problem } = findings
  return (
    <>
      {scores && scores.length > 0 ? (
        <section>
          <h3 className="mb-2 font-medium">
            Scored by <Term name="rubric">rubric</Term>
          </h3>
          <ul className="divide-y rounded-lg border text-sm">
            {scores.map(({ rubric, score, reason }) => (
              <li key={rubric} className="flex gap-3 px-3 py-2">
                <span className="w-28 shrink-0">{rubric}</span>
                <span className="w-12 shrink-0">{score} of 5</span>
                <span className="min-w-0 text-muted">{reason}</span>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {insights.length > 0 ? (
        <section>
          <h3 className="mb-2 font-medium">Insights</h3>
          <ul className="flex flex-col gap-1 text-sm">
            {insights.map(({ id, concept, text }) => (
              <li key={id}>
                <span className="text-muted">{concept}:</span> {text}
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {problem ? <p className="text-sm text-notice">{problem}</p> : null}
    </>
  )
}
