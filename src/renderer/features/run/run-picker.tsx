import { History } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { formatShare, formatWhen } from '../../components/format'
import { IconButton } from '../../components/icon-button'
import { isExperimentRun } from '../../stores/experiment-feed'
import { useServices } from '../../stores/use-services'
import { runTitle } from './run-title'

/** Brings any earlier run back on screen, of whatever stream. */
export function RunPicker() {
  const { runs, methods, streams } = useServices()
  const all = useStore(
    runs,
    // Cells have their place in their experiment.
    useShallow((state) =>
      state.order.filter((id) => !isExperimentRun(id)).flatMap((id) => state.views[id]?.run ?? []),
    ),
  )
  const focusId = useStore(runs, (state) => state.focusId)
  const methodList = useStore(methods, (state) => state.data)
  const streamList = useStore(streams, (state) => state.data)
  if (all.filter(({ id }) => id !== focusId).length === 0) return null
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <IconButton icon={History} label="All runs" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          aria-label="All runs"
          className="z-40 max-h-96 w-80 overflow-y-auto rounded-lg border bg-surface p-1 shadow-menu"
        >
          <DropdownMenu.RadioGroup value={focusId ?? ''} onValueChange={(id) => runs.getState().focus(id)}>
            {all.map((run) => (
              <DropdownMenu.RadioItem
                key={run.id}
                value={run.id}
                className="rounded-md px-2 py-1.5 outline-none data-[highlighted]:bg-hover data-[state=checked]:bg-sunken"
              >
                <span className="block truncate">{runTitle(run, methodList, streamList)}</span>
                <span className="block text-xs text-muted">
                  {formatWhen(run.createdAt)} · seed {run.config.seed}
                  {run.done > 0 ? ` · ${formatShare(run.solved / run.done)} of ${run.done}` : ''}
                </span>
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
