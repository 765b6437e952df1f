import type { StreamInfo } from '../../../shared/domain/task'
import { NumberField } from '../number-field'
import { BOUNDS } from '../../../shared/domain/bounds'

/** How many tasks of a stream are played; empty plays all of them. */
export function TaskCountField(props: {
  stream: StreamInfo | null
  value: number | null
  hint?: string
  onChange(tasks: number | null): void
}) {
  const { stream, value, onChange } = props
  return (
    <NumberField
      label="Tasks"
      name="Number of tasks"
      hint={props.hint}
      optional
      value={value}
      bounds={[1, stream?.tasks ?? BOUNDS.tasks[1]]}
      placeholder="all"
      onChange={onChange}
    />
  )
}
