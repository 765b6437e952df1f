import { useId, type ReactNode } from 'react'
import { classNames } from './class-names'

/** What stands around a control of a form. */
export interface FieldProps {
  readonly label: ReactNode
  /** One sentence below it. */
  readonly hint?: ReactNode
  /** How wide the whole is, such as `w-56`. Default: all there is. */
  readonly width?: string
}

/** Where the hint of a control stands. */
export const hintId = (id: string): string => `${id}-hint`

/** A labelled form row. `children` gets the id that ties the control to its label. */
export function Field(props: FieldProps & { children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <div className={classNames('flex flex-col gap-1', props.width)}>
      <label htmlFor={id} className="text-sm font-medium">
        {props.label}
      </label>
      {props.children(id)}
      {props.hint ? (
        <p id={hintId(id)} className="text-xs text-muted">
          {props.hint}
        </p>
      ) : null}
    </div>
  )
}
