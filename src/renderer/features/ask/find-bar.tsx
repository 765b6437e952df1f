import { ChevronDown, ChevronUp, X } from '../../components/icons'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { IconButton } from '../../components/icon-button'
import { useKeydown } from '../../ground/keys'

const ALL = 'ask-find'
const CURRENT = 'ask-find-current'

/** How places look: a sheet of its own, since what builds the window's style does not know them. */
function addLook(): void {
  if (document.adoptedStyleSheets.includes(LOOK)) return
  LOOK.replaceSync(
    `::highlight(${ALL}) { background-color: var(--color-notice-soft); color: var(--color-ink); }
     ::highlight(${CURRENT}) { background-color: var(--color-accent); color: var(--color-canvas); }`,
  )
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, LOOK]
}
const LOOK = new CSSStyleSheet()

/** Places in what is shown within a part of the page that hold some words, in order, whatever their case. */
export function placesOf(root: Node, words: string): Range[] {
  if (words === '') return []
  const needle = words.toLowerCase()
  const places: Range[] = []
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.nodeValue?.toLowerCase() ?? ''
    // Some letters have another length in lower case; those of such a text are told apart no more exactly.
    if (text.length !== node.nodeValue?.length || !isShown(node)) continue
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
      const range = document.createRange()
      range.setStart(node, at)
      range.setEnd(node, at + needle.length)
      places.push(range)
    }
  }
  return places
}

/** What is folded away, and what only screen readers have, is not looked into. */
const isShown = ({ parentElement }: Node): boolean => parentElement?.checkVisibility?.() ?? true

/** Finds words in an ask: how often they stand there, and each place in turn. Mod+F opens it, Enter goes on, Escape closes it. */
export function FindBar(props: { within: RefObject<HTMLElement | null>; onClose(): void }) {
  const { within, onClose } = props
  const field = useRef<HTMLInputElement>(null)
  const [words, setWords] = useState('')
  const [places, setPlaces] = useState<readonly Range[]>([])
  const [index, setIndex] = useState(0)
  useEffect(() => {
    const root = within.current
    if (!root) return
    const look = () => setPlaces(placesOf(root, words.trim()))
    look()
    setIndex(0)
    const observer = new MutationObserver(look)
    observer.observe(root, { childList: true, subtree: true, characterData: true })
    return () => observer.disconnect()
  }, [within, words])
  const current = places[Math.min(index, places.length - 1)]
  useEffect(() => {
    // Where the browser cannot mark places they are still gone to.
    if (typeof Highlight === 'undefined') return
    addLook()
    CSS.highlights.set(ALL, new Highlight(...places))
    CSS.highlights.set(CURRENT, new Highlight(...(current ? [current] : [])))
    return () => {
      CSS.highlights.delete(ALL)
      CSS.highlights.delete(CURRENT)
    }
  }, [places, current])
  useEffect(() => {
    current?.startContainer.parentElement?.scrollIntoView({ block: 'center' })
  }, [current])
  // The same keys again go back into the field.
  useKeydown((event) => {
    if (!isFind(event)) return
    event.preventDefault()
    field.current?.select()
  })
  const move = (step: number) =>
    setIndex((before) => (places.length === 0 ? 0 : (before + step + places.length) % places.length))
  const count =
    words.trim() === '' ? '' : places.length === 0 ? 'Nothing' : `${index + 1} of ${places.length}`
  return (
    <div role="search" aria-label="Find in this ask" className="flex items-center gap-1 border-b px-3 py-1.5">
      <input
        ref={field}
        autoFocus
        aria-label="Find in this ask"
        placeholder="Find in this ask"
        value={words}
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') move(event.shiftKey ? -1 : 1)
          else if (event.key === 'Escape') onClose()
          else return
          event.preventDefault()
          event.stopPropagation()
        }}
        className="h-8 min-w-0 flex-1 rounded-md border bg-surface px-2.5 placeholder:text-faint"
      />
      <span role="status" className="min-w-16 px-1 text-sm whitespace-nowrap text-muted">
        {count}
      </span>
      <IconButton
        icon={ChevronUp}
        label="Previous"
        keys="Shift+Enter"
        disabled={places.length === 0}
        onClick={() => move(-1)}
      />
      <IconButton
        icon={ChevronDown}
        label="Next"
        keys="Enter"
        disabled={places.length === 0}
        onClick={() => move(1)}
      />
      <IconButton icon={X} label="Close" keys="Esc" onClick={onClose} />
    </div>
  )
}

/** Whether a key asks to find something. */
export const isFind = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'f'
