import type { KeyboardEvent } from 'react'

/** Enter sends a message; Shift+Enter begins a line, and Enter that ends a composed word does nothing else. With Mod it is the screen's own key. */
export const sendOnEnter =
  (send: () => void) =>
  (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    const { key, shiftKey, ctrlKey, metaKey, altKey, nativeEvent } = event
    if (key !== 'Enter' || shiftKey || ctrlKey || metaKey || altKey || nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
