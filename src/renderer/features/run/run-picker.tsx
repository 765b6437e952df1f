import { History } from 'lucide-react'
import { useStore } from 'zustand'
import { formatShare, formatWhen } from '../../components/format'
import { IconButton } from '../../components/icon-button'
import { Menu, MenuChoices } from '../../ground/menu'
import { useOwnRuns } from '../../ground/own-runs'
import { useServices } from '../../stores/use-services'
import { runTitle } from '../../ground/run-title'

/** Brings any earlier run back on screen, of whatever stream. */
export function RunPicker() {
  const { runs, methods, streams } = useServices()
  const all = useOwnRuns()
  const focusId = useStore(runs, (state) => state.focusId)
  const methodList = useStore(methods, (state) => state.data)
  const streamList = useStore(streams, (state) => state.data)
  if (all.filter(({ id }) => id !== focusId).length === 0) return null
  return (
    <Menu label="All runs" align="end" width="w-96" trigger={<IconButton icon={History} label="All runs" />}>
      <MenuChoices
        value={focusId}
        choices={all.map((run) => ({
          value: run.id,
          label: runTitle(run, methodList, streamList),
          detail: `${formatWhen(run.createdAt)} · seed ${run.config.seed}${
            run.done > 0 ? ` · ${formatShare(run.solved / run.done)} of ${run.done}` : ''
          }`,
        }))}
        onChange={(id) => runs.getState().focus(id)}
      />
    </Menu>
  )
}
