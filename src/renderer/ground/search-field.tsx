import { Search } from '../components/icons'
import { useRef } from 'react'
import { isCovered, isWriting, useKeydown } from './keys'

/** The first list that stands after an element. */
const listAfter = (element: Element): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>('[role="listbox"]')].find(
    (list) => (element.compareDocumentPosition(list) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
  )

/** Where words to look for are typed; `/` puts the cursor there, the arrow down goes on to the list below it. */
export function SearchField(props: {
  /** Its name, and what stands in it while it is empty unless `placeholder` says otherwise. */
  label: string
  value: string
  onChange(value: string): void
  placeholder?: string
  disabled?: boolean
}) {
  const field = useRef<HTMLInputElement>(null)
  useKeydown((event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
    if (isWriting(event.target) || isCovered()) return
    event.preventDefault()
    field.current?.focus()
  })
  return (
    <div className="relative min-w-0 flex-1">
      <Search size={14} aria-hidden className="absolute top-2.25 left-2.5 text-muted" />
      <input
        ref={field}
        type="search"
        aria-label={props.label}
        placeholder={props.placeholder ?? props.label}
        value={props.value}
        disabled={props.disabled}
        onChange={(event) => props.onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          listAfter(event.currentTarget)?.focus()
        }}
        className="h-8 w-full rounded-md border bg-surface pr-2 pl-8 placeholder:text-faint disabled:opacity-60"
      />
    </div>
  )
}
