import { Square } from '../../components/icons'
import { useStore } from 'zustand'
import { insteadWords } from '../../../shared/domain/soft-prompt'
import type { TrainingWork } from '../../../shared/domain/soft-prompt-training'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { ProgressBar } from '../../components/progress-bar'
import { LiveNote, useConnected } from '../../ground/connected'
import { isWorking } from '../../stores/soft-prompts'
import { useServices } from '../../stores/use-services'
import { ComparisonView } from './comparison-view'
import { LossView } from './loss-view'
import { phaseWords } from './words'

/** What is being trained or tried right now. */
export function WorkView({ work }: { work: TrainingWork }) {
  const { softPrompts: consolidation, ui } = useServices()
  const { cancel, feedProblem } = useStore(consolidation)
  const connected = useConnected()
  const ask = () =>
    ui.getState().ask({
      title: work.kind === 'training' ? 'Stop the training?' : 'Stop trying it?',
      words:
        work.kind === 'training'
          ? 'What was learned up to the last checkpoint stays, and it can go on from there.'
          : 'The tasks tried so far are not kept.',
      no: 'Keep going',
      answers: [{ label: 'Stop it', danger: true, run: () => void cancel() }],
    })
  const steps = work.phase === 'training' ? (work.total ?? 0) : (work.curve.at(-1)?.step ?? 0)
  return (
    <section aria-label="At work" className="flex flex-col gap-4 rounded-lg border bg-surface p-4">
      <div className="flex flex-wrap items-start gap-x-6 gap-y-2">
        <div className="min-w-64 flex-1">
          <h2 className="font-medium">
            {work.kind === 'training' ? 'Training a soft prompt' : 'Trying a soft prompt'}
            {work.scheduled ? <span className="font-normal text-muted">, begun by the schedule</span> : null}
          </h2>
          <p className="text-sm text-muted" role="status" data-testid="consolidation-phase">
            {phaseWords(work)}
          </p>
        </div>
        {isWorking(work) ? (
          <Button icon={Square} disabled={!connected} onClick={ask}>
            Stop
          </Button>
        ) : null}
      </div>
      {isWorking(work) ? (
        <ProgressBar
          label="Progress"
          done={work.done}
          total={work.phase === 'waiting' || work.phase === 'preparing' ? null : work.total}
        />
      ) : null}
      {isWorking(work) ? <LiveNote what="The training" problem={feedProblem} /> : null}
      {work.instead ? <p className="text-sm text-muted">{insteadWords(work.instead)}</p> : null}
      {work.problem ? <ErrorNotice problem={work.problem} /> : null}
      {work.curve.length > 0 ? <LossView curve={work.curve} steps={steps} /> : null}
      {work.phase === 'comparing' ? (
        <ComparisonView tasks={work.compared} total={work.total ?? work.compared.length} />
      ) : null}
    </section>
  )
}
