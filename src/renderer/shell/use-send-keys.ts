import { useKeydown } from '../ground/keys'

/**
 * Mod+Enter sends: the form that the focus is in, else the one of an open dialog, else the one that the screen is about (`data-sends`), wherever the focus
 * is: on a choice that was just made, in a menu that is closing, or nowhere. A form that is not ready, its button says so, is not sent.
 */
export function useSendKeys(): void {
  // Before a menu or a field takes the key for itself.
  useKeydown((event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.isComposing) return
    const form = formFor(event.target)
    if (!form) return
    event.preventDefault()
    event.stopPropagation()
    form.querySelector<HTMLButtonElement>('button[type="submit"]:not(:disabled)')?.click()
  }, true)
}

function formFor(target: EventTarget | null): HTMLFormElement | null {
  const own = target instanceof Element ? target.closest('form') : null
  if (own) return own
  if (document.querySelector('[role="dialog"]')) return document.querySelector('[role="dialog"] form')
  return document.querySelector('form[data-sends]')
}
