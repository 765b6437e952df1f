import type { RunInfo } from '../../../shared/domain/run'
import { PartTabs } from '../../ground/detail-pane'
import { CostTable } from './cost-table'
import { ErrorView } from './error-view'
import { WritingTable } from './writing-table'

/** What a run failed at and what it cost. Closed until somebody asks, since it reads every attempt. */
export function RunAnalysis({ run, others }: { run: RunInfo; others: readonly RunInfo[] }) {
  return (
    <PartTabs
      label="More about the run"
      closed
      parts={[
        { value: 'errors', label: 'Errors by class', content: <ErrorView run={run} others={others} /> },
        { value: 'costs', label: 'Tokens and cost', content: <CostTable runId={run.id} done={run.done} /> },
        {
          value: 'writings',
          label: 'Written texts',
          content: <WritingTable runId={run.id} done={run.done} />,
        },
      ]}
    />
  )
}
