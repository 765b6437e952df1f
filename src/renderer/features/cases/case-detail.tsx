import { useStore } from 'zustand'
import type { CaseRecord } from '../../../shared/domain/case'
import { Badge } from '../../components/badge'
import { ErrorNotice } from '../../components/error-notice'
import { formatWhen } from '../../components/format'
import { Loading } from '../../components/loading'
import { Outcome } from '../../components/outcome'
import { Term } from '../../components/term'
import { useServices } from '../../stores/use-services'
import { EnvironmentTitle } from '../../ground/task-choice/environment-name'
import { DetailPane, PartTabs } from '../../ground/detail-pane'
import { finishedStory, Story } from '../../ground/story/story'
import { CaseActions } from './case-actions'
import { CaseVersions } from './case-versions'
import { PlanDialog } from './plan-dialog'

/** One case in full: state, what was done, reward, and the attempt it came from. */
export function CaseDetail({ record }: { record: CaseRecord }) {
  const { cases } = useServices()
  const shown = (
    <>
      <PlanDialog plan={record.plan} />
      <p className="text-sm text-muted">
        <Term name="reward">Reward</Term> {record.reward}, from <EnvironmentTitle id={record.environment} />.
      </p>
    </>
  )
  return (
    <DetailPane
      marks={
        <>
          <Outcome reward={record.reward} />
          {record.deletedAt === null ? null : <Badge tone="notice">Deleted</Badge>}
          {record.mark === 'pinned' ? <Badge tone="accent">Pinned</Badge> : null}
          {record.mark === 'muted' ? <Badge tone="notice">Muted</Badge> : null}
          {record.correctedAt === undefined ? null : <Badge>Corrected</Badge>}
          <span className="text-sm text-muted">{formatWhen(record.createdAt)}</span>
        </>
      }
      title={record.state}
      actions={<CaseActions record={record} />}
    >
      <PartTabs
        label="Parts of the case"
        parts={[
          { value: 'case', label: 'What the model is shown', content: shown },
          {
            value: 'source',
            label: 'Where it came from',
            content: <Source />,
            onOpen: () => void cases.getState().loadSource(),
          },
          ...(record.correctedAt === undefined
            ? []
            : [{ value: 'versions', label: 'Earlier versions', content: <CaseVersions record={record} /> }]),
        ]}
      />
    </DetailPane>
  )
}

function Source() {
  const { cases, openCase } = useServices()
  const source = useStore(cases, (state) => state.source)
  const problem = useStore(cases, (state) => state.sourceProblem)
  if (problem)
    return <ErrorNotice problem={problem} alwaysRetry onRetry={() => void cases.getState().loadSource()} />
  if (!source) return <Loading what="the attempt" />
  return <Story {...finishedStory(source)} onOpenCase={(item) => openCase(source.spaceId, item.id)} />
}
