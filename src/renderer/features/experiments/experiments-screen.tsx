import { useStore } from 'zustand'
import { useServices } from '../../stores/use-services'
import { Composer } from './composer'
import { ExperimentDetail } from './experiment-detail'
import { ExperimentList } from './experiment-list'

/** Compose an experiment, watch its cells fill in, read its figures. */
export function ExperimentsScreen() {
  const { experiments } = useServices()
  const openId = useStore(experiments, (state) => state.openId)
  return (
    <div className="flex h-full max-[760px]:flex-col max-[760px]:overflow-y-auto">
      <section
        aria-label="All experiments"
        className="flex w-56 shrink-0 flex-col gap-4 overflow-y-auto border-r p-4 max-[760px]:max-h-44 max-[760px]:w-full max-[760px]:border-r-0 max-[760px]:border-b"
      >
        <ExperimentList />
      </section>
      <section
        aria-label={openId === null ? 'New experiment' : 'The experiment'}
        className="min-h-0 min-w-0 flex-1 bg-surface max-[760px]:flex-none"
      >
        {openId === null ? <Composer /> : <ExperimentDetail key={openId} experimentId={openId} />}
      </section>
    </div>
  )
}
