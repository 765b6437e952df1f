import { Term } from '../../../../components/term'
import { Verbatim } from '../../../../components/verbatim'
import { EnvironmentTitle } from '../../../../ground/task-choice/environment-name'
import type { KindPanel } from '../panel'
import { LandscapeView } from './landscape-chart'
import { WorthView } from './worth-view'

/** Cases: the dialog as the model is shown it, and what learned case banks make of them. */
export const casePanel: KindPanel = {
  kind: 'case',
  parts: ({ values, reward, environment }) => [
    {
      value: 'text',
      label: 'What the model is shown',
      content: (
        <>
          <PlanDialog plan={typeof values['plan'] === 'string' ? values['plan'] : ''} />
          <p className="text-sm text-muted">
            <Term name="reward">Reward</Term> {reward}, from <EnvironmentTitle id={environment} />.
          </p>
        </>
      ),
    },
  ],
  views: [
    { value: 'worth', label: 'Q and similarity', View: WorthView },
    { value: 'landscape', label: 'Q over time', View: LandscapeView },
  ],
}

/** The dialog kept in a case, exactly as it is put into a prompt. Always plain text. */
function PlanDialog({ plan }: { plan: string }) {
  return (
    <Verbatim label="Actions and observations" ground="rounded-lg border bg-canvas px-4 py-3">
      {plan}
    </Verbatim>
  )
}
