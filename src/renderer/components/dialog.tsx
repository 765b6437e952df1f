import { X } from './icons'
import { Dialog as Primitive } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import { classNames } from './class-names'
import { Button, type ButtonProps } from './button'

export interface DialogProps {
  /** Default true: it is there while it is open. */
  open?: boolean
  onClose(): void
  title: string
  /** One sentence under the title; hidden visually when `bare`. */
  description: string
  /** Leaves title and close button to screen readers, for the command palette. Default false. */
  bare?: boolean
  children: ReactNode
  className?: string
}

/** A modal dialog with focus kept inside. Radix's own overlay writes style elements (refused by the CSP), so ours is a plain one. */
export function Dialog(props: DialogProps) {
  const { open = true, onClose, title, description, bare = false, children, className } = props
  return (
    <Primitive.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose()
      }}
    >
      <Primitive.Portal>
        <div className="fixed inset-0 z-40 bg-black/30" aria-hidden />
        <Primitive.Content
          data-modal
          className={classNames(
            // Notes stand above it; where they are taller than the room there, it makes way.
            '[--margin:12vh] [@media(max-height:480px)]:[--margin:8px] [--above:max(var(--margin),calc(var(--notes,0px)+16px))]',
            'fixed top-(--above) left-1/2 z-50 flex max-h-[calc(100vh-var(--above)-var(--margin))] w-[min(560px,calc(100vw-32px))] -translate-x-1/2 flex-col overflow-hidden rounded-lg border bg-surface shadow-menu outline-none',
            className,
          )}
        >
          <div className={bare ? 'sr-only' : 'border-b py-4 pr-14 pl-4 [@media(max-height:480px)]:py-2'}>
            <Primitive.Title className="text-lg font-semibold">{title}</Primitive.Title>
            <Primitive.Description className="text-sm text-muted [@media(max-height:480px)]:text-xs">
              {description}
            </Primitive.Description>
          </div>
          {children}
          {/* Last in the document, so that opening focuses the first field. */}
          {bare ? null : (
            <Primitive.Close
              aria-label="Close"
              className="absolute top-3 right-3 flex size-8 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink"
            >
              <X size={16} strokeWidth={1.75} aria-hidden />
            </Primitive.Close>
          )}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

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
