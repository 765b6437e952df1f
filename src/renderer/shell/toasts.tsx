import { X } from '../components/icons'
import { DismissableLayer } from 'radix-ui/internal'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Button } from '../components/button'
import { classNames } from '../components/class-names'
import { IconButton } from '../components/icon-button'
import { TitleAndLead } from '../components/title-and-lead'
import { useKeydown } from '../ground/keys'
import { useHeightAs } from '../ground/use-height-as'
import type { Toast } from '../stores/toasts'
import { useServices, useStored } from '../stores/use-services'

const PLAIN_MS = 6_000
const WITH_ACTION_MS = 12_000

/**
 * Quiet notes at the lower right, above what is docked there, or above a dialog; said as they come. F8 moves the focus to them; while it or the pointer is there they stay. They are no
 * layer over what is open: Escape closes a dialog or a menu whether there are notes or not, and a note alone that has the focus.
 */
export function Toasts() {
  const { toasts: store } = useServices()
  const toasts = useStored('toasts', (state) => state.toasts)
  const list = useRef<HTMLOListElement>(null)
  useHeightAs('--notes', list)
  const [pointed, setPointed] = useState(false)
  const [focused, setFocused] = useState(false)
  useKeydown((event) => {
    if (event.key !== 'F8') return
    event.preventDefault()
    if (toasts.length > 0) list.current?.focus()
  })
  return (
    <DismissableLayer.Branch>
      <section
        // No place while there are none.
        aria-label={toasts.length > 0 ? 'Notes (F8)' : undefined}
        className={classNames(toasts.length === 0 && 'pointer-events-none')}
      >
        <ol
          ref={list}
          tabIndex={-1}
          // Said by `Sayings`; a dialog leaves what is live to those who listen.
          aria-live="off"
          onPointerEnter={() => setPointed(true)}
          onPointerLeave={() => setPointed(false)}
          onFocus={() => setFocused(true)}
          onBlur={({ currentTarget, relatedTarget }) => setFocused(currentTarget.contains(relatedTarget))}
          className={classNames(
            'fixed right-4 bottom-[calc(var(--foot,0px)+40px)] z-60 flex w-96 max-w-[calc(100vw-32px)] flex-col gap-2 outline-none',
            '[:root:has([data-modal])_&]:top-2 [:root:has([data-modal])_&]:right-[calc(50vw-min(192px,50vw-16px))] [:root:has([data-modal])_&]:bottom-auto',
          )}
        >
          {toasts.map((toast) => (
            <Note
              key={toast.id}
              toast={toast}
              stays={pointed || focused}
              onClose={() => {
                store.getState().dismiss(toast.id)
                // What had the focus is gone; the next note has it, else nothing.
                setPointed(false)
                setFocused(false)
              }}
            />
          ))}
        </ol>
      </section>
    </DismissableLayer.Branch>
  )
}

/**
 * What is said to those who do not see it. It stands in a closed root of its own: what finds, copies or prints the page meets none of it, and neither
 * does a second text of a note stand beside the note.
 */
export function Sayings() {
  const sayings = useStored('toasts', (state) => state.sayings)
  const [{ host, root }] = useState(openHost)
  useEffect(() => {
    document.body.append(host)
    return () => host.remove()
  }, [host])
  return createPortal(
    sayings.map(({ id, words }) => <p key={id}>{words}</p>),
    root,
  )
}

function openHost() {
  const host = document.createElement('div')
  host.className = 'sr-only'
  host.ariaLive = 'polite'
  return { host, root: host.attachShadow({ mode: 'closed' }) }
}

function Note(props: { toast: Toast; stays: boolean; onClose: () => void }) {
  const { toast, stays, onClose } = props
  const close = useEffectEvent(onClose)
  const ms = toast.action ? WITH_ACTION_MS : PLAIN_MS
  useEffect(() => {
    if (stays) return
    const timer = setTimeout(() => close(), ms)
    return () => clearTimeout(timer)
  }, [stays, ms])
  return (
    <li
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
      className={classNames(
        // A dialog takes the pointer from all of the page else.
        'pointer-events-auto flex items-center gap-3 rounded-lg border bg-surface py-2 pr-2 pl-3 shadow-menu',
        toast.tone === 'problem' && 'border-danger/50',
      )}
    >
      <TitleAndLead title={toast.title} lead={toast.detail === '' ? undefined : toast.detail} />
      {toast.action ? (
        <Button
          size="small"
          data-gives-back=""
          onClick={() => {
            toast.action?.run()
            onClose()
          }}
        >
          {toast.action.label}
        </Button>
      ) : null}
      <IconButton icon={X} label="Dismiss" side="top" className="size-7" onClick={onClose} />
    </li>
  )
}
