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

/** Milliseconds within which two letters are the beginning of a text. */
const TYPING_MS = 350

/**
 * Hears letters that are pressed alone outside of fields, in lower case and once no other followed: a shortcut. Two that follow each
 * other quickly are no shortcuts: somebody began to type, and `onText` hears what.
 */
export function useLetter(onLetter: (letter: string) => void, onText?: (text: string) => void): void {
  const press = useRef<{ key: string; at: number; timer?: ReturnType<typeof setTimeout> } | null>(null)
  // As it is when nothing followed, not as it was when the letter was pressed.
  const hear = useRef(onLetter)
  useEffect(() => void (hear.current = onLetter))
  useEffect(() => () => clearTimeout(press.current?.timer), [])
  useKeydown((event) => {
    const { key, timeStamp: at } = event
    if (event.repeat || key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return
    const before = press.current
    // Also one that another part has taken.
    clearTimeout(before?.timer)
    if (!isLoneKey(event)) return
    const follows = before !== null && at - before.at < TYPING_MS
    if (follows && before.key !== '' && onText !== undefined) {
      // It goes into a field as a whole.
      event.preventDefault()
      onText(before.key + key)
    }
    const isFirst = !follows && key !== ' '
    press.current = isFirst
      ? { key, at, timer: setTimeout(() => hear.current(key.toLowerCase()), TYPING_MS) }
      : { key: '', at }
  })
}
