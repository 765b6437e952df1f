import { NumberField } from '../number-field'
import { BOUNDS } from '../../../shared/domain/bounds'

/** How many tokens the model may read at once; empty takes what it usually gets. */
export function ContextField(props: {
  value: number | null
  /** What it gets where nothing is typed; null where that is not known. */
  usual: number | null
  hint?: string
  onChange(contextSize: number | null): void
}) {
  return (
    <NumberField
      label="Context"
      name="Context, tokens"
      hint={props.hint}
      optional
      value={props.value}
      bounds={BOUNDS.contextSize}
      placeholder={props.usual === null ? 'its own' : String(props.usual)}
      onChange={props.onChange}
    />
  )
}
