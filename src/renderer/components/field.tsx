import { useId, type ReactNode } from 'react'

/** A labelled form row. `children` gets the id that ties the control to its label. */
export function Field(props: { label: ReactNode; hint?: ReactNode; children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {props.label}
      </label>
      {props.children(id)}
      {props.hint ? <p className="text-xs text-muted">{props.hint}</p> : null}
    </div>
  )
}
