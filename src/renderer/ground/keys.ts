import { useEffect, useEffectEvent } from 'react'

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
