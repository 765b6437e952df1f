import { useStore } from 'zustand'
import type { MethodInfo } from '../../../shared/domain/method'
import { Summary } from '../../components/fold'
import { Hint } from '../../components/icon-button'
import { useServices } from '../../stores/use-services'

/** The methods to compare: those that are suggested, and all others folded away until one of them is chosen. */
export function MethodChoice({ methods }: { methods: readonly MethodInfo[] }) {
  const { experimentForm } = useServices()
  const choices = useStore(experimentForm, (state) => state.methods)
  const isSuggested = ({ suggested }: MethodInfo): boolean => suggested?.includes('experiment') === true
  const others = methods.filter((method) => !isSuggested(method))
  const isOther = others.some(({ id }) => choices.includes(id))
  return (
    <div className="flex flex-col gap-3">
      <MethodList methods={methods.filter(isSuggested)} choices={choices} />
      <details className="group" open={isOther || others.length === methods.length}>
        <Summary>More methods ({others.length})</Summary>
        <div className="pt-3">
          <MethodList methods={others} choices={choices} />
        </div>
      </details>
    </div>
  )
}

/** Methods, each with one plain sentence; its paper is in the tooltip. */
function MethodList(props: { methods: readonly MethodInfo[]; choices: readonly string[] }) {
  const { methods, choices } = props
  const { experimentForm } = useServices()
  const toggle = useStore(experimentForm, (state) => state.toggleMethod)
  return (
    <ul className="divide-y rounded-lg border bg-surface">
      {methods.map(({ id, title, description, source }) => (
        <li key={id}>
          <label className="flex cursor-pointer items-start gap-3 px-3 py-2 hover:bg-hover">
            <input
              type="checkbox"
              checked={choices.includes(id)}
              onChange={() => toggle(id)}
              aria-label={title}
              aria-describedby={`method-${id}`}
              className="mt-0.5 size-4 shrink-0 accent-accent"
            />
            <span className="flex min-w-0 flex-1 flex-wrap gap-x-3">
              <Hint text={source} side="top">
                <span className="w-40 shrink-0">{title}</span>
              </Hint>
              <span id={`method-${id}`} className="min-w-56 flex-1 text-sm text-muted">
                {description}
                <span className="sr-only"> {source}</span>
              </span>
            </span>
          </label>
        </li>
      ))}
    </ul>
  )
}
