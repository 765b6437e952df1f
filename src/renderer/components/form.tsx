import type { ComponentProps } from 'react'

/** A form that is worked on in the window: the page does not send it, and a form around it (a dialog's) does not hear of it. */
export function Form({
  onSubmit,
  ...others
}: Omit<ComponentProps<'form'>, 'onSubmit'> & { onSubmit(): void }) {
  return (
    <form
      {...others}
      onSubmit={(event) => {
        event.preventDefault()
        // React passes events on to a form around the dialog, although the page does not.
        event.stopPropagation()
        onSubmit()
      }}
    />
  )
}
