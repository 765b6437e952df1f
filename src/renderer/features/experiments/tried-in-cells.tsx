import { useStore } from 'zustand'
import type { ExperimentInfo } from '../../../shared/domain/experiment'
import { Term } from '../../components/term'
import { TriedSoftPrompts } from '../../ground/tried-soft-prompts'
import { useServices } from '../../stores/use-services'
import { useMethodNames } from './use-method-names'

/** How the soft prompts that cells trained did on held-out tasks, and which could not be trained, cell by cell; nothing where none fell due. */
export function TriedInCells({ info }: { info: ExperimentInfo }) {
  const { experiments } = useServices()
  const report = useStore(experiments, (state) => state.report)
  const names = useMethodNames(info.definition)
  const cells =
    report?.cells.filter(({ tried = [], untrained = [] }) => tried.length + untrained.length > 0) ?? []
  if (cells.length === 0) return null
  return (
    <section aria-label="Soft prompts" className="flex flex-col gap-2">
      <h2 className="font-medium">
        <Term name="soft prompt">Soft prompts</Term> on held-out tasks
      </h2>
      <ul className="divide-y rounded-lg border bg-surface text-sm">
        {cells.map((cell) => (
          <li key={cell.key} className="flex flex-col gap-0.5 px-3 py-2">
            <span>{names(cell.method).ofCell(cell)}</span>
            <TriedSoftPrompts tried={cell.tried} untrained={cell.untrained} />
          </li>
        ))}
      </ul>
    </section>
  )
}
