import { useShallow } from 'zustand/react/shallow'
import type { RunInfo } from '../../shared/domain/run'
import { isExperimentRun } from '../stores/experiment-feed'
import { useStored } from '../stores/use-services'

/** A person's own runs, newest first; cells have their place in their experiment. */
export function useOwnRuns(): readonly RunInfo[] {
  return useStored(
    'runs',
    useShallow((state) =>
      state.order.filter((id) => !isExperimentRun(id)).flatMap((id) => state.views[id]?.run ?? []),
    ),
  )
}
