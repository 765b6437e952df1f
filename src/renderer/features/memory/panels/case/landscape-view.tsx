import { Mountain } from 'lucide-react'
import { useStore } from 'zustand'
import { EmptyState } from '../../../../components/empty-state'
import { ErrorNotice } from '../../../../components/error-notice'
import { plural } from '../../../../components/format'
import { Loading } from '../../../../components/loading'
import { Term } from '../../../../components/term'
import { useServices } from '../../../../stores/use-services'
import { LandscapeChart } from './landscape-chart'
import { LearnerBar } from './learner-bar'

/** How Q of the cases moved while the memory was written. */
export function LandscapeView() {
  const { caseValues } = useServices()
  const { data, loading, problem } = useStore(caseValues, (state) => state.landscape)
  return (
    <div className="mx-auto flex max-w-4xl flex-col gap-4 p-6">
      <LearnerBar learner={data?.learner ?? null} />
      {problem ? (
        <ErrorNotice problem={problem} alwaysRetry onRetry={() => void caseValues.getState().reload()} />
      ) : loading && data === null ? (
        <Loading what="how Q moved" />
      ) : data === null ? null : data.rows.length === 0 ? (
        <EmptyState icon={Mountain} title="No case to follow">
          The memory holds no case of this environment yet.
        </EmptyState>
      ) : (
        <>
          <p className="max-w-2xl text-sm text-muted">
            Each line is a case, from its writing to now; a stronger colour is a higher{' '}
            <Term name="Q value" />, the mean over {plural(data.probes, 'task')} of this memory.
            {data.left > 0
              ? ` ${plural(data.left, 'case')} recalled less often ${data.left === 1 ? 'is' : 'are'} left out.`
              : ''}
          </p>
          <LandscapeChart landscape={data} />
        </>
      )}
    </div>
  )
}
