import { useEffect, useEffectEvent, useRef } from 'react'

/** What takes no characters, although it is an input. */
const NO_TEXT = /^(button|checkbox|color|file|image|radio|range|reset|submit)$/

/** Whether what has the focus takes the characters that are typed, so that none of them is a shortcut. */
export function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return !NO_TEXT.test(target.type)
  return target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName)
}

/** Whether a dialog or a menu is open, which has the keys for itself. */
export const isCovered = (): boolean => document.querySelector('[role="dialog"], [role="menu"]') !== null

/** Whether a key is pressed alone, outside of fields and with nothing open above the page, so that it may be a shortcut. */
export const isLoneKey = (event: KeyboardEvent): boolean =>
  !(event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) &&
  !isWriting(event.target) &&
  !isCovered()

/** Hears every key that is pressed while the part is there; `capture`: before what has the focus does. */
export function useKeydown(onKey: (event: KeyboardEvent) => void, capture = false): void {
  const hear = useEffectEvent(onKey)
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => hear(event)
    window.addEventListener('keydown', listen, { capture })
    return () => window.removeEventListener('keydown', listen, { capture })
  }, [capture])
}

/** Milliseconds within which a letter that follows a shortcut makes both the beginning of a text. */
const TYPING_MS = 350

/** Letters that are shortcuts where they are pressed alone, by who hears them. */
const SHORTCUTS = new Map<object, string>()

/** Keys that begin a text; others may be shortcuts of the window. */
const TEXT = /^[\p{L}\p{N}]$/u

/** What was pressed last, outside of fields. */
interface Press {
  readonly key: string
  readonly at: number
  timer?: ReturnType<typeof setTimeout>
}

const isTyped = ({ key, repeat, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  !repeat && key.length === 1 && !ctrlKey && !metaKey && !altKey

/** Hears those of some letters that are pressed alone outside of fields, in lower case and once no other key followed. */
export function useLetter(letters: string, onLetter: (letter: string) => void): void {
  const press = useRef<Press | null>(null)
  // As it is when nothing followed, not as it was when the letter was pressed.
  const hear = useRef(onLetter)
  useEffect(() => void (hear.current = onLetter))
  useEffect(() => () => clearTimeout(press.current?.timer), [])
  useEffect(() => {
    SHORTCUTS.set(press, letters)
    return () => void SHORTCUTS.delete(press)
  }, [letters])
  useKeydown((event) => {
    if (!isTyped(event)) return
    const { timeStamp: at } = event
    const key = event.key.toLowerCase()
    const before = press.current
    // Also one that another part has taken.
    clearTimeout(before?.timer)
    if (!isLoneKey(event)) return
    const follows = before !== null && at - before.at < TYPING_MS
    const next: Press = { key, at }
    press.current = next
    if (follows || !letters.includes(key)) return
    // A key that waits while the window is busy is heard before.
    next.timer = setTimeout(() => (next.timer = setTimeout(() => hear.current(key), 0)), TYPING_MS)
  })
}

/**
 * Hears what is begun to be typed outside of fields, of which nothing is lost: a letter that is no shortcut at once, however slowly others follow; one that is
 * (`useLetter`) with the key that follows it quickly.
 */
export function useTyping(onText: (text: string) => void): void {
  const press = useRef<Press | null>(null)
  useKeydown((event) => {
    if (!isTyped(event) || !isLoneKey(event)) return
    const { key, timeStamp: at } = event
    const before = press.current
    const isText =
      TEXT.test(key) && ![...SHORTCUTS.values()].some((letters) => letters.includes(key.toLowerCase()))
    const follows = before !== null && at - before.at < TYPING_MS
    press.current = isText || key === ' ' || follows ? null : { key, at }
    if (!follows && !isText) return
    // It goes into a field as a whole.
    event.preventDefault()
    onText((follows ? before.key : '') + key)
  })
}

/** Hears what is typed outside of fields while nothing is there yet that takes it. At its end `onText` gets all of it; one letter alone is no text but a shortcut. */
export function useTypedAhead(onText: (text: string) => void): void {
  const typed = useRef('')
  const end = useEffectEvent(onText)
  useKeydown((event) => {
    if (!isTyped(event) || !isLoneKey(event) || (typed.current === '' && event.key === ' ')) return
    event.preventDefault()
    typed.current += event.key
  })
  useEffect(
    () => () => {
      if (typed.current.length > 1) end(typed.current)
    },
    [],
  )
}
