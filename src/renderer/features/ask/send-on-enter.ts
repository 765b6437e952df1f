import type { KeyboardEvent } from 'react'

/**
 * Enter sends the form of a message, unless something in it does not count; Shift+Enter begins a line, and Enter that ends a composed word does nothing
 * else. With Mod it is the screen's own key.
 */
export function sendOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  const { key, shiftKey, ctrlKey, metaKey, altKey, nativeEvent, currentTarget } = event
  if (key !== 'Enter' || shiftKey || ctrlKey || metaKey || altKey || nativeEvent.isComposing) return
  event.preventDefault()
  currentTarget.form?.requestSubmit()
}
