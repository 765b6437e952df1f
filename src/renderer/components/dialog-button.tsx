import { useState, type ReactNode } from 'react'
import { Button, type ButtonProps } from './button'

/** A button that opens a dialog, which is there until it is closed. */
export function DialogButton(
  props: Omit<ButtonProps, 'onClick'> & { dialog: (close: () => void) => ReactNode },
) {
  const { dialog, ...button } = props
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button {...button} onClick={() => setOpen(true)} />
      {open ? dialog(() => setOpen(false)) : null}
    </>
  )
}
